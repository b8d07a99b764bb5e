//! Values through loops and branches.

//! Files and checkpoints.

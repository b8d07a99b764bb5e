//! The device on its own.

//! Variables.
//!
//! They hold tensors in the device's memory, those of int32 too. A value that was read is a snapshot, as on the CPU:
//! while somebody holds it, the next update makes a copy within the device's memory.

pub mod gather;
pub mod scatter;
pub mod update;
pub mod variable;

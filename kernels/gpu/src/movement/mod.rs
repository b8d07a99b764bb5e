//! Moving elements of any plain dtype within a device's memory, as 32-bit words: nothing depends on what the elements
//! are.
//!
//! Elements of 4, 8 and 16 bytes are 1, 2 and 4 words. Shorter ones are moved as words where they stand together in
//! whole words, and one by one otherwise: then each thread owns a word of the output and puts it together.

mod device;
mod plan;
mod programs;
mod units;

pub(crate) use device::{Device, clear, element_bytes, gather, scatter, words};
pub(crate) use units::Units;

//! Ops that only move elements, as copies of any [`CopyBackend`](crate::movement::CopyBackend): a kernel of a device
//! calls the function of its op with the copies of that device. Axes, shapes and bounds are read in host memory.

mod blocks;
mod filled;
mod joining;
mod padding;
mod permutation;
mod region;
mod slicing;

pub use blocks::*;
pub use filled::*;
pub use joining::*;
pub use padding::*;
pub use permutation::*;
pub use region::Region;
pub use slicing::*;

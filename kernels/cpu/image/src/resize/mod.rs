//! Images of another size: what all methods have in common.

mod area;
mod bicubic;
mod bilinear;
mod nearest;
mod quantized;

pub use area::*;
pub use bicubic::*;
pub use bilinear::*;
pub use nearest::*;
pub use quantized::*;

/// Values that one thread should at least have.
const GRAIN: usize = 1 << 13;

//! Bits of integers.

use oplink::prelude::*;
use oplink_ops::math::{BitwiseAnd, BitwiseOr, BitwiseXor, Invert, PopulationCount};

/// The bits of both.
#[kernel(BitwiseAnd, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [integers])]
pub fn bits_of_both<T: Integer>(x: T, y: T) -> T {
    x & y
}

/// The bits of either.
#[kernel(BitwiseOr, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [integers])]
pub fn bits_of_either<T: Integer>(x: T, y: T) -> T {
    x | y
}

/// The bits of one alone.
#[kernel(BitwiseXor, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [integers])]
pub fn bits_of_one<T: Integer>(x: T, y: T) -> T {
    x ^ y
}

/// The other bits.
#[kernel(Invert, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [integers])]
pub fn inverted<T: Integer>(x: T) -> T {
    !x
}

/// The number of bits that are 1.
#[kernel(PopulationCount, device = [CPU, #[cfg(feature = "gpu")] GPU], scalar, T = [integers])]
pub fn count_of_ones<T: Integer>(x: T) -> u8 {
    x.count_ones() as u8
}

//! Elements of images that kernels add up in their own dtype.

use oplink::prelude::*;

/// A number of an image.
pub trait Pixel: Element + Copy {
    /// Zero.
    const ZERO: Self;
    /// In single precision.
    fn to_single(self) -> f32;
    /// From single precision: rounded to nearest even, or towards zero and kept within what an integer holds.
    fn from_single(value: f32) -> Self;
    /// The sum; integers wrap.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Pixel for $ty {
            const ZERO: Self = 0;
            fn to_single(self) -> f32 {
                self as f32
            }
            fn from_single(value: f32) -> Self {
                value as Self
            }
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        }
    )*};
}

macro_rules! floats {
    ($($ty:ty, $to:expr, $from:expr, $zero:expr;)*) => {$(
        impl Pixel for $ty {
            const ZERO: Self = $zero;
            fn to_single(self) -> f32 {
                ($to)(self)
            }
            fn from_single(value: f32) -> Self {
                ($from)(value)
            }
            fn plus(self, other: Self) -> Self {
                self + other
            }
        }
    )*};
}

integers!(i8 u8 i32 i64);
floats! {
    f32, std::convert::identity, std::convert::identity, 0.0;
    f64, |value| value as f32, f64::from, 0.0;
    f16, f16::to_f32, f16::from_f32, f16::ZERO;
    bf16, bf16::to_f32, bf16::from_f32, bf16::ZERO;
}

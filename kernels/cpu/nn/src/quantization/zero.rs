//! The integers that quantized numbers are, and the one that stands for 0.

use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;

/// A quantized number: the integer that stands for a step of a range.
pub trait Quantized: Element + Copy {
    /// The lowest integer.
    const LOWEST: f64;
    /// The highest integer.
    const HIGHEST: f64;

    /// The integer as a number.
    fn integer(self) -> i32;

    /// The integer's low bits.
    fn from_integer(value: i32) -> Self;

    /// A number as an integer: what is left of it in the integer's bits; the lowest of 32 bits where it has more.
    fn of(value: f32) -> Self;
}

macro_rules! quantized {
    ($($ty:ident($inner:ty);)*) => {$(
        impl Quantized for $ty {
            const LOWEST: f64 = <$inner>::MIN as f64;
            const HIGHEST: f64 = <$inner>::MAX as f64;

            #[inline]
            fn integer(self) -> i32 {
                i32::from(self.0)
            }
            #[inline]
            fn from_integer(value: i32) -> Self {
                Self(value as $inner)
            }
            #[inline]
            fn of(value: f32) -> Self {
                let fits = (-2_147_483_648.0..2_147_483_648.0).contains(&value);
                Self((if fits { value as i32 } else { i32::MIN }) as $inner)
            }
        }
    )*};
}

quantized! { QInt8(i8); QUInt8(u8); QInt16(i16); QUInt16(u16); QInt32(i32); }

/// A range of two scalars, which are finite.
pub(crate) fn range(min: &Tensor, max: &Tensor) -> Result<(f32, f32)> {
    for (name, end) in [("the smaller end", min), ("the larger end", max)] {
        ensure!(end.rank() == 0, "{name} of a range must be a scalar, its shape is {}", end.shape());
    }
    Ok((min.to_scalar()?, max.to_scalar()?))
}

/// The integer of 0 in a range of bytes, which need not be one of a byte.
pub(super) fn zero((min, max): (f32, f32)) -> i32 {
    if min == max {
        return 0;
    }
    let steps_a_unit = 256.0 / (f64::from(max - min) * (256.0 / 255.0));
    (-(f64::from(min) * steps_a_unit).round()) as i64 as i32
}

/// The range that 32-bit sums of products of bytes of two ranges stand for.
pub(super) fn product_range(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
    let step = ((a.1 - a.0) / 255.0) * ((b.1 - b.0) / 255.0);
    (step * QInt32::LOWEST as f32, step * QInt32::HIGHEST as f32)
}

//! Division and remainder as TensorFlow defines them for integers and floats.

use oplink::element::Complex;
use oplink::prelude::*;

use super::{Arithmetic, Computed, Ordered};

/// Numbers that can be divided.
pub trait Quotient: Arithmetic {
    /// The quotient: rounded towards zero for integers, whose divisor is not 0; wraps around where it overflows.
    #[must_use]
    fn quotient(self, divisor: Self) -> Self;
}

macro_rules! quotients {
    ($divide:expr; $($ty:ty),*) => {$(
        impl Quotient for $ty {
            #[inline]
            fn quotient(self, divisor: Self) -> Self {
                let divide: fn(Self, Self) -> Self = $divide;
                divide(self, divisor)
            }
        }
    )*};
}

quotients!(Self::wrapping_div; i8, i16, i32, i64, u8, u16, u32, u64);
quotients!(|a, b| a / b; f32, f64, Complex<f32>, Complex<f64>);

/// The four integer-like divisions. Divisors of integers are not zero: see [`check_divisors`].
pub trait Divide: Ordered {
    /// The quotient rounded towards zero; wraps around where it overflows.
    fn truncate_div(self, divisor: Self) -> Self;
    /// The quotient rounded towards negative infinity; wraps around where it overflows.
    fn floor_div(self, divisor: Self) -> Self;
    /// The remainder of `truncate_div`: has the sign of `self`.
    fn truncate_mod(self, divisor: Self) -> Self;
    /// The remainder of `floor_div`: has the sign of `divisor`.
    fn floor_mod(self, divisor: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ty: |$x:ident, $y:ident| $opposite:expr;)*) => {$(
        impl Divide for $ty {
            #[inline(always)]
            fn truncate_div(self, divisor: Self) -> Self { self.wrapping_div(divisor) }
            #[inline(always)]
            fn floor_div(self, divisor: Self) -> Self {
                let quotient = self.wrapping_div(divisor);
                let ($x, $y) = (self.wrapping_rem(divisor), divisor);
                if $x != 0 && $opposite { quotient.wrapping_sub(1) } else { quotient }
            }
            #[inline(always)]
            fn truncate_mod(self, divisor: Self) -> Self { self.wrapping_rem(divisor) }
            #[inline(always)]
            fn floor_mod(self, divisor: Self) -> Self {
                let ($x, $y) = (self.wrapping_rem(divisor), divisor);
                if $x != 0 && $opposite { $x.wrapping_add(divisor) } else { $x }
            }
        }
    )*};
}

integers! {
    i8: |x, y| (x ^ y) < 0;
    i16: |x, y| (x ^ y) < 0;
    i32: |x, y| (x ^ y) < 0;
    i64: |x, y| (x ^ y) < 0;
    u8: |_x, _y| false;
    u16: |_x, _y| false;
    u32: |_x, _y| false;
    u64: |_x, _y| false;
}

macro_rules! floats {
    ($($ty:ty),*) => {$(
        impl Divide for $ty {
            #[inline(always)]
            fn truncate_div(self, divisor: Self) -> Self { (self / divisor).trunc() }
            #[inline(always)]
            fn floor_div(self, divisor: Self) -> Self { (self / divisor).floor() }
            #[inline(always)]
            fn truncate_mod(self, divisor: Self) -> Self { self % divisor }
            #[inline(always)]
            fn floor_mod(self, divisor: Self) -> Self {
                let remainder = self % divisor;
                if remainder != 0.0 && (remainder < 0.0) != (divisor < 0.0) { remainder + divisor } else { remainder }
            }
        }
    )*};
}

floats!(f32, f64);

/// Checks the divisors of integers.
///
/// # Errors
/// One is a zero that would be divided by.
pub fn check_divisors<T: Computed<ComputeType: Ordered>>(dividends: &Tensor, divisors: &Tensor) -> Result<()> {
    let divisors = divisors.as_slice::<T>()?;
    if dividends.num_elements() > 0 && divisors.iter().any(|d| d.to_computed() == T::ComputeType::ZERO) {
        bail!("Integer division by zero");
    }
    Ok(())
}

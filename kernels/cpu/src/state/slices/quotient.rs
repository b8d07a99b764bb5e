//! Division of numbers of every kind.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, Lanes};

/// Numbers that can be divided.
pub trait Quotient: Arithmetic {
    /// Whether a divisor of 0 is an error.
    const NEEDS_DIVISOR: bool;
    /// The quotient: rounded towards zero for integers, whose divisor is not 0.
    fn quotient(self, divisor: Self) -> Self;
}

macro_rules! quotients {
    ($needs:literal, $divide:expr; $($ty:ty),*) => {$(
        impl Quotient for $ty {
            const NEEDS_DIVISOR: bool = $needs;
            #[inline]
            fn quotient(self, divisor: Self) -> Self {
                let divide: fn(Self, Self) -> Self = $divide;
                divide(self, divisor)
            }
        }
    )*};
}

quotients!(true, Self::wrapping_div; i8, i16, i32, i64, u8, u16, u32, u64);
quotients!(false, |a, b| a / b; f32, f64, Complex<f32>, Complex<f64>);

/// An error where a divisor is 0.
pub(super) fn check_divisors<T: Lanes<Lane: Quotient>>(divisors: &Tensor) -> Result<()> {
    let zero = |divisor: &T| divisor.to_lane() == T::Lane::ZERO;
    ensure!(!divisors.as_slice::<T>()?.iter().any(zero), "updates must not contain 0, by which elements are divided");
    Ok(())
}

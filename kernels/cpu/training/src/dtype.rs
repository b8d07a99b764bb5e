//! The dtypes that variables are trained in.

use oplink::prelude::*;

/// A dtype with arithmetic and square roots. Arithmetic of 16-bit floats rounds after each operation.
pub trait TrainableDType: Number {
    /// The principal square root.
    fn root(self) -> Self;
}

/// A real dtype.
pub trait RealTrainableDType: TrainableDType + Real {
    /// The absolute value.
    fn magnitude(self) -> Self;
    /// -1, 0 or 1; NaN for NaN.
    fn sign(self) -> Self;
    /// `self` to the power of `exponent`.
    fn power(self, exponent: Self) -> Self;
    /// e to the power of `self`.
    fn exponential(self) -> Self;
    /// From double precision, rounded.
    fn from_double(value: f64) -> Self;

    /// The larger one; `other` where `self` is NaN.
    #[inline]
    fn at_least(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

macro_rules! real_dtypes {
    ($($ty:ty: |$value:ident| $from:expr;)*) => {$(
        impl TrainableDType for $ty {
            #[inline]
            fn root(self) -> Self { num_traits::Float::sqrt(self) }
        }
        impl RealTrainableDType for $ty {
            #[inline]
            fn magnitude(self) -> Self { num_traits::Float::abs(self) }
            #[inline]
            fn sign(self) -> Self {
                let zero = <Self as num_traits::Zero>::zero();
                if self == zero { zero } else { num_traits::Float::signum(self) }
            }
            #[inline]
            fn power(self, exponent: Self) -> Self { num_traits::Float::powf(self, exponent) }
            #[inline]
            fn exponential(self) -> Self { num_traits::Float::exp(self) }
            #[inline]
            fn from_double($value: f64) -> Self { $from }
        }
    )*};
}

real_dtypes! {
    f32: |value| value as Self;
    f64: |value| value;
    f16: |value| Self::from_f64(value);
    bf16: |value| Self::from_f64(value);
}

impl TrainableDType for Complex<f32> {
    #[inline]
    fn root(self) -> Self {
        self.sqrt()
    }
}

impl TrainableDType for Complex<f64> {
    #[inline]
    fn root(self) -> Self {
        self.sqrt()
    }
}

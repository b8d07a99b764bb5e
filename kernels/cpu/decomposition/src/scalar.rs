//! The numbers that matrices consist of.

use faer::traits::{ComplexField, Conjugate, RealField};
use num_complex::Complex;
use oplink::prelude::*;

/// A real or complex number in single or double precision.
pub trait Scalar: Number + ComplexField<Real = Self::Magnitude> + Conjugate<Canonical = Self> {
    /// Its real counterpart.
    type Magnitude: Scalar<Magnitude = Self::Magnitude> + RealField + num_traits::Float;
    /// The conjugate.
    #[must_use]
    fn conjugate(self) -> Self;
    /// The distance from zero.
    fn magnitude(self) -> Self::Magnitude;
    /// The real part.
    fn real_part(self) -> Self::Magnitude;
    /// The imaginary part.
    fn imaginary_part(self) -> Self::Magnitude;
    /// A real number as one of this kind.
    fn from_real(value: Self::Magnitude) -> Self;
    /// As a complex number in double precision.
    fn widened(self) -> Complex<f64>;
    /// Of a complex number in double precision; real ones take the real part.
    fn narrowed(value: Complex<f64>) -> Self;
}

macro_rules! reals {
    ($($ty:ty)*) => {$(
        impl Scalar for $ty {
            type Magnitude = Self;
            fn conjugate(self) -> Self {
                self
            }
            fn magnitude(self) -> Self {
                <$ty>::abs(self)
            }
            fn real_part(self) -> Self {
                self
            }
            fn imaginary_part(self) -> Self {
                0.0
            }
            fn from_real(value: Self) -> Self {
                value
            }
            fn widened(self) -> Complex<f64> {
                Complex::new(self as f64, 0.0)
            }
            fn narrowed(value: Complex<f64>) -> Self {
                value.re as $ty
            }
        }

        impl Scalar for Complex<$ty> {
            type Magnitude = $ty;
            fn conjugate(self) -> Self {
                self.conj()
            }
            fn magnitude(self) -> $ty {
                self.norm()
            }
            fn real_part(self) -> $ty {
                self.re
            }
            fn imaginary_part(self) -> $ty {
                self.im
            }
            fn from_real(value: $ty) -> Self {
                Self::new(value, 0.0)
            }
            fn widened(self) -> Complex<f64> {
                Complex::new(self.re as f64, self.im as f64)
            }
            fn narrowed(value: Complex<f64>) -> Self {
                Self::new(value.re as $ty, value.im as $ty)
            }
        }
    )*};
}

reals!(f32 f64);

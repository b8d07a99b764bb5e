//! Single and double precision, as the algorithms of the Cephes library (Moshier, 1984-1992) take them.

use num_traits::Float;

/// A precision in which special functions are computed, every step rounded.
pub trait Precision: Float {
    /// Whether it is single precision.
    const IS_SINGLE: bool;
    /// The largest power of 2 that leaves 1 as it is when it is added.
    const ROUNDING: Self;
    /// Parts of a fraction beyond this magnitude are multiplied by [`Precision::SMALL`].
    const LARGE: Self;
    /// Parts of a fraction below this magnitude are multiplied by [`Precision::LARGE`].
    const SMALL: Self;

    /// The nearest number of this precision.
    fn of(x: f64) -> Self;
    /// The number in double precision.
    fn double(self) -> f64;
    /// The logarithm of the magnitude of the gamma function.
    fn ln_gamma(self) -> Self;
}

impl Precision for f32 {
    const IS_SINGLE: bool = true;
    const ROUNDING: Self = Self::EPSILON / 2.0;
    const LARGE: Self = 2.0 / Self::EPSILON;
    const SMALL: Self = Self::EPSILON / 2.0;

    fn of(x: f64) -> Self {
        x as Self
    }

    fn double(self) -> f64 {
        f64::from(self)
    }

    fn ln_gamma(self) -> Self {
        libm::lgammaf(self)
    }
}

impl Precision for f64 {
    const IS_SINGLE: bool = false;
    const ROUNDING: Self = Self::EPSILON / 2.0;
    const LARGE: Self = 1.0 / Self::EPSILON;
    const SMALL: Self = Self::EPSILON;

    fn of(x: f64) -> Self {
        x
    }

    fn double(self) -> f64 {
        self
    }

    fn ln_gamma(self) -> Self {
        libm::lgamma(self)
    }
}

/// The polynomial of these coefficients, that of the highest power first.
pub(super) fn polynomial<T: Precision>(x: T, coefficients: &[f64]) -> T {
    coefficients.iter().map(|&c| T::of(c)).reduce(|sum, c| sum * x + c).unwrap_or_else(T::zero)
}

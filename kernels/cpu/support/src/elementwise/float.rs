//! Lanes of floating point: single, double and complex.

use num_traits::ToPrimitive;
use oplink::prelude::*;

use super::{Arithmetic, Signed};
use oplink_vmath::loops::{MathFunction, MathFunction2, map, map_function, zip, zip_function};

/// Single and double precision.
pub trait FloatLane: Signed + Float {
    /// Writes `F` of each input to the output of the same length.
    fn map_function<F: MathFunction>(input: &[Self], output: &mut [Self]);
    /// Writes `F` of each pair to the output; all three have the same length.
    fn zip_function<F: MathFunction2>(left: &[Self], right: &[Self], output: &mut [Self]);
    /// From double precision.
    fn from_f64(value: f64) -> Self;
}

impl FloatLane for f32 {
    fn map_function<F: MathFunction>(input: &[Self], output: &mut [Self]) {
        map_function::<F>(input, output);
    }
    fn zip_function<F: MathFunction2>(left: &[Self], right: &[Self], output: &mut [Self]) {
        zip_function::<F>(left, right, output);
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
}

impl FloatLane for f64 {
    fn map_function<F: MathFunction>(input: &[Self], output: &mut [Self]) {
        map(input, output, F::double);
    }
    fn zip_function<F: MathFunction2>(left: &[Self], right: &[Self], output: &mut [Self]) {
        zip(left, right, output, F::double);
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
}

/// Complex numbers.
pub trait ComplexLane: Arithmetic {
    /// In double precision.
    fn to_double(self) -> Complex<f64>;
    /// From double precision, rounded.
    fn from_double(value: Complex<f64>) -> Self;
    /// The complex conjugate.
    fn conjugate(self) -> Self;

    /// `f` of the number, computed in double precision.
    #[inline]
    fn through_double(self, f: fn(Complex<f64>) -> Complex<f64>) -> Self {
        Self::from_double(f(self.to_double()))
    }
}

macro_rules! complex {
    ($($part:ty),*) => {$(
        impl ComplexLane for Complex<$part> {
            #[inline]
            fn to_double(self) -> Complex<f64> {
                Complex::new(self.re.to_f64().unwrap_or(f64::NAN), self.im.to_f64().unwrap_or(f64::NAN))
            }
            #[inline]
            fn from_double(value: Complex<f64>) -> Self { Self::new(value.re as $part, value.im as $part) }
            #[inline]
            fn conjugate(self) -> Self { self.conj() }
        }
    )*};
}

complex!(f32, f64);

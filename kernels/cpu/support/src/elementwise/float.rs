//! Computed of floating point: single and double.

use oplink::prelude::*;

use super::Signed;
use oplink_vmath::loops::{MathFunction, change_function, change_shifted};

/// Single and double precision.
pub trait ComputeFloat: Signed + Float {
    /// Replaces each number by `F` of it.
    fn change_function<F: MathFunction>(values: &mut [Self]);
    /// Replaces each number by `F` of what it is above `shift`.
    fn change_shifted<F: MathFunction>(values: &mut [Self], shift: Self);
    /// From double precision.
    fn from_f64(value: f64) -> Self;
}

impl ComputeFloat for f32 {
    fn change_function<F: MathFunction>(values: &mut [Self]) {
        change_function::<F>(values);
    }
    fn change_shifted<F: MathFunction>(values: &mut [Self], shift: Self) {
        change_shifted::<F>(values, shift);
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
}

impl ComputeFloat for f64 {
    fn change_function<F: MathFunction>(values: &mut [Self]) {
        values.iter_mut().for_each(|value| *value = F::double(*value));
    }
    fn change_shifted<F: MathFunction>(values: &mut [Self], shift: Self) {
        values.iter_mut().for_each(|value| *value = F::double(*value - shift));
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
}

//! Computed of floating point: single and double.

use oplink::prelude::*;

use super::Signed;
use oplink_vmath::loops::{MathFunction, map, map_function};

/// Single and double precision.
pub trait ComputeFloat: Signed + Float {
    /// Writes `F` of each input to the output of the same length.
    fn map_function<F: MathFunction>(input: &[Self], output: &mut [Self]);
    /// From double precision.
    fn from_f64(value: f64) -> Self;
}

impl ComputeFloat for f32 {
    fn map_function<F: MathFunction>(input: &[Self], output: &mut [Self]) {
        map_function::<F>(input, output);
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as f32
    }
}

impl ComputeFloat for f64 {
    fn map_function<F: MathFunction>(input: &[Self], output: &mut [Self]) {
        map(input, output, F::double);
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }
}

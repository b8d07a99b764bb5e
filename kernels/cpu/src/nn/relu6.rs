//! `Relu6`: each feature limited to 0..=6.
//!
//! Elementwise; the output has the shape of the input and reuses its memory where it can. NaN stays NaN, and negative
//! zero stays negative zero.

use oplink::prelude::*;

use super::relu_lane::ReluLane;
use crate::support::elementwise::{Arithmetic, Lanes, unary};

/// Each feature limited to 0..=6.
#[op("Relu6",
     input = "features: T",
     output = "activations: T",
     attr = "T: realnumbertype",
     shape = shape_fns::unchanged)]
pub struct Relu6;

/// `Relu6` for every real number.
#[kernel(Relu6, device = CPU, T = [reals])]
pub fn relu6_cpu<T: Lanes<Lane: ReluLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |x| {
        let x = if x < T::Lane::ZERO { T::Lane::ZERO } else { x };
        if x > T::Lane::SIX { T::Lane::SIX } else { x }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    const NAN: f32 = f32::NAN;

    fn bits(values: &[f32]) -> Vec<u32> {
        values.iter().map(|v| if v.is_nan() { f32::NAN.to_bits() } else { v.to_bits() }).collect()
    }

    #[test]
    fn special_values() {
        let features = [NAN, -0.0, 0.0, -1.0, 5.0, 7.0, f32::INFINITY, f32::NEG_INFINITY];
        let expected = [NAN, -0.0, 0.0, 0.0, 5.0, 6.0, 6.0, 0.0];
        let out = run_one("Relu6", vec![Tensor::from_slice(&features)]).unwrap();
        assert_eq!(bits(out.as_slice().unwrap()), bits(&expected));
    }

    #[test]
    fn integers() {
        let out = run_one("Relu6", vec![Tensor::from_slice(&[-3i8, 5, 100])]).unwrap();
        assert_eq!(out.as_slice::<i8>().unwrap(), [0, 5, 6]);
    }
}

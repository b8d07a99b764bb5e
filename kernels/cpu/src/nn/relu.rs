//! `Relu`: the larger of 0 and each feature.
//!
//! Elementwise; the output has the shape of the input and reuses its memory where it can. NaN stays NaN, and negative
//! zero stays negative zero.

use oplink::prelude::*;

use super::relu_lane::ReluLane;
use crate::support::elementwise::{Arithmetic, Lanes, unary};

/// The larger of 0 and each feature.
#[op("Relu",
     input = "features: T",
     output = "activations: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8}",
     shape = shape_fns::unchanged)]
pub struct Relu;

/// `Relu` for every real number.
#[kernel(Relu, device = CPU, T = [reals])]
pub fn relu_cpu<T: Lanes<Lane: ReluLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |x| if x < T::Lane::ZERO { T::Lane::ZERO } else { x })
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
        let expected = [NAN, -0.0, 0.0, 0.0, 5.0, 7.0, f32::INFINITY, 0.0];
        let out = run_one("Relu", vec![Tensor::from_slice(&features)]).unwrap();
        assert_eq!(bits(out.as_slice().unwrap()), bits(&expected));
    }

    #[test]
    fn integers() {
        let out = run_one("Relu", vec![Tensor::from_slice(&[-3i8, 5, 100])]).unwrap();
        assert_eq!(out.as_slice::<i8>().unwrap(), [0, 5, 100]);
    }
}

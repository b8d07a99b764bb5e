//! `Elu`: `exp(x) - 1` for negative features, the feature otherwise.
//!
//! Elementwise on floats; the output has the shape of the input and reuses its memory where it can. The 16-bit floats
//! are computed in f32. NaN stays NaN.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// `exp(x) - 1` for negative features, the feature otherwise.
#[op("Elu",
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Elu;

struct EluFunction;

impl MathFunction for EluFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        if x < 0.0 { vector::expm1::<FUSED>(x) } else { x }
    }
    fn double(x: f64) -> f64 {
        if x < 0.0 { x.exp_m1() } else { x }
    }
}

/// `Elu` for the floats.
#[kernel(Elu, device = CPU, T = [floats])]
pub fn elu_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, EluFunction>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn special_values() {
        let features = Tensor::from_slice(&[f32::NAN, -0.0, -1.0, 2.0, f32::INFINITY, f32::NEG_INFINITY]);
        let expected = [f32::NAN, 0.0, -0.632_120_55, 2.0, f32::INFINITY, -1.0];
        assert_close(&run_one("Elu", vec![features]).unwrap(), &Tensor::from_slice(&expected), 4.0);
    }
}

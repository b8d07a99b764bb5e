//! `Selu`: `scale * alpha * (exp(x) - 1)` for negative features, `scale * x` otherwise.
//!
//! Elementwise on floats; the output has the shape of the input and reuses its memory where it can. The 16-bit floats
//! are computed in f32. NaN stays NaN.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// `scale * alpha * (exp(x) - 1)` for negative features, `scale * x` otherwise.
#[op("Selu",
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Selu;

/// The scale of `Selu`.
const SCALE: f64 = 1.050_700_987_355_480_5;
/// The scale of `Selu` times its alpha.
const SCALE_ALPHA: f64 = 1.758_099_340_847_376_8;

struct SeluFunction;

impl MathFunction for SeluFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        if x < 0.0 { SCALE_ALPHA as f32 * vector::expm1::<FUSED>(x) } else { SCALE as f32 * x }
    }
    fn double(x: f64) -> f64 {
        if x < 0.0 { SCALE_ALPHA * x.exp_m1() } else { SCALE * x }
    }
}

/// `Selu` for the floats.
#[kernel(Selu, device = CPU, T = [floats])]
pub fn selu_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, SeluFunction>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn special_values() {
        let features = Tensor::from_slice(&[f32::NAN, -0.0, -1.0, 2.0, f32::INFINITY, f32::NEG_INFINITY]);
        let expected = [f32::NAN, 0.0, -1.111_330_7, 2.101_402, f32::INFINITY, -1.758_099_3];
        assert_close(&run_one("Selu", vec![features]).unwrap(), &Tensor::from_slice(&expected), 4.0);
    }
}

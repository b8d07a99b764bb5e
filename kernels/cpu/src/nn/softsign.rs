//! `Softsign`: `x / (abs(x) + 1)`.
//!
//! Elementwise on floats; the output has the shape of the input and reuses its memory where it can. The 16-bit floats
//! are computed in f32. NaN stays NaN.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::vectorize::MathFunction;

/// `x / (abs(x) + 1)`.
#[op("Softsign",
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Softsign;

struct SoftsignFunction;

impl MathFunction for SoftsignFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        x / (x.abs() + 1.0)
    }
    fn double(x: f64) -> f64 {
        x / (x.abs() + 1.0)
    }
}

/// `Softsign` for the floats.
#[kernel(Softsign, device = CPU, T = [floats])]
pub fn softsign_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, SoftsignFunction>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn special_values() {
        let features = Tensor::from_slice(&[f32::NAN, -0.0, -1.0, 2.0, f32::INFINITY, f32::NEG_INFINITY]);
        let expected = [f32::NAN, 0.0, -0.5, 0.666_666_7, f32::NAN, f32::NAN];
        assert_close(&run_one("Softsign", vec![features]).unwrap(), &Tensor::from_slice(&expected), 4.0);
    }
}

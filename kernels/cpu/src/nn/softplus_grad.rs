//! `SoftplusGrad`: `gradients / (exp(-features) + 1)`.
//!
//! Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit floats
//! are computed in f32.

use oplink::prelude::*;

use super::relu_lane::same_shapes;
use crate::support::elementwise::{FloatLane, Lanes, binary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction2;

/// `gradients / (exp(-features) + 1)`.
#[op("SoftplusGrad",
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::merge_inputs)]
pub struct SoftplusGrad;

struct SoftplusGradFunction;

impl MathFunction2 for SoftplusGradFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(gradient: f32, x: f32) -> f32 {
        gradient / (vector::exp::<FUSED>(-x) + 1.0)
    }
    fn double(gradient: f64, x: f64) -> f64 {
        gradient / ((-x).exp() + 1.0)
    }
}

/// `SoftplusGrad` for the floats.
#[kernel(SoftplusGrad, device = CPU, T = [floats])]
pub fn softplus_grad_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_shapes(context)?;
    binary_function::<T, SoftplusGradFunction>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn gradients_of_each_part() {
        let features = Tensor::from_slice::<f32>(&[0.0, -1.0, f32::INFINITY, f32::NEG_INFINITY]);
        let gradients = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0]);
        let out = run_one("SoftplusGrad", vec![gradients.clone(), features]).unwrap();
        assert_close(&out, &Tensor::from_slice::<f32>(&[0.5, 0.537_882_86, 3.0, 0.0]), 2.0);
        assert!(run_one("SoftplusGrad", vec![gradients, Tensor::scalar(1f32)]).is_err());
    }
}

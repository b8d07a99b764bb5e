//! `SeluGrad`: `gradients * (outputs + scale * alpha)` where `outputs` are negative, `gradients * scale` elsewhere.
//!
//! Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit floats
//! are computed in f32.

use oplink::prelude::*;

use super::relu_lane::same_shapes;
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes, binary};

/// The scale of `Selu`.
const SCALE: f64 = 1.050_700_987_355_480_5;
/// The scale of `Selu` times its alpha; the product of the rounded factors would be an ulp less.
const SCALE_ALPHA: f64 = 1.758_099_340_847_376_8;

/// `gradients * (outputs + scale * alpha)` where `outputs` are negative, `gradients * scale` elsewhere.
#[op("SeluGrad",
     input = "gradients: T",
     input = "outputs: T",
     output = "backprops: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::merge_inputs)]
pub struct SeluGrad;

/// `SeluGrad` for the floats.
#[kernel(SeluGrad, device = CPU, T = [floats])]
pub fn selu_grad_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_shapes(context)?;
    let (scale, scale_alpha) = (T::Lane::from_f64(SCALE), T::Lane::from_f64(SCALE_ALPHA));
    binary::<T>(context, move |gradient, y| {
        let slope = if y < T::Lane::ZERO { Arithmetic::add(y, scale_alpha) } else { scale };
        Arithmetic::mul(gradient, slope)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn gradients_of_each_part() {
        let outputs = Tensor::from_slice::<f32>(&[-0.5, 0.0, 2.0, -1.0]);
        let gradients = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0]);
        let out = run_one("SeluGrad", vec![gradients.clone(), outputs]).unwrap();
        assert_close(&out, &Tensor::from_slice::<f32>(&[1.258_099_3, 2.101_402, 3.152_103, 3.032_397_3]), 2.0);
        assert!(run_one("SeluGrad", vec![gradients, Tensor::scalar(1f32)]).is_err());
    }
}

//! `EluGrad`: `gradients * (outputs + 1)` where `outputs` are negative, `gradients` elsewhere.
//!
//! Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit floats
//! are computed in f32.

use oplink::prelude::*;

use super::relu_lane::same_shapes;
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes, binary};

/// `gradients * (outputs + 1)` where `outputs` are negative, `gradients` elsewhere.
#[op("EluGrad",
     input = "gradients: T",
     input = "outputs: T",
     output = "backprops: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::merge_inputs)]
pub struct EluGrad;

/// `EluGrad` for the floats.
#[kernel(EluGrad, device = CPU, T = [floats])]
pub fn elu_grad_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_shapes(context)?;
    binary::<T>(context, |gradient, y| {
        if y < T::Lane::ZERO { Arithmetic::mul(Arithmetic::add(y, T::Lane::ONE), gradient) } else { gradient }
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
        let out = run_one("EluGrad", vec![gradients.clone(), outputs]).unwrap();
        assert_close(&out, &Tensor::from_slice::<f32>(&[0.5, 2.0, 3.0, 0.0]), 1.0);
        assert!(run_one("EluGrad", vec![gradients, Tensor::scalar(1f32)]).is_err());
    }
}

//! `SoftsignGrad`: `gradients / (1 + |features|)^2`.
//!
//! Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit floats
//! are computed in f32.

use oplink::prelude::*;

use super::relu_lane::same_shapes;
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes, Signed, binary};

/// `gradients / (1 + |features|)^2`.
#[op("SoftsignGrad",
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::merge_inputs)]
pub struct SoftsignGrad;

/// `SoftsignGrad` for the floats.
#[kernel(SoftsignGrad, device = CPU, T = [floats])]
pub fn softsign_grad_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_shapes(context)?;
    binary::<T>(context, |gradient, x| {
        let root = Arithmetic::add(T::Lane::ONE, Signed::abs(x));
        gradient / Arithmetic::mul(root, root)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn gradients_of_each_part() {
        let features = Tensor::from_slice::<f32>(&[0.0, -1.0, f32::INFINITY, 3.0]);
        let gradients = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0]);
        let out = run_one("SoftsignGrad", vec![gradients.clone(), features]).unwrap();
        assert_close(&out, &Tensor::from_slice::<f32>(&[1.0, 0.5, 0.0, 0.25]), 1.0);
        assert!(run_one("SoftsignGrad", vec![gradients, Tensor::scalar(1f32)]).is_err());
    }
}

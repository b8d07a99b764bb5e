//! `Relu6Grad`: `gradients` where `features` are between 0 and 6, 0 elsewhere.
//!
//! Elementwise; both inputs have one shape, and the output reuses the memory of one where it can. 0 where the feature
//! is NaN. The gradient is multiplied by 1 or 0: an infinite one or NaN gives NaN where it does not pass.

use oplink::prelude::*;

use super::relu_lane::{ReluLane, same_shapes};
use crate::support::elementwise::{Arithmetic, Lanes, binary};

/// The gradient of `Relu6`: `gradients` where `features` are between 0 and 6, 0 elsewhere.
#[op("Relu6Grad",
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: realnumbertype",
     shape = shape_fns::merge_inputs)]
pub struct Relu6Grad;

/// `Relu6Grad` for every real number.
#[kernel(Relu6Grad, device = CPU, T = [reals])]
pub fn relu6_grad_cpu<T: Lanes<Lane: ReluLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_shapes(context)?;
    binary::<T>(context, |gradient, x| {
        gradient.mul(if x > T::Lane::ZERO && x < T::Lane::SIX { T::Lane::ONE } else { T::Lane::ZERO })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn gradients_pass_where_features_do() {
        let features = Tensor::from_slice(&[f32::NAN, 0.0, 3.0, 6.0, 7.0]);
        let gradients = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0, 5.0]);
        let out = run_one("Relu6Grad", vec![gradients.clone(), features]).unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), [0.0, 0.0, 3.0, 0.0, 0.0]);
        assert!(run_one("Relu6Grad", vec![gradients, Tensor::scalar(1f32)]).is_err());
    }
}

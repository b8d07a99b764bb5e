//! `ReluGrad`: `gradients` where `features` are above 0, 0 elsewhere.
//!
//! Elementwise; both inputs have one shape, and the output reuses the memory of one where it can. 0 where the feature
//! is NaN. The gradient is multiplied by 1 or 0: an infinite one or NaN gives NaN where the feature is not above 0.

use oplink::prelude::*;

use super::relu_lane::{ReluLane, same_shapes};
use crate::support::elementwise::{Arithmetic, Lanes, binary};

/// The gradient of `Relu`: `gradients` where `features` are above 0, 0 elsewhere.
#[op("ReluGrad",
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: realnumbertype",
     shape = shape_fns::merge_inputs)]
pub struct ReluGrad;

/// `ReluGrad` for every real number.
#[kernel(ReluGrad, device = CPU, T = [reals])]
pub fn relu_grad_cpu<T: Lanes<Lane: ReluLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_shapes(context)?;
    binary::<T>(context, |gradient, x| gradient.mul(if x > T::Lane::ZERO { T::Lane::ONE } else { T::Lane::ZERO }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    #[test]
    fn gradients_pass_where_features_do() {
        let features = Tensor::from_slice(&[f32::NAN, 0.0, 3.0, 6.0, 7.0]);
        let gradients = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0, 5.0]);
        let out = run_one("ReluGrad", vec![gradients.clone(), features]).unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), [0.0, 0.0, 3.0, 4.0, 5.0]);
        assert!(run_one("ReluGrad", vec![gradients, Tensor::scalar(1f32)]).is_err());
        let gradients = Tensor::from([-1f32, f32::INFINITY]);
        let out = run_one("ReluGrad", vec![gradients, Tensor::from([0f32, -1.0])]).unwrap();
        let out = out.as_slice::<f32>().unwrap();
        assert!(out[0].is_sign_negative() && out[1].is_nan(), "{out:?}");
    }
}

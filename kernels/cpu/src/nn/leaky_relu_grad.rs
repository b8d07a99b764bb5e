//! `LeakyReluGrad`: `gradients` where `features` are above 0, `alpha * gradients` elsewhere.
//!
//! Elementwise on floats; both inputs have one shape, and the output reuses the memory of one where it can. The 16-bit floats
//! are computed in f32.

use oplink::prelude::*;

use super::relu_lane::same_shapes;
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes, binary};

/// `gradients` where `features` are above 0, `alpha * gradients` elsewhere.
#[op("LeakyReluGrad",
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "alpha: float = 0.2",
     attr = "T: {half, bfloat16, float, double} = DT_FLOAT",
     shape = shape_fns::merge_inputs)]
pub struct LeakyReluGrad;

/// `LeakyReluGrad` for the floats.
#[kernel(LeakyReluGrad, device = CPU, T = [floats])]
pub fn leaky_relu_grad_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_shapes(context)?;
    let alpha = T::Lane::from_f64(f64::from(context.attr::<f32>("alpha")?));
    binary::<T>(context, move |gradient, x| if x > T::Lane::ZERO { gradient } else { Arithmetic::mul(gradient, alpha) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn gradients_of_each_part() {
        let features = Tensor::from_slice::<f32>(&[-0.5, 0.0, 2.0, f32::NAN]);
        let gradients = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0]);
        let out = run_one("LeakyReluGrad", vec![gradients.clone(), features]).unwrap();
        assert_close(&out, &Tensor::from_slice::<f32>(&[0.2, 0.4, 3.0, 0.8]), 1.0);
        assert!(run_one("LeakyReluGrad", vec![gradients, Tensor::scalar(1f32)]).is_err());
    }
}

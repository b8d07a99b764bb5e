//! `LeakyRelu`: each feature, negative ones multiplied by `alpha`.
//!
//! Elementwise; the output has the shape of the input and reuses its memory where it can. NaN stays NaN, and negative
//! zero stays negative zero.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, FloatLane, Lanes, unary};

/// Each feature, negative ones multiplied by `alpha`.
#[op("LeakyRelu",
     input = "features: T",
     output = "activations: T",
     attr = "alpha: float = 0.2",
     attr = "T: {half, bfloat16, float, double} = DT_FLOAT",
     shape = shape_fns::unchanged)]
pub struct LeakyRelu;

/// `LeakyRelu` for the floats.
#[kernel(LeakyRelu, device = CPU, T = [floats])]
pub fn leaky_relu_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    let alpha = T::Lane::from_f64(f64::from(context.attr::<f32>("alpha")?));
    unary::<T>(context, move |x| if x > T::Lane::ZERO { x } else { Arithmetic::mul(x, alpha) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{run, run_one};

    const NAN: f32 = f32::NAN;

    fn bits(values: &[f32]) -> Vec<u32> {
        values.iter().map(|v| if v.is_nan() { f32::NAN.to_bits() } else { v.to_bits() }).collect()
    }

    #[test]
    fn special_values() {
        let features = [NAN, -0.0, 0.0, -1.0, 5.0, 7.0, f32::INFINITY, f32::NEG_INFINITY];
        let expected = [NAN, -0.0, 0.0, -0.2, 5.0, 7.0, f32::INFINITY, f32::NEG_INFINITY];
        let out = run_one("LeakyRelu", vec![Tensor::from_slice(&features)]).unwrap();
        assert_eq!(bits(out.as_slice().unwrap()), bits(&expected));
    }

    #[test]
    fn alpha_may_exceed_one() {
        let out = run("LeakyRelu", &[("alpha", 2.0.into())], vec![Tensor::scalar(-1f32)]).unwrap();
        assert_eq!(out[0].to_scalar::<f32>().unwrap(), -2.0);
    }
}

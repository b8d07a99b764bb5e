//! `Relu`, `Relu6`, `LeakyRelu` and the gradients of the first two.
//!
//! Elementwise; the output has the shape of the input and reuses its memory where it can. NaN stays NaN, and negative
//! zero stays negative zero.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, FloatLane, Lanes, binary, unary};

/// The larger of 0 and each feature.
#[op("Relu",
     input = "features: T",
     output = "activations: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8}",
     shape = shape_fns::unchanged)]
pub struct Relu;

/// Each feature limited to 0..=6.
#[op("Relu6",
     input = "features: T",
     output = "activations: T",
     attr = "T: realnumbertype",
     shape = shape_fns::unchanged)]
pub struct Relu6;

/// Each feature, negative ones multiplied by `alpha`.
#[op("LeakyRelu",
     input = "features: T",
     output = "activations: T",
     attr = "alpha: float = 0.2",
     attr = "T: {half, bfloat16, float, double} = DT_FLOAT",
     shape = shape_fns::unchanged)]
pub struct LeakyRelu;

/// The gradient of `Relu`: `gradients` where `features` are above 0, 0 elsewhere.
#[op("ReluGrad",
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: realnumbertype",
     shape = shape_fns::merge_inputs)]
pub struct ReluGrad;

/// The gradient of `Relu6`: `gradients` where `features` are between 0 and 6, 0 elsewhere.
#[op("Relu6Grad",
     input = "gradients: T",
     input = "features: T",
     output = "backprops: T",
     attr = "T: realnumbertype",
     shape = shape_fns::merge_inputs)]
pub struct Relu6Grad;

/// A lane with an order that holds the numbers 0 and 6.
pub trait ReluLane: Arithmetic + PartialOrd {
    /// 6.
    const SIX: Self;
}

macro_rules! relu_lanes {
    ($($ty:ty: $six:literal),*) => {$(
        impl ReluLane for $ty {
            const SIX: Self = $six;
        }
    )*};
}

relu_lanes!(f32: 6.0, f64: 6.0, i8: 6, i16: 6, i32: 6, i64: 6, u8: 6, u16: 6, u32: 6, u64: 6);

/// `Relu` for every real number.
#[kernel(Relu, device = CPU, T = [reals])]
pub fn relu_cpu<T: Lanes<Lane: ReluLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |x| if x < T::Lane::ZERO { T::Lane::ZERO } else { x })
}

/// `Relu6` for every real number.
#[kernel(Relu6, device = CPU, T = [reals])]
pub fn relu6_cpu<T: Lanes<Lane: ReluLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |x| {
        let x = if x < T::Lane::ZERO { T::Lane::ZERO } else { x };
        if x > T::Lane::SIX { T::Lane::SIX } else { x }
    })
}

/// `LeakyRelu` for the floats.
#[kernel(LeakyRelu, device = CPU, T = [floats])]
pub fn leaky_relu_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    let alpha = T::Lane::from_f64(f64::from(context.attr::<f32>("alpha")?));
    unary::<T>(context, move |x| if x > T::Lane::ZERO { x } else { Arithmetic::mul(x, alpha) })
}

/// `ReluGrad` for every real number.
#[kernel(ReluGrad, device = CPU, T = [reals])]
pub fn relu_grad_cpu<T: Lanes<Lane: ReluLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_shapes(context)?;
    binary::<T>(context, |gradient, x| if x > T::Lane::ZERO { gradient } else { T::Lane::ZERO })
}

/// `Relu6Grad` for every real number.
#[kernel(Relu6Grad, device = CPU, T = [reals])]
pub fn relu6_grad_cpu<T: Lanes<Lane: ReluLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    same_shapes(context)?;
    binary::<T>(context, |gradient, x| if x > T::Lane::ZERO && x < T::Lane::SIX { gradient } else { T::Lane::ZERO })
}

/// Fails unless the first two inputs have one shape.
pub(super) fn same_shapes(context: &KernelContext<'_>) -> Result<()> {
    let (a, b) = (context.input(0).shape(), context.input(1).shape());
    ensure!(a == b, "the inputs of {} must have the same shape, they are {a} and {b}", context.node().op.name);
    Ok(())
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
    fn activations() {
        let features = [NAN, -0.0, 0.0, -1.0, 5.0, 7.0, f32::INFINITY, f32::NEG_INFINITY];
        let cases = [
            ("Relu", [NAN, -0.0, 0.0, 0.0, 5.0, 7.0, f32::INFINITY, 0.0]),
            ("Relu6", [NAN, -0.0, 0.0, 0.0, 5.0, 6.0, 6.0, 0.0]),
            ("LeakyRelu", [NAN, -0.0, 0.0, -0.2, 5.0, 7.0, f32::INFINITY, f32::NEG_INFINITY]),
        ];
        for (op, expected) in cases {
            let out = run_one(op, vec![Tensor::from_slice(&features)]).unwrap();
            assert_eq!(bits(out.as_slice().unwrap()), bits(&expected), "{op}");
        }
        let out = run("LeakyRelu", &[("alpha", 2.0.into())], vec![Tensor::scalar(-1f32)]).unwrap();
        assert_eq!(out[0].to_scalar::<f32>().unwrap(), -2.0);
    }

    #[test]
    fn gradients() {
        let features = Tensor::from_slice(&[NAN, 0.0, 3.0, 6.0, 7.0]);
        let gradients = Tensor::from_slice(&[1f32, 2.0, 3.0, 4.0, 5.0]);
        for (op, expected) in [("ReluGrad", [0f32, 0.0, 3.0, 4.0, 5.0]), ("Relu6Grad", [0.0, 0.0, 3.0, 0.0, 0.0])] {
            let out = run_one(op, vec![gradients.clone(), features.clone()]).unwrap();
            assert_eq!(out.as_slice::<f32>().unwrap(), expected, "{op}");
            assert!(run_one(op, vec![gradients.clone(), Tensor::scalar(1f32)]).is_err());
        }
    }
}

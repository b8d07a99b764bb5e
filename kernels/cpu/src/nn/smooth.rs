//! `Elu`, `Selu`, `Softplus` and `Softsign`.
//!
//! Elementwise on floats; the output has the shape of the input and reuses its memory where it can. The 16-bit floats
//! are computed in f32. NaN stays NaN.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// `exp(x) - 1` for negative features, the feature otherwise.
#[op("Elu",
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Elu;

/// `scale * alpha * (exp(x) - 1)` for negative features, `scale * x` otherwise.
#[op("Selu",
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Selu;

/// `log(exp(x) + 1)`.
#[op("Softplus",
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Softplus;

/// `x / (abs(x) + 1)`.
#[op("Softsign",
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Softsign;

/// The scale of `Selu`.
const SCALE: f64 = 1.050_700_987_355_480_5;
/// The scale of `Selu` times its alpha.
const SCALE_ALPHA: f64 = 1.758_099_340_847_376_6;

struct EluFunction;
struct SeluFunction;
struct SoftplusFunction;
struct SoftsignFunction;

impl MathFunction for EluFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        if x < 0.0 { vector::expm1::<FUSED>(x) } else { x }
    }
    fn double(x: f64) -> f64 {
        if x < 0.0 { x.exp_m1() } else { x }
    }
}

impl MathFunction for SeluFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        if x < 0.0 { SCALE_ALPHA as f32 * vector::expm1::<FUSED>(x) } else { SCALE as f32 * x }
    }
    fn double(x: f64) -> f64 {
        if x < 0.0 { SCALE_ALPHA * x.exp_m1() } else { SCALE * x }
    }
}

impl MathFunction for SoftplusFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        let rest = vector::log1p::<FUSED>(vector::exp::<FUSED>(-x.abs()));
        if x > 0.0 { x + rest } else { rest }
    }
    fn double(x: f64) -> f64 {
        let rest = (-x.abs()).exp().ln_1p();
        if x > 0.0 { x + rest } else { rest }
    }
}

impl MathFunction for SoftsignFunction {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        x / (x.abs() + 1.0)
    }
    fn double(x: f64) -> f64 {
        x / (x.abs() + 1.0)
    }
}

/// `Elu` for the floats.
#[kernel(Elu, device = CPU, T = [floats])]
pub fn elu_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, EluFunction>(context)
}

/// `Selu` for the floats.
#[kernel(Selu, device = CPU, T = [floats])]
pub fn selu_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, SeluFunction>(context)
}

/// `Softplus` for the floats.
#[kernel(Softplus, device = CPU, T = [floats])]
pub fn softplus_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, SoftplusFunction>(context)
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
    fn activations() {
        let features = [f32::NAN, -0.0, -1.0, 2.0, f32::INFINITY, f32::NEG_INFINITY];
        let (nan, inf) = (f32::NAN, f32::INFINITY);
        let cases = [
            ("Elu", [nan, 0.0, -0.632_120_55, 2.0, inf, -1.0]),
            ("Selu", [nan, 0.0, -1.111_330_7, 2.101_402, inf, -1.758_099_3]),
            ("Softplus", [nan, std::f32::consts::LN_2, 0.313_261_7, 2.126_928, inf, 0.0]),
            ("Softsign", [nan, 0.0, -0.5, 0.666_666_7, nan, nan]),
        ];
        for (op, expected) in cases {
            let out = run_one(op, vec![Tensor::from_slice(&features)]).unwrap();
            assert_close(&out, &Tensor::from_slice(&expected), 4.0);
        }
    }
}

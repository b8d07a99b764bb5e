//! `Softplus`: `log(exp(x) + 1)`.
//!
//! Elementwise on floats; the output has the shape of the input and reuses its memory where it can. The 16-bit floats
//! are computed in f32. NaN stays NaN.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// `log(exp(x) + 1)`.
#[op("Softplus",
     input = "features: T",
     output = "activations: T",
     attr = "T: {half, bfloat16, float, double}",
     shape = shape_fns::unchanged)]
pub struct Softplus;

struct SoftplusFunction;

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

/// `Softplus` for the floats.
#[kernel(Softplus, device = CPU, T = [floats])]
pub fn softplus_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, SoftplusFunction>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{assert_close, run_one};

    #[test]
    fn special_values() {
        let features = Tensor::from_slice(&[f32::NAN, -0.0, -1.0, 2.0, f32::INFINITY, f32::NEG_INFINITY]);
        let expected = [f32::NAN, std::f32::consts::LN_2, 0.313_261_7, 2.126_928, f32::INFINITY, 0.0];
        assert_close(&run_one("Softplus", vec![features]).unwrap(), &Tensor::from_slice(&expected), 4.0);
    }
}

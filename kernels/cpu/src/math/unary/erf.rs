//! `Erf`: the error function.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, unary_function};
use crate::support::vector;
use crate::support::vectorize::MathFunction;

/// Computes the Gauss error function of `x`.
#[op(
    "Erf",
    input = "x: T",
    output = "y: T",
    attr = "T: {bfloat16, half, float, double}",
    shape = shape_fns::unchanged,
)]
pub struct Erf;

#[kernel(Erf, device = CPU, T = [f16, bf16, f32, f64])]
fn erf_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary_function::<T, Erf>(context)
}

impl MathFunction for Erf {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32) -> f32 {
        vector::erf::<FUSED>(x)
    }

    fn double(x: f64) -> f64 {
        libm::erf(x)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Erf",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-0.99532235f32, -0.5204999, -0.0, 0.0, 0.5204999, 0.999978, 1.0, -1.0, f32::NAN],
        );
        check("Erf", [[1.0e-6f32, 0.9, 1.1, 4.5].into()], [1.1283792e-6f32, 0.7969082, 0.8802051, 1.0]);
        check("Erf", [[-0.5f64, 2.0].into()], [-0.5204998778130466f64, 0.9953222650189527]);
    }
}

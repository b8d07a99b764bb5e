//! `Zeta`: the Hurwitz zeta function.

use oplink::prelude::*;

use crate::support::elementwise::{FloatLane, Lanes, binary_function};
use crate::support::special;
use crate::support::vectorize::MathFunction2;

/// Computes the sum of `(q + k)^-x` over k = 0, 1, ….
///
/// Infinite at `x = 1`, NaN below; infinite or NaN where `q` is 0 or a negative integer.
///
/// The shapes of the inputs broadcast.
#[op(
    "Zeta",
    input = "x: T",
    input = "q: T",
    output = "z: T",
    attr = "T: {float, double}",
    shape = shape_fns::broadcast_binary,
)]
pub struct Zeta;

#[kernel(Zeta, device = CPU, T = [f32, f64])]
fn zeta_cpu<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary_function::<T, Zeta>(context)
}

impl MathFunction2 for Zeta {
    #[inline(always)]
    fn single<const FUSED: bool>(x: f32, q: f32) -> f32 {
        special::zeta(x, q)
    }

    fn double(x: f64, q: f64) -> f64 {
        special::zeta(x, q)
    }
}

#[cfg(test)]
mod tests {
    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Zeta",
            [[2.0f64, 1.0, 0.5, 2.0, 3.0, 1.0].into(), [1.0f64, 1.0, 1.0, 0.0, -1.0, f64::NAN].into()],
            [1.6449340668482264f64, f64::INFINITY, f64::NAN, f64::INFINITY, f64::NAN, f64::INFINITY],
        );
    }
}

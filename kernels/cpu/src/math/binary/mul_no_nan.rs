//! `MulNoNan`: the product, 0 where the second factor is.

use oplink::prelude::*;

use crate::support::elementwise::{Arithmetic, Lanes, binary};

/// Computes `x * y`, and 0 where `y` is 0, even for infinite and NaN `x`.
///
/// The shapes of `x` and `y` broadcast.
#[op(
    "MulNoNan",
    input = "x: T",
    input = "y: T",
    output = "z: T",
    attr = "T: {bfloat16, half, float, double, complex64, complex128}",
    shape = shape_fns::broadcast_binary,
)]
pub struct MulNoNan;

#[kernel(MulNoNan, device = CPU, T = [floats, complex])]
fn mul_no_nan_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| if y == T::Lane::ZERO { T::Lane::ZERO } else { x.mul(y) })
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use crate::support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "MulNoNan",
            [[f32::NAN, 0.0, f32::INFINITY, 2.0].into(), [0.0f32, f32::NAN, 0.0, 3.0].into()],
            [0.0f32, f32::NAN, 0.0, 6.0],
        );
        check(
            "MulNoNan",
            [
                [Complex::new(f32::NAN, 0.0), Complex::new(0.0f32, 3.0)].into(),
                [Complex::new(0.0f32, 0.0), Complex::new(2.0f32, 0.0)].into(),
            ],
            [Complex::new(0.0f32, 0.0), Complex::new(0.0f32, 6.0)],
        );
    }
}

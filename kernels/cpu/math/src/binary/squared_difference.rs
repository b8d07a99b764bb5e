//! `SquaredDifference`: the square of the difference.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, ComplexLane, Lanes, binary};
use oplink_ops::math::SquaredDifference;

#[kernel(SquaredDifference, device = CPU, T = [complex])]
fn squared_difference_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| {
        let difference = x.sub(y);
        difference.mul(difference.conjugate())
    })
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "SquaredDifference",
            [[1.0f32, f32::NAN, -f32::INFINITY, 2.5].into(), [2.0f32, 1.0, 1.0, -1.0].into()],
            [1.0f32, f32::NAN, f32::INFINITY, 12.25],
        );
        check("SquaredDifference", [[-3i32, 50000].into(), [4i32, -50000].into()], [49i32, 1410065408]);
        check(
            "SquaredDifference",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(3.0f32, -1.0)].into()],
            [Complex::new(13.0f32, 0.0)],
        );
    }
}

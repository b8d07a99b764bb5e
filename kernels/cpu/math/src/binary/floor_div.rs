//! `FloorDiv`: the quotient rounded down.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Divide, FloatLane, Lanes, binary, check_divisors};
use oplink_ops::math::FloorDiv;

#[kernel(FloorDiv, device = CPU, T = [floats])]
fn floor_div_cpu<T: Lanes<Lane: Divide + FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| T::from_lane(x / y).to_lane().floor_div(T::Lane::ONE))
}

/// `FloorDiv` of integers, on the host.
#[kernel(FloorDiv, device = CPU, T = [integers])]
pub fn floor_div_integers_cpu<T: Lanes<Lane: Divide>>(context: &mut KernelContext<'_>) -> Result<()> {
    check_divisors::<T>(context)?;
    binary::<T>(context, Divide::floor_div)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "FloorDiv",
            [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
            [3.0f32, -4.0, f32::INFINITY, f32::NAN, -0.0, f32::NAN],
        );
        check(
            "FloorDiv",
            [[7i32, -7, 7, -7, -2147483648, -2147483648].into(), [2i32, 2, -2, -2, -1, 3].into()],
            [3i32, -4, -4, 3, -2147483648, -715827883],
        );
        check_error("FloorDiv", [[1i32, 2].into(), [1i32, 0].into()], "Integer division by zero");
        check(
            "FloorDiv",
            [[f16::from_f32(-2.921875)].into(), [f16::from_f32(-0.0022811889)].into()],
            [f16::from_f32(1281.0)],
        );
        check("FloorDiv", [[0i32; 0].into(), [0i32].into()], [0i32; 0]);
    }
}

//! `TruncateDiv`: the quotient rounded towards zero.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Divide, FloatLane, Lanes, binary, check_divisors};
use oplink_ops::math::TruncateDiv;

#[kernel(TruncateDiv, device = CPU, T = [floats])]
fn truncate_div_cpu<T: Lanes<Lane: Divide + FloatLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| T::from_lane(x / y).to_lane().truncate_div(T::Lane::ONE))
}

/// `TruncateDiv` of integers, on the host.
#[kernel(TruncateDiv, device = CPU, T = [integers])]
pub fn truncate_div_integers_cpu<T: Lanes<Lane: Divide>>(context: &mut KernelContext<'_>) -> Result<()> {
    check_divisors::<T>(context)?;
    binary::<T>(context, Divide::truncate_div)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "TruncateDiv",
            [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
            [3.0f32, -3.0, f32::INFINITY, f32::NAN, -0.0, f32::NAN],
        );
        check(
            "TruncateDiv",
            [[7i32, -7, 7, -7, -2147483648, -2147483648].into(), [2i32, 2, -2, -2, -1, 3].into()],
            [3i32, -3, -3, 3, -2147483648, -715827882],
        );
        check(
            "TruncateDiv",
            [[bf16::from_f32(-4.09375)].into(), [bf16::from_f32(0.37304688)].into()],
            [bf16::from_f32(-11.0)],
        );
        check_error("TruncateDiv", [[1i32, 2].into(), [1i32, 0].into()], "Integer division by zero");
    }
}

//! `TruncateMod`: the remainder of the quotient rounded towards zero.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Divide, Lanes, binary, check_divisors};
use oplink_ops::math::TruncateMod;

/// `TruncateMod` of integers, on the host.
#[kernel(TruncateMod, device = CPU, T = [i32, i64])]
pub fn truncate_mod_integers_cpu<T: Lanes<Lane: Divide>>(context: &mut KernelContext<'_>) -> Result<()> {
    check_divisors::<T>(context)?;
    binary::<T>(context, Divide::truncate_mod)
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "TruncateMod",
            [
                [7.0f32, -7.0, 7.0, -7.0, -3.0, 3.0, -0.0, 5.0, f32::NAN].into(),
                [2.0f32, 2.0, -2.0, -2.0, f32::INFINITY, f32::INFINITY, 3.0, 0.0, 1.0].into(),
            ],
            [1.0f32, -1.0, 1.0, -1.0, -3.0, 3.0, -0.0, f32::NAN, f32::NAN],
        );
        check(
            "TruncateMod",
            [[7i32, -7, 7, -7, -2147483648, -2147483648].into(), [2i32, 2, -2, -2, -1, 3].into()],
            [1i32, -1, 1, -1, 0, -2],
        );
        check_error("TruncateMod", [[1i32, 2].into(), [1i32, 0].into()], "Integer division by zero");
    }
}

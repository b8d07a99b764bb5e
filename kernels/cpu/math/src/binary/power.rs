//! `Pow` of integers, an error where an exponent is negative.

use num_traits::Zero as _;
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Computed, binary};
use oplink_ops::math::Pow;

/// `Pow` of integers.
#[kernel(Pow, device = CPU, T = [i8, i16, i32, i64])]
pub fn pow_integers_cpu<T: Computed<ComputeType: Integer>>(
    x: Input<'_>,
    y: Input<'_>,
    z: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    if x.num_elements() > 0 && y.as_slice::<T>()?.iter().any(|y| y.to_computed() < T::ComputeType::zero()) {
        bail!("Integers to negative integer powers are not allowed");
    }
    binary::<T>(x, y, z, env, power)
}

/// `base` to the power `exponent`, which is 0 or more, by squaring.
#[inline]
fn power<T: Integer>(mut base: T, mut exponent: T) -> T {
    let mut product = T::one();
    while exponent > T::zero() {
        if exponent & T::one() == T::one() {
            product = product.wrapping_mul(&base);
        }
        base = base.wrapping_mul(&base);
        exponent = exponent >> 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Pow",
            [[3i32, -3, 2, 0, 0].into(), [40i32, 41, 31, 0, 5].into()],
            [689956897i32, -2069870691, -2147483648, 1, 0],
        );
        check_error("Pow", [[3i32].into(), [-1i32].into()], "Integers to negative integer powers are not allowed");
    }
}

//! `Pow`: the power.

use num_traits::Zero as _;
use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, binary};
use oplink_ops::math::Pow;

/// `Pow` of integers, on the host.
#[kernel(Pow, device = CPU, T = [i8, i16, i32, i64])]
pub fn pow_integers_cpu<T: Lanes<Lane: Integer>>(context: &mut KernelContext<'_>) -> Result<()> {
    let exponents = context.input(1).as_slice::<T>()?;
    if context.input(0).num_elements() > 0 && exponents.iter().any(|y| y.to_lane() < T::Lane::zero()) {
        bail!("Integers to negative integer powers are not allowed");
    }
    binary::<T>(context, power)
}

#[kernel(Pow, device = CPU, T = [complex])]
fn pow_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| ComplexLane::from_double(complex::pow(x.to_double(), y.to_double())))
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
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Pow",
            [
                [7.0f32, -7.0, -7.0, 0.0, -0.0, -0.0, 5.0, f32::INFINITY, -3.0, 1.0, 2.0, -8.0].into(),
                [2.0f32, -2.0, 3.0, -1.0, -3.0, 3.0, 0.0, 2.0, f32::INFINITY, f32::NAN, 0.5, 0.33333334].into(),
            ],
            [
                49.0f32,
                0.020408163,
                -343.0,
                f32::INFINITY,
                -f32::INFINITY,
                -0.0,
                1.0,
                f32::INFINITY,
                f32::INFINITY,
                1.0,
                1.4142135,
                f32::NAN,
            ],
        );
        check("Pow", [[2.0f64, 0.5].into(), [0.5f64, 1000.0].into()], [1.4142135623730951f64, 9.332636185032189e-302]);
        check(
            "Pow",
            [[3i32, -3, 2, 0, 0].into(), [40i32, 41, 31, 0, 5].into()],
            [689956897i32, -2069870691, -2147483648, 1, 0],
        );
        check_error("Pow", [[3i32].into(), [-1i32].into()], "Integers to negative integer powers are not allowed");
        check(
            "Pow",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(0.0f32, 0.5)].into()],
            [Complex::new(0.52898026f32, 0.22512195)],
        );
    }
}

//! `Div`: the quotient.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Divide, Lanes, binary, check_divisors};
use oplink_ops::math::Div;

/// `Div` of integers, on the host.
#[kernel(Div, device = CPU, T = [integers])]
pub fn div_integers_cpu<T: Lanes<Lane: Divide>>(context: &mut KernelContext<'_>) -> Result<()> {
    check_divisors::<T>(context)?;
    binary::<T>(context, Divide::truncate_div)
}

#[kernel(Div, device = CPU, T = [complex])]
fn div_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| ComplexLane::from_double(complex::div(x.to_double(), y.to_double())))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Div",
            [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
            [3.5f32, -3.5, f32::INFINITY, f32::NAN, -0.0, f32::NAN],
        );
        check(
            "Div",
            [[7i32, -7, 7, -7, -2147483648, -2147483648].into(), [2i32, 2, -2, -2, -1, 3].into()],
            [3i32, -3, -3, 3, -2147483648, -715827882],
        );
        check_error("Div", [[1i32, 2].into(), [1i32, 0].into()], "Integer division by zero");
        check(
            "Div",
            [[Complex::new(1.0f32, 2.0)].into(), [Complex::new(-2.0f32, 1.0)].into()],
            [Complex::new(-0.0f32, -1.0)],
        );
    }
}

//! `Sign`: the sign.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Sign;

#[kernel(Sign, device = CPU, T = [complex])]
fn sign_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::sign))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Sign",
            [[-1.5f32, -0.0, 0.0, 2.0, -f32::INFINITY, f32::NAN].into()],
            [-1.0f32, 0.0, 0.0, 1.0, -1.0, f32::NAN],
        );
        check("Sign", [[-3i32, 0, 5, -2147483648].into()], [-1i32, 0, 1, -1]);
        check(
            "Sign",
            [[Complex::new(0.0f32, 0.0), Complex::new(3.0f32, 4.0)].into()],
            [Complex::new(0.0f32, 0.0), Complex::new(0.6f32, 0.8)],
        );
    }
}

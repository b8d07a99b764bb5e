//! `Tan`: the tangent.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Tan;

#[kernel(Tan, device = CPU, T = [complex])]
fn tan_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::tan))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Tan",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [2.1850398f32, -0.5463025, -0.0, 0.0, 0.5463025, -0.14254655, f32::NAN, f32::NAN, f32::NAN],
        );
        check("Tan", [[1.0e-6f32, 1.5, 100.0, -1000.0].into()], [1.0e-6f32, 14.10142, -0.58721393, -1.4703242]);
        check("Tan", [[-0.5f64, 100.0].into()], [-0.5463024898437905f64, -0.5872139151569291]);
        check(
            "Tan",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.19557732f32, 0.84296614),
                Complex::new(1.5966891f32, 1.0993981),
                Complex::new(-0.0045171375f32, -1.0020552),
            ],
        );
    }
}

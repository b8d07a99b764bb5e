//! `Exp`: the exponential function.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Exp;

#[kernel(Exp, device = CPU, T = [complex])]
fn exp_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::exp))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Exp",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [0.13533528f32, 0.60653067, 1.0, 1.0, 1.6487212, 20.085537, f32::INFINITY, 0.0, f32::NAN],
        );
        check(
            "Exp",
            [[88.7f32, 89.0, -87.0, -10.5].into()],
            [3.3259769e38f32, f32::INFINITY, 1.6458115e-38, 0.00002753645],
        );
        check("Exp", [[-0.5f64, 700.0].into()], [0.6065306597126334f64, 1.0142320547350045e+304]);
        check(
            "Exp",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.8908078f32, 1.387351),
                Complex::new(0.13112803f32, 0.033482485),
                Complex::new(-0.3641979f32, -0.05191515),
            ],
        );
        check("Exp", [[Complex::new(f64::NEG_INFINITY, f64::NAN)].into()], [Complex::new(0.0f64, 0.0)]);
    }
}

//! `Expm1`: the exponential function less 1.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Expm1;

#[kernel(Expm1, device = CPU, T = [complex])]
fn expm1_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::expm1))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Expm1",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-0.86466473f32, -0.39346933, -0.0, 0.0, 0.6487213, 19.085537, f32::INFINITY, -1.0, f32::NAN],
        );
        check("Expm1", [[1.0e-6f32, -1.0e-6, 88.7, -20.0].into()], [1.0000005e-6f32, -9.999995e-7, 3.3259769e38, -1.0]);
        check("Expm1", [[-0.5f64, 1e-12].into()], [-0.3934693402873666f64, 1.0000000000005e-12]);
        check("Expm1", [[Complex::new(-1.0f32, -3.0)].into()], [Complex::new(-1.364198f32, -0.05191515)]);
    }
}

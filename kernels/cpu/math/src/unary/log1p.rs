//! `Log1p`: the natural logarithm of a number increased by 1.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Log1p;

#[kernel(Log1p, device = CPU, T = [complex])]
fn log1p_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::log1p))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Log1p",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [f32::NAN, -0.6931472, -0.0, 0.0, 0.4054651, 1.3862944, f32::INFINITY, f32::NAN, f32::NAN],
        );
        check(
            "Log1p",
            [[1.0e-6f32, -1.0e-6, -1.0, 1.0e30].into()],
            [9.999995e-7f32, -1.0000005e-6, -f32::INFINITY, 69.07755],
        );
        check("Log1p", [[-0.5f64, 1e-12].into()], [-0.6931471805599453f64, 9.999999999995e-13]);
        check(
            "Log1p",
            [[Complex::new(0.5f32, 1.0), Complex::new(-1.0f32, -3.0)].into()],
            [Complex::new(0.5893275f32, 0.58800256), Complex::new(1.0986123f32, -1.5707964)],
        );
    }
}

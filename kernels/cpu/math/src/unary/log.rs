//! `Log`: the natural logarithm.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Log;

#[kernel(Log, device = CPU, T = [complex])]
fn log_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::log))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Log",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [
                f32::NAN,
                f32::NAN,
                -f32::INFINITY,
                -f32::INFINITY,
                -0.6931472,
                1.0986123,
                f32::INFINITY,
                f32::NAN,
                f32::NAN,
            ],
        );
        check(
            "Log",
            [[1.0e-20f32, 0.99999, 1.00001, 1.0e30].into()],
            [-46.0517f32, -0.00001001363, 0.00001001353, 69.07755],
        );
        check("Log", [[0.3f64, 1e+200].into()], [-1.2039728043259361f64, 460.51701859880916]);
        check(
            "Log",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.11157179f32, 1.1071488),
                Complex::new(0.7008993f32, 3.0172377),
                Complex::new(1.1512926f32, -1.8925469),
            ],
        );
        let near_one = Complex::new(0.9900094040968218f64, -0.005406343512014177);
        check("Log", [[near_one].into()], [Complex::new(-0.01002592631245584f64, -0.005460846885849)]);
    }
}

//! `Sinh`: the hyperbolic sine.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Sinh;

#[kernel(Sinh, device = CPU, T = [complex])]
fn sinh_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::sinh))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Sinh",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-3.6268604f32, -0.5210953, -0.0, 0.0, 0.5210953, 10.017875, f32::INFINITY, -f32::INFINITY, f32::NAN],
        );
        check("Sinh", [[1.0e-6f32, 1.5, 30.0].into()], [1.0e-6f32, 2.1292794, 5343237000000.0]);
        check("Sinh", [[-0.5f64, 100.0].into()], [-0.5210953054937474f64, 1.3440585709080678e+43]);
        check(
            "Sinh",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.28154898f32, 0.94886446),
                Complex::new(-3.51411f32, 0.93078214),
                Complex::new(1.1634403f32, -0.21775953),
            ],
        );
    }
}

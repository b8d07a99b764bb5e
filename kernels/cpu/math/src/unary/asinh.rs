//! `Asinh`: the inverse hyperbolic sine.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Asinh;

#[kernel(Asinh, device = CPU, T = [complex])]
fn asinh_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::asinh))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Asinh",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-1.4436355f32, -0.48121184, -0.0, 0.0, 0.48121184, 1.8184465, f32::INFINITY, -f32::INFINITY, f32::NAN],
        );
        check("Asinh", [[1.0e-6f32, 1.5, 1.0e30].into()], [1.0e-6f32, 1.1947632, 69.7707]);
        check("Asinh", [[-0.5f64, 100.0].into()], [-0.48121182505960347f64, 5.298342365610589]);
        check("Asinh", [[f64::MAX].into()], [710.4758600739439f64]);
        check("Asinh", [[Complex::new(0.0f32, -3.0)].into()], [Complex::new(1.7627472f32, -1.5707964)]);
        check(
            "Asinh",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.73285764f32, 0.8959074),
                Complex::new(-1.4492083f32, 0.11147792),
                Complex::new(-1.8241986f32, -1.2330952),
            ],
        );
    }
}

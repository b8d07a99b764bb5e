//! `Tanh`: the hyperbolic tangent.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Tanh;

#[kernel(Tanh, device = CPU, T = [complex])]
fn tanh_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::tanh))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Tanh",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-0.9640276f32, -0.46211714, -0.0, 0.0, 0.46211714, 0.9950547, 1.0, -1.0, f32::NAN],
        );
        check(
            "Tanh",
            [[1.0e-6f32, -1.0e-6, 0.1, 1.5, 9.0, 20.0].into()],
            [1.0e-6f32, -1.0e-6, 0.099668, 0.9051483, 1.0, 1.0],
        );
        check("Tanh", [[-0.5f64, 100.0].into()], [-0.46211715726000974f64, 1.0]);
        check(
            "Tanh",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(1.0428307f32, 0.80687743),
                Complex::new(-0.96821463f32, 0.017009461),
                Complex::new(-0.7680176f32, 0.05916854),
            ],
        );
    }
}

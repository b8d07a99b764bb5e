//! `Sqrt`: the square root.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Sqrt;

#[kernel(Sqrt, device = CPU, T = [complex])]
fn sqrt_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::sqrt))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Sqrt",
            [[-1.0f32, -0.0, 0.0, 2.0, 1.0e-20, f32::INFINITY, f32::NAN].into()],
            [f32::NAN, -0.0, 0.0, 1.4142135, 1.0e-10, f32::INFINITY, f32::NAN],
        );
        check("Sqrt", [[2.0f64, 9.0].into()], [1.4142135623730951f64, 3.0]);
        check(
            "Sqrt",
            [[Complex::new(-4.0f32, 0.0), Complex::new(3.0f32, 4.0), Complex::new(0.0f32, 0.0)].into()],
            [Complex::new(0.0f32, 2.0), Complex::new(2.0f32, 1.0), Complex::new(0.0f32, 0.0)],
        );
    }
}

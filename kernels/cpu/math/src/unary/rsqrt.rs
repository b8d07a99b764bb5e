//! `Rsqrt`: the reciprocal of the square root.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Rsqrt;

#[kernel(Rsqrt, device = CPU, T = [complex])]
fn rsqrt_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::rsqrt))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Rsqrt",
            [[-1.0f32, -0.0, 0.0, 4.0, 3.0, f32::INFINITY, f32::NAN].into()],
            [f32::NAN, -f32::INFINITY, f32::INFINITY, 0.5, 0.57735026, 0.0, f32::NAN],
        );
        check("Rsqrt", [[2.0f64, 9.0].into()], [0.7071067811865475f64, 0.3333333333333333]);
        check(
            "Rsqrt",
            [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 2.0)].into()],
            [Complex::new(0.4f32, -0.2), Complex::new(0.35157758f32, -0.56886446)],
        );
    }
}

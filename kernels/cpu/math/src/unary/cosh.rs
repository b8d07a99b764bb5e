//! `Cosh`: the hyperbolic cosine.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Cosh;

#[kernel(Cosh, device = CPU, T = [complex])]
fn cosh_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::cosh))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Cosh",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [3.7621958f32, 1.127626, 1.0, 1.0, 1.127626, 10.067662, f32::INFINITY, f32::INFINITY, f32::NAN],
        );
        check("Cosh", [[1.0e-6f32, 1.5, 30.0].into()], [1.0f32, 2.3524096, 5343237000000.0]);
        check("Cosh", [[-0.5f64, 100.0].into()], [1.1276259652063807f64, 1.3440585709080678e+43]);
        check(
            "Cosh",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.6092589f32, 0.43848655),
                Complex::new(3.6452382f32, -0.89729965),
                Complex::new(-1.5276382f32, 0.1658444),
            ],
        );
    }
}

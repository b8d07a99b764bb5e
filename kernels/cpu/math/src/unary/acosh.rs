//! `Acosh`: the inverse hyperbolic cosine.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Acosh;

#[kernel(Acosh, device = CPU, T = [complex])]
fn acosh_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::acosh))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Acosh",
            [[0.5f32, 1.0, 1.0000001, 1.5, 1.0e30, f32::INFINITY, f32::NAN].into()],
            [f32::NAN, 0.0, 0.00048828122, 0.9624237, 69.7707, f32::INFINITY, f32::NAN],
        );
        check("Acosh", [[1.5f64, 100.0].into()], [0.9624236501192069f64, 5.298292365610484]);
        check("Acosh", [[f64::MAX, -1e7].into()], [710.4758600739439f64, f64::NAN]);
        check(
            "Acosh",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.9261331f32, 1.2213573),
                Complex::new(1.3287634f32, 2.9987204),
                Complex::new(1.8641616f32, -1.8784),
            ],
        );
    }
}

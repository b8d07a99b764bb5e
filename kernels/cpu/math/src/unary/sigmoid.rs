//! `Sigmoid`: the logistic function.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Sigmoid;

#[kernel(Sigmoid, device = CPU, T = [complex])]
fn sigmoid_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::sigmoid))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Sigmoid",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [0.11920294f32, 0.37754068, 0.5, 0.5, 0.62245935, 0.95257413, 1.0, 0.0, f32::NAN],
        );
        check("Sigmoid", [[1.0e-6f32, -20.0, 17.0, -80.0].into()], [0.50000024f32, 2.0611537e-9, 1.0, 1.8048513e-35]);
        check("Sigmoid", [[-0.5f64, 30.0].into()], [0.37754066879814546f64, 0.9999999999999064]);
        check(
            "Sigmoid",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.65621036f32, 0.25225034),
                Complex::new(0.116700746f32, 0.026146512),
                Complex::new(-0.5623996f32, -0.12757462),
            ],
        );
    }
}

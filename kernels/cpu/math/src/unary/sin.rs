//! `Sin`: the sine.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Sin;

#[kernel(Sin, device = CPU, T = [complex])]
fn sin_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::sin))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Sin",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-0.9092974f32, -0.47942555, -0.0, 0.0, 0.47942555, 0.14112, f32::NAN, f32::NAN, f32::NAN],
        );
        check("Sin", [[1.0e-6f32, 1.5707964, 100.0, -1000.0].into()], [1.0e-6f32, 1.0, -0.50636566, -0.82687956]);
        check("Sin", [[-0.5f64, 100.0].into()], [-0.479425538604203f64, -0.5063656411097588]);
        check(
            "Sin",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.7397922f32, 1.0313361),
                Complex::new(-0.93786126f32, -0.10512382),
                Complex::new(-8.471645f32, -5.4126806),
            ],
        );
    }
}

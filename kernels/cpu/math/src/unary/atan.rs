//! `Atan`: the inverse tangent.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Atan;

#[kernel(Atan, device = CPU, T = [complex])]
fn atan_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::atan))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Atan",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-1.1071488f32, -0.46364754, -0.0, 0.0, 0.46364754, 1.2490458, 1.5707964, -1.5707964, f32::NAN],
        );
        check("Atan", [[1.0e-6f32, 1.5, 100.0, -1000.0].into()], [1.0e-6f32, 0.98279375, 1.5607966, -1.5697963]);
        check("Atan", [[-0.5f64, 100.0].into()], [-0.4636476090008061f64, 1.5607966601082315]);
        check(
            "Atan",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.90788746f32, 0.70830333),
                Complex::new(-1.1121113f32, 0.04954423),
                Complex::new(-1.4614619f32, -0.30594385),
            ],
        );
    }
}

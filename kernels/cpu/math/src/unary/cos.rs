//! `Cos`: the cosine.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Cos;

#[kernel(Cos, device = CPU, T = [complex])]
fn cos_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::cos))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Cos",
            [[-2.0f32, -0.5, -0.0, 0.0, 0.5, 3.0, f32::INFINITY, -f32::INFINITY, f32::NAN].into()],
            [-0.4161468f32, 0.87758255, 1.0, 1.0, 0.87758255, -0.9899925, f32::NAN, f32::NAN, f32::NAN],
        );
        check("Cos", [[1.0e-6f32, 1.5, 100.0, -1000.0].into()], [1.0f32, 0.0707372, 0.8623189, 0.56237906]);
        check("Cos", [[-0.5f64, 100.0].into()], [0.8775825618903728f64, 0.8623188722876839]);
        check(
            "Cos",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(1.3541806f32, -0.5634215),
                Complex::new(-0.4292193f32, 0.22969973),
                Complex::new(5.439581f32, -8.42975),
            ],
        );
    }
}

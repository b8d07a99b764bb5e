//! `Acos`: the inverse cosine.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Acos;

#[kernel(Acos, device = CPU, T = [complex])]
fn acos_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::acos))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Acos",
            [[-1.0f32, -0.5, -0.0, 1.0e-6, 0.75, 1.0, 1.5, f32::NAN].into()],
            [3.1415927f32, 2.0943952, 1.5707964, 1.5707953, 0.7227343, 0.0, f32::NAN, f32::NAN],
        );
        check("Acos", [[-0.5f64, 0.9].into()], [2.0943951023931957f64, 0.45102681179626236]);
        check(
            "Acos",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(1.2213573f32, -0.9261331),
                Complex::new(2.9987204f32, -1.3287634),
                Complex::new(1.8784f32, 1.8641616),
            ],
        );
    }
}

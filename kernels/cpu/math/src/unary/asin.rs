//! `Asin`: the inverse sine.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Asin;

#[kernel(Asin, device = CPU, T = [complex])]
fn asin_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::asin))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Asin",
            [[-1.0f32, -0.5, -0.0, 1.0e-6, 0.75, 1.0, 1.5, f32::NAN].into()],
            [-1.5707964f32, -0.52359873, -0.0, 1.0000001e-6, 0.84806216, 1.5707964, f32::NAN, f32::NAN],
        );
        check("Asin", [[-0.5f64, 0.9].into()], [-0.5235987755982989f64, 1.1197695149986342]);
        check(
            "Asin",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.34943905f32, 0.9261331),
                Complex::new(-1.4279242f32, 1.3287634),
                Complex::new(-0.30760363f32, -1.8641616),
            ],
        );
    }
}

//! `Atanh`: the inverse hyperbolic tangent.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Atanh;

#[kernel(Atanh, device = CPU, T = [complex])]
fn atanh_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(complex::atanh))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Atanh",
            [[-1.0f32, -0.5, -0.0, 1.0e-6, 0.75, 1.0, 1.5, f32::NAN].into()],
            [-f32::INFINITY, -0.54930615, -0.0, 1.0e-6, 0.9729551, f32::INFINITY, f32::NAN, f32::NAN],
        );
        check("Atanh", [[-0.5f64, 0.9].into()], [-0.5493061443340548f64, 1.4722194895832204]);
        check("Atanh", [[-0.953_737_836_078_368_9_f64].into()], [-1.871_587_611_345_383f64]);
        check(
            "Atanh",
            [[Complex::new(0.5f32, 1.0), Complex::new(-2.0f32, 0.25), Complex::new(-1.0f32, -3.0)].into()],
            [
                Complex::new(0.23887786f32, 0.84757566),
                Complex::new(-0.5358801f32, 1.4898776),
                Complex::new(-0.0919312f32, -1.276795),
            ],
        );
        let near_minus_one = Complex::new(-1.1100238170946704f64, -2.5360614230909714e-06);
        check("Atanh", [[near_minus_one].into()], [Complex::new(-1.476878826233029f64, -1.570785402694009)]);
    }
}

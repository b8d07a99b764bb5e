//! `Xlogy`: a number times a logarithm, 0 where the number is.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{Arithmetic, ComplexLane, Lanes, binary};
use oplink_ops::math::Xlogy;

#[kernel(Xlogy, device = CPU, T = [complex])]
fn xlogy_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| {
        if x == T::Lane::ZERO {
            return x;
        }
        ComplexLane::from_double(x.to_double() * complex::log(y.to_double()))
    })
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Xlogy",
            [[0.0f32, 0.0, 1.0, -2.0, 1.0, 3.0].into(), [f32::NAN, 0.0, 0.0, 0.5, f32::INFINITY, -0.25].into()],
            [0.0f32, 0.0, -f32::INFINITY, 1.3862944, f32::INFINITY, f32::NAN],
        );
        check("Xlogy", [[2.0f64].into(), [0.5f64].into()], [-1.3862943611198906f64]);
        check(
            "Xlogy",
            [
                [Complex::new(0.0f32, 0.0), Complex::new(1.0f32, 1.0)].into(),
                [Complex::new(0.0f32, 0.0), Complex::new(0.0f32, 2.0)].into(),
            ],
            [Complex::new(0.0f32, 0.0), Complex::new(-0.8776492f32, 2.2639437)],
        );
    }
}

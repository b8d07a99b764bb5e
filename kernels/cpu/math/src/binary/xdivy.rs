//! `Xdivy`: the quotient, 0 where the dividend is.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{Arithmetic, ComplexLane, Lanes, binary};
use oplink_ops::math::Xdivy;

#[kernel(Xdivy, device = CPU, T = [complex])]
fn xdivy_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| {
        if x == T::Lane::ZERO {
            return x;
        }
        ComplexLane::from_double(complex::div(x.to_double(), y.to_double()))
    })
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Xdivy",
            [[0.0f32, 0.0, 1.0, -2.0, 1.0, 3.0].into(), [f32::NAN, 0.0, 0.0, 0.5, f32::INFINITY, -0.25].into()],
            [0.0f32, 0.0, f32::INFINITY, -4.0, 0.0, -12.0],
        );
        check("Xdivy", [[2.0f64].into(), [0.5f64].into()], [4.0f64]);
        check(
            "Xdivy",
            [
                [Complex::new(0.0f32, 0.0), Complex::new(1.0f32, 1.0)].into(),
                [Complex::new(0.0f32, 0.0), Complex::new(0.0f32, 2.0)].into(),
            ],
            [Complex::new(0.0f32, 0.0), Complex::new(0.5f32, -0.5)],
        );
    }
}

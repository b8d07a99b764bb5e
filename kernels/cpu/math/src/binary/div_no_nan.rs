//! `DivNoNan`: the quotient, 0 where the divisor is.

use oplink::prelude::*;
use oplink_cpu_support::complex;
use oplink_cpu_support::elementwise::{Arithmetic, ComplexLane, Lanes, binary};
use oplink_ops::math::DivNoNan;

#[kernel(DivNoNan, device = CPU, T = [complex])]
fn div_no_nan_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    binary::<T>(context, |x, y| {
        if y == T::Lane::ZERO {
            return y;
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
            "DivNoNan",
            [[7.0f32, -7.0, 5.0, 0.0, -3.0, f32::NAN].into(), [2.0f32, 2.0, 0.0, 0.0, f32::INFINITY, 1.0].into()],
            [3.5f32, -3.5, 0.0, 0.0, -0.0, f32::NAN],
        );
        check("DivNoNan", [[f32::NAN, 0.0].into(), [0.0f32, f32::NAN].into()], [0.0f32, f32::NAN]);
        check(
            "DivNoNan",
            [
                [Complex::new(1.0f32, 2.0), Complex::new(3.0f32, 0.0)].into(),
                [Complex::new(-2.0f32, 1.0), Complex::new(0.0f32, 0.0)].into(),
            ],
            [Complex::new(-0.0f32, -1.0), Complex::new(0.0f32, 0.0)],
        );
    }
}

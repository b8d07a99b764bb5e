//! `Inv`: the reciprocal.

use oplink::prelude::*;
use oplink_cpu_support::complex::{self, C};
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Inv;

#[kernel(Inv, device = CPU, T = [complex])]
fn inv_complex_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, |z| z.through_double(|z| complex::div(C::new(1.0, 0.0), z)))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Inv",
            [[-4.0f32, -0.0, 0.0, 3.0, -f32::INFINITY, f32::NAN].into()],
            [-0.25f32, -f32::INFINITY, f32::INFINITY, 0.33333334, -0.0, f32::NAN],
        );
        check("Inv", [[Complex::new(1.0f32, 2.0)].into()], [Complex::new(0.2f32, -0.4)]);
    }
}

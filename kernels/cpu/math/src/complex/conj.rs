//! `Conj`: the complex conjugate.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{ComplexLane, Lanes, unary};
use oplink_ops::math::Conj;

#[kernel(Conj, device = CPU, T = [complex])]
fn conj_cpu<T: Lanes<Lane: ComplexLane>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, ComplexLane::conjugate)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Conj",
            [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
            [Complex::new(3.0f32, -4.0), Complex::new(-1.0f32, -0.0), Complex::new(-0.0f32, 2.0)],
        );
    }
}

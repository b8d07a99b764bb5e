//! `Neg`: the number with the other sign.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Lanes, Negate, unary};
use oplink_ops::math::Neg;

/// `Neg` of complex numbers.
#[kernel(Neg, device = CPU, T = [complex])]
pub fn neg_cpu<T: Lanes<Lane: Negate>>(context: &mut KernelContext<'_>) -> Result<()> {
    unary::<T>(context, Negate::negate)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Neg",
            [[-1.5f32, 0.0, 2.0, -f32::INFINITY, f32::NAN].into()],
            [1.5f32, -0.0, -2.0, f32::INFINITY, f32::NAN],
        );
        check("Neg", [[-3i32, 0, 5, -2147483648].into()], [3i32, 0, -5, -2147483648]);
        check("Neg", [[Complex::new(1.0f32, -2.0)].into()], [Complex::new(-1.0f32, 2.0)]);
    }
}

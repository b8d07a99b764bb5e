//! `Real`: the real part.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::unary_into;
use oplink_ops::math::Real;

#[kernel(Real, device = CPU, T = [Complex<f32>], Tout = [f32])]
fn real_single_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<Complex<f32>, f32>(context, |z| z.re)
}

#[kernel(Real, device = CPU, T = [Complex<f64>], Tout = [f64])]
fn real_double_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<Complex<f64>, f64>(context, |z| z.re)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Real",
            [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
            [3.0f32, -1.0, -0.0],
        );
    }
}

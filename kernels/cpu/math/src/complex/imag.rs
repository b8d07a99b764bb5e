//! `Imag`: the imaginary part.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::unary_into;
use oplink_ops::math::Imag;

#[kernel(Imag, device = CPU, T = [Complex<f32>], Tout = [f32])]
fn imag_single_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<Complex<f32>, f32>(context, |z| z.im)
}

#[kernel(Imag, device = CPU, T = [Complex<f64>], Tout = [f64])]
fn imag_double_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<Complex<f64>, f64>(context, |z| z.im)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Imag",
            [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
            [4.0f32, 0.0, -2.0],
        );
    }
}

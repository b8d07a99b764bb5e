//! `ComplexAbs`: the absolute value of complex numbers.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::unary_into;
use oplink_ops::math::ComplexAbs;

#[kernel(ComplexAbs, device = CPU, T = [Complex<f32>], Tout = [f32])]
fn complex_abs_single_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<Complex<f32>, f32>(context, Complex::norm)
}

#[kernel(ComplexAbs, device = CPU, T = [Complex<f64>], Tout = [f64])]
fn complex_abs_double_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<Complex<f64>, f64>(context, Complex::norm)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "ComplexAbs",
            [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
            [5.0f32, 1.0, 2.0],
        );
    }
}

//! `Angle`: the argument of complex numbers.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::unary_into;
use oplink_ops::math::Angle;

#[kernel(Angle, device = CPU, T = [Complex<f32>], Tout = [f32])]
fn angle_single_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<Complex<f32>, f32>(context, Complex::arg)
}

#[kernel(Angle, device = CPU, T = [Complex<f64>], Tout = [f64])]
fn angle_double_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    unary_into::<Complex<f64>, f64>(context, Complex::arg)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::check;

    #[test]
    fn values_are_those_of_tensorflow() {
        check(
            "Angle",
            [[Complex::new(3.0f32, 4.0), Complex::new(-1.0f32, 0.0), Complex::new(-0.0f32, -2.0)].into()],
            [0.9272952f32, 3.1415927, -1.5707964],
        );
    }
}

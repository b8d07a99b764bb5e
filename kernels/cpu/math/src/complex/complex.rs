//! `Complex`: complex numbers from their parts.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::binary_into;
use oplink_ops::math::Complex;

#[kernel(Complex, device = CPU, T = [f32], Tout = [num_complex::Complex<f32>])]
fn complex_single_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    binary_into::<f32, num_complex::Complex<f32>>(context, num_complex::Complex::new)
}

#[kernel(Complex, device = CPU, T = [f64], Tout = [num_complex::Complex<f64>])]
fn complex_double_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    binary_into::<f64, num_complex::Complex<f64>>(context, num_complex::Complex::new)
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;
    use oplink::prelude::{DType, Tensor};

    use oplink_cpu_support::testing::{check, check_with};

    #[test]
    fn values_are_those_of_tensorflow() {
        check("Complex", [[1.0f32, -0.0].into(), 3.0f32.into()], [Complex::new(1.0f32, 3.0), Complex::new(-0.0, 3.0)]);
        let double = [("Tout", DType::Complex128.into())];
        let column = Tensor::from_vec([1, 1], vec![2.0f64]).unwrap();
        let out = Tensor::from_vec([1, 1], vec![Complex::new(1.0f64, 2.0)]).unwrap();
        check_with("Complex", &double, [[1.0f64].into(), column], out);
    }
}

//! `BatchMatMul`: products of the matrices in the last two axes.
//!
//! `x` is [..., m, k] ([..., k, m] with `adj_x`), `y` is [..., k, n] ([..., n, k] with `adj_y`), the output is
//! [..., m, n]. The leading axes are equal. The adjoint of a complex matrix is its conjugate transpose.
//! Sums as in `MatMul`.

use oplink::prelude::*;

use super::batches::multiply;
use crate::numeric::gemm::Gemm;
use crate::support::elementwise::Lanes;

/// Multiplies the matrices in the last two axes of `x` and `y`; the other axes are equal.
#[op("BatchMatMul",
     input = "x: T",
     input = "y: T",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
     attr = "adj_x: bool = false",
     attr = "adj_y: bool = false",
     attr = "grad_x: bool = false",
     attr = "grad_y: bool = false",
     shape = shape_fns::batch_matmul_v1)]
pub struct BatchMatMul;

/// `BatchMatMul` for the dtypes that TensorFlow multiplies on the CPU.
#[kernel(BatchMatMul, device = CPU, T = [floats, i32, i64, complex])]
pub fn batch_matmul_cpu<T: Lanes<Lane: Gemm>>(
    context: &KernelContext<'_>,
    x: &Tensor,
    y: &Tensor,
    adj_x: bool,
    adj_y: bool,
    output: &mut Tensor,
) -> Result<()> {
    let (a, b) = (x.shape(), y.shape());
    ensure!(
        a.rank() == b.rank() && a.iter().zip(b.iter()).rev().skip(2).all(|(a, b)| a == b),
        "x of shape {a} and y of shape {b} must have the same leading dimensions"
    );
    multiply::<T>(context.env(), [x, y], [adj_x, adj_y], output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    fn matrices(shape: [usize; 3]) -> Tensor {
        Tensor::from_vec(shape, (0..shape.iter().product()).map(|i: usize| i as i32).collect()).unwrap()
    }

    #[test]
    fn leading_axes_are_equal() {
        let out = run_one("BatchMatMul", vec![matrices([2, 1, 2]), matrices([2, 2, 1])]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 1, 1][..], &[1, 13][..]));
        assert!(run_one("BatchMatMul", vec![matrices([2, 1, 2]), matrices([1, 2, 1])]).is_err());
    }
}

//! `BatchMatMulV2`: products of the matrices in the last two axes.
//!
//! `x` is [..., m, k] ([..., k, m] with `adj_x`), `y` is [..., k, n] ([..., n, k] with `adj_y`), the output is
//! [..., m, n]. The leading axes broadcast. The adjoint of a complex matrix is its conjugate transpose.
//! Sums as in `MatMul`.

use oplink::prelude::*;

use super::batches::multiply;
use crate::numeric::gemm::Gemm;
use crate::support::elementwise::Lanes;

/// Multiplies the matrices in the last two axes of `x` and `y`; the other axes broadcast.
#[op("BatchMatMulV2",
     input = "x: T",
     input = "y: T",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}",
     attr = "adj_x: bool = false",
     attr = "adj_y: bool = false",
     attr = "grad_x: bool = false",
     attr = "grad_y: bool = false",
     shape = shape_fns::batch_matmul)]
pub struct BatchMatMulV2;

/// `BatchMatMulV2` for the dtypes that TensorFlow multiplies on the CPU.
#[kernel(BatchMatMulV2, device = CPU, T = [floats, i16, i32, i64, complex])]
pub fn batch_matmul_v2_cpu<T: Lanes<Lane: Gemm>>(
    context: &KernelContext<'_>,
    x: &Tensor,
    y: &Tensor,
    adj_x: bool,
    adj_y: bool,
    output: &mut Tensor,
) -> Result<()> {
    multiply::<T>(context.env(), [x, y], [adj_x, adj_y], output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

    fn matrices(shape: &[usize]) -> Tensor {
        let count = shape.iter().product::<usize>();
        Tensor::from_vec(shape, (0..count).map(|i| i as i32).collect()).unwrap()
    }

    #[test]
    fn leading_axes_broadcast() {
        type Shape = &'static [usize];
        let cases: [(Shape, Shape, Shape, &[i32]); 4] = [
            (&[2, 1, 2], &[2, 2, 1], &[2, 1, 1], &[1, 2 * 2 + 3 * 3]),
            (&[2, 1, 2], &[2, 1], &[2, 1, 1], &[1, 3]),
            (&[1, 2], &[2, 2, 1], &[2, 1, 1], &[1, 3]),
            (&[2, 1, 1, 1], &[2, 1, 1], &[2, 2, 1, 1], &[0, 0, 0, 1]),
        ];
        for (x, y, shape, values) in cases {
            let out = run_one("BatchMatMulV2", vec![matrices(x), matrices(y)]).unwrap();
            assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (shape, values));
        }
        assert!(run_one("BatchMatMulV2", vec![matrices(&[2, 1, 2]), matrices(&[3, 2, 1])]).is_err());
    }
}

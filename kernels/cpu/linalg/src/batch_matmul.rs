//! `BatchMatMul` in its three versions: products of the matrices in the last two axes.
//!
//! `x` is [..., m, k] ([..., k, m] with `adj_x`), `y` is [..., k, n] ([..., n, k] with `adj_y`), the output is [..., m,
//! n]. The leading axes are equal, in V2 and V3 they broadcast. The adjoint of a complex matrix is its conjugate
//! transpose. Sums as in `MatMul`.
//!
//! In V3 `x`, `y` and the output have dtypes of their own: one for all, or 8-bit integers multiplied to int32, or
//! bfloat16 times 8-bit integers. Products with bfloat16 are summed in f32.

use super::batches::{multiply, multiply_converted};
use oplink::prelude::*;
use oplink_cpu_contraction::gemm::Gemm;
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::linalg::{BatchMatMul, BatchMatMulV2, BatchMatMulV3};

/// `BatchMatMul` for the dtypes that TensorFlow multiplies on the CPU.
#[kernel(BatchMatMul, device = CPU, T = [floats, i32, i64, complex])]
pub fn batch_matmul_cpu<T: Computed<ComputeType: Gemm>>(
    x: &Tensor,
    y: &Tensor,
    adj_x: bool,
    adj_y: bool,
    output: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    let (a, b) = (x.shape(), y.shape());
    ensure!(
        a.rank() == b.rank() && a.iter().zip(b.iter()).rev().skip(2).all(|(a, b)| a == b),
        "x of shape {a} and y of shape {b} must have the same leading dimensions"
    );
    multiply::<T>(&env, [x, y], [adj_x, adj_y], output)
}

/// `BatchMatMulV2` for the dtypes that TensorFlow multiplies on the CPU.
#[kernel(BatchMatMulV2, device = CPU, T = [floats, i16, i32, i64, complex])]
pub fn batch_matmul_v2_cpu<T: Computed<ComputeType: Gemm>>(
    x: &Tensor,
    y: &Tensor,
    adj_x: bool,
    adj_y: bool,
    output: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    multiply::<T>(&env, [x, y], [adj_x, adj_y], output)
}

/// `BatchMatMulV3` of one dtype.
#[kernel(BatchMatMulV3, device = CPU, Ta = [bf16], Tb = [bf16], Tout = [bf16])]
#[kernel(BatchMatMulV3, device = CPU, Ta = [f32], Tb = [f32], Tout = [f32])]
#[kernel(BatchMatMulV3, device = CPU, Ta = [f64], Tb = [f64], Tout = [f64])]
#[kernel(BatchMatMulV3, device = CPU, Ta = [i16], Tb = [i16], Tout = [i16])]
#[kernel(BatchMatMulV3, device = CPU, Ta = [i32], Tb = [i32], Tout = [i32])]
#[kernel(BatchMatMulV3, device = CPU, Ta = [i64], Tb = [i64], Tout = [i64])]
#[kernel(BatchMatMulV3, device = CPU, Ta = [Complex<f32>], Tb = [Complex<f32>], Tout = [Complex<f32>])]
#[kernel(BatchMatMulV3, device = CPU, Ta = [Complex<f64>], Tb = [Complex<f64>], Tout = [Complex<f64>])]
pub fn batch_matmul_v3_cpu<Ta: Computed<ComputeType: Gemm>>(
    x: &Tensor,
    y: &Tensor,
    adj_x: bool,
    adj_y: bool,
    output: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    multiply::<Ta>(&env, [x, y], [adj_x, adj_y], output)
}

/// `BatchMatMulV3` of 8-bit integers.
#[kernel(BatchMatMulV3, device = CPU, Ta = [i8, u8], Tb = [i8, u8], Tout = [i32])]
pub fn batch_matmul_integers<Ta: Element + Copy + Into<i32>, Tb: Element + Copy + Into<i32>>(
    x: &Tensor,
    y: &Tensor,
    adj_x: bool,
    adj_y: bool,
    output: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    let computed = [converted::<Ta, i32>(x)?.into(), converted::<Tb, i32>(y)?.into()];
    multiply_converted::<i32>(&env, computed, [x.shape(), y.shape()], [adj_x, adj_y], output)
}

/// `BatchMatMulV3` of bfloat16 and 8-bit integers.
#[kernel(BatchMatMulV3, device = CPU, Ta = [bf16], Tb = [i8, u8], Tout = [bf16])]
#[kernel(BatchMatMulV3, device = CPU, Ta = [i8, u8], Tb = [bf16], Tout = [bf16])]
pub fn batch_matmul_bf16_integers<Ta: Element + Copy + Into<f32>, Tb: Element + Copy + Into<f32>>(
    x: &Tensor,
    y: &Tensor,
    adj_x: bool,
    adj_y: bool,
    output: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    let computed = [converted::<Ta, f32>(x)?.into(), converted::<Tb, f32>(y)?.into()];
    multiply_converted::<bf16>(&env, computed, [x.shape(), y.shape()], [adj_x, adj_y], output)
}

/// The elements as numbers of another type.
fn converted<T: Element + Copy + Into<L>, L>(tensor: &Tensor) -> Result<Vec<L>> {
    Ok(tensor.as_slice::<T>()?.iter().map(|&value| value.into()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{run, run_one};

    fn cubes(shape: [usize; 3]) -> Tensor {
        Tensor::from_vec(shape, (0..shape.iter().product()).map(|i: usize| i as i32).collect()).unwrap()
    }

    #[test]
    fn leading_axes_are_equal() {
        let out = run_one("BatchMatMul", vec![cubes([2, 1, 2]), cubes([2, 2, 1])]).unwrap();
        assert_eq!((out.shape().dims(), out.as_slice::<i32>().unwrap()), (&[2, 1, 1][..], &[1, 13][..]));
        assert!(run_one("BatchMatMul", vec![cubes([2, 1, 2]), cubes([1, 2, 1])]).is_err());
    }

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

    #[test]
    fn dtypes_may_differ() {
        let x = Tensor::from_vec([1, 2], vec![100i8, -100]).unwrap();
        let y = Tensor::from_vec([2, 1, 2], vec![200u8, 1, 3, 4]).unwrap();
        let attrs = [("Tout", DType::Int32.into()), ("adj_y", true.into())];
        let out = run("BatchMatMulV3", &attrs, vec![x.clone(), y]).unwrap();
        assert_eq!((out[0].shape().dims(), out[0].as_slice::<i32>().unwrap()), (&[2, 1, 1][..], &[19_900, -100][..]));
        let y = Tensor::from_vec([2, 1], vec![bf16::from_f32(0.5), bf16::from_f32(0.25)]).unwrap();
        let out = run("BatchMatMulV3", &[("Tout", DType::BFloat16.into())], vec![x, y]).unwrap();
        assert_eq!(out[0].as_slice::<bf16>().unwrap(), [bf16::from_f32(25.0)]);
    }
}

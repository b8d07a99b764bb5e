//! `BatchMatMul` and `BatchMatMulV2`: products of the matrices in the last two axes.
//!
//! `x` is [..., m, k] ([..., k, m] with `adj_x`), `y` is [..., k, n] ([..., n, k] with `adj_y`), the output is
//! [..., m, n]. The leading axes are equal in `BatchMatMul` and broadcast in `BatchMatMulV2`. The adjoint of a complex
//! matrix is its conjugate transpose. Sums as in `MatMul`.

use std::borrow::Cow;

use oplink::{KernelEnv, prelude::*};

use crate::numeric::gemm::{Gemm, Matrix, product};
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::Lanes;
use crate::support::parallel::for_each_row;

/// Elements of the output that one thread should at least have, over the inner extent.
const TASK_COST: usize = 1 << 18;

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

/// One side of the product: its matrices and which of them each place of the broadcast batch takes.
struct Side<'a, L: Clone> {
    lanes: Cow<'a, [L]>,
    extents: (usize, usize),
    adjoint: bool,
    batch: Vec<usize>,
}

impl<'a, L: Gemm> Side<'a, L> {
    fn new<T: Lanes<Lane = L>>(tensor: &'a Tensor, adjoint: bool, batch: &[usize]) -> Result<Self> {
        let (leading, extents) = split(tensor)?;
        let mut lanes = lanes_of(tensor.as_slice::<T>()?);
        if adjoint && T::DTYPE.is_complex() {
            lanes = lanes.iter().map(|lane| lane.conjugate()).collect::<Vec<_>>().into();
        }
        Ok(Self { lanes, extents, adjoint, batch: places(leading, batch) })
    }

    fn matrix(&self, place: usize) -> Matrix<'_, L> {
        let (rows, columns) = self.extents;
        let start = self.batch[place] * rows * columns;
        Matrix::row_major(&self.lanes[start..], rows, columns).transposed(self.adjoint)
    }
}

/// Leading extents, and rows and columns.
fn split(tensor: &Tensor) -> Result<(&[usize], (usize, usize))> {
    match tensor.shape().dims() {
        [leading @ .., rows, columns] => Ok((leading, (*rows, *columns))),
        _ => bail!("inputs must be of rank 2 at least, got shape {}", tensor.shape()),
    }
}

/// The matrix that each place of the broadcast batch takes from an operand with these leading extents.
fn places(leading: &[usize], batch: &[usize]) -> Vec<usize> {
    let skip = batch.len() - leading.len();
    let mut places = vec![0];
    for (axis, &extent) in batch.iter().enumerate() {
        let own = axis.checked_sub(skip).map_or(1, |axis| leading[axis]);
        let position = |i: usize| if own == 1 { 0 } else { i };
        places = places.iter().flat_map(|p| (0..extent).map(move |i| p * own + position(i))).collect();
    }
    places
}

fn multiply<T: Lanes<Lane: Gemm>>(
    env: &dyn KernelEnv,
    sides: [&Tensor; 2],
    adjoint: [bool; 2],
    output: &mut Tensor,
) -> Result<()> {
    let batch = oplink::broadcast_shapes(split(sides[0])?.0, split(sides[1])?.0)?;
    let x = Side::new::<T>(sides[0], adjoint[0], &batch)?;
    let y = Side::new::<T>(sides[1], adjoint[1], &batch)?;
    let [(rows, inner), (other, columns)] =
        [&x, &y].map(|side| if side.adjoint { (side.extents.1, side.extents.0) } else { side.extents });
    ensure!(
        inner == other,
        "matrix size-incompatible: x is {}, y is {}, with inner extents {inner} and {other}",
        sides[0].shape(),
        sides[1].shape()
    );
    if output.num_elements() == 0 {
        return Ok(());
    }
    fill_lanes(output.as_mut_slice::<T>()?, |out| match x.batch.len() {
        1 => product(env, x.matrix(0), y.matrix(0), out),
        _ => for_each_row(env, out, rows * columns, TASK_COST.div_ceil(inner.max(1)), &|place, out| {
            product(&oplink::DefaultEnv, x.matrix(place), y.matrix(place), out);
        }),
    });
    Ok(())
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
        assert!(run_one("BatchMatMul", vec![matrices(&[2, 1, 2]), matrices(&[1, 2, 1])]).is_err());
    }
}

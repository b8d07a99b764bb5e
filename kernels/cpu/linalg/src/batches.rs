//! Products of the matrices in the last two axes, for all versions of `BatchMatMul`.

use std::borrow::Cow;

use oplink::memory::try_collect;
use oplink::parallel::watch;
use oplink::{KernelEnv, prelude::*};

use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::gemm::{Gemm, Matrix, product};
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::for_each_row;

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 18;

/// One side of the product: its matrices and which of them each position of the broadcast batch takes.
struct Side<'a, L: Clone> {
    computed: Cow<'a, [L]>,
    extents: (usize, usize),
    adjoint: bool,
    batch: Vec<usize>,
}

impl<'a, L: Gemm> Side<'a, L> {
    fn new(
        env: &dyn KernelEnv,
        mut computed: Cow<'a, [L]>,
        shape: &Shape,
        adjoint: bool,
        batch: &[usize],
    ) -> Result<Self> {
        let (leading, extents) = split(shape)?;
        if adjoint && L::DTYPE.is_complex() {
            computed = computed.iter().map(|value| value.conjugate()).collect::<Vec<_>>().into();
        }
        Ok(Self { computed, extents, adjoint, batch: positions(env, leading, batch)? })
    }

    fn matrix(&self, position: usize) -> Matrix<'_, L> {
        let (rows, columns) = self.extents;
        let start = self.batch[position] * rows * columns;
        Matrix::row_major(&self.computed[start..], rows, columns).transposed(self.adjoint)
    }
}

/// Leading extents, and rows and columns.
fn split(shape: &Shape) -> Result<(&[usize], (usize, usize))> {
    match shape.dims() {
        [leading @ .., rows, columns] => Ok((leading, (*rows, *columns))),
        _ => bail!("inputs must be of rank 2 at least, got shape {shape}"),
    }
}

/// The matrix that each position of the broadcast batch takes from an operand with these leading extents.
fn positions(env: &dyn KernelEnv, leading: &[usize], batch: &[usize]) -> Result<Vec<usize>> {
    let skip = batch.len() - leading.len();
    let mut positions = vec![0];
    for (axis, &extent) in batch.iter().enumerate() {
        let own = axis.checked_sub(skip).map_or(1, |axis| leading[axis]);
        let at = |i: usize| if own == 1 { 0 } else { i };
        let along = positions.iter().flat_map(|p| (0..extent).map(move |i| p * own + at(i)));
        positions = try_collect(watch(env, along))?;
    }
    Ok(positions)
}

/// Multiplies the matrices of both sides, leading axes broadcast, each adjoint first as `adjoint` declares.
pub(super) fn multiply<T: Computed<ComputeType: Gemm>>(
    env: &dyn KernelEnv,
    sides: [&Tensor; 2],
    adjoint: [bool; 2],
    output: &mut Tensor,
) -> Result<()> {
    let computed = [computed_of(sides[0].as_slice::<T>()?), computed_of(sides[1].as_slice::<T>()?)];
    multiply_converted::<T>(env, computed, sides.map(Tensor::shape), adjoint, output)
}

/// As [`multiply`], for tensors in their compute type, tensors of these shapes.
pub(super) fn multiply_converted<T: Computed<ComputeType: Gemm>>(
    env: &dyn KernelEnv,
    [x, y]: [Cow<'_, [T::ComputeType]>; 2],
    shapes: [&Shape; 2],
    adjoint: [bool; 2],
    output: &mut Tensor,
) -> Result<()> {
    let ((leading, extents), (other_leading, other_extents)) = (split(shapes[0])?, split(shapes[1])?);
    let batch = oplink::shape_inference::broadcast_shapes(leading, other_leading)?;
    let [(rows, inner), (other, columns)] = [(extents, adjoint[0]), (other_extents, adjoint[1])]
        .map(|((rows, columns), adjoint)| if adjoint { (columns, rows) } else { (rows, columns) });
    ensure!(
        inner == other,
        "matrix size-incompatible: x is {}, y is {}, with inner extents {inner} and {other}",
        shapes[0],
        shapes[1]
    );
    if output.num_elements() == 0 {
        return Ok(());
    }
    let x = Side::new(env, x, shapes[0], adjoint[0], &batch)?;
    let y = Side::new(env, y, shapes[1], adjoint[1], &batch)?;
    // One matrix on the right of all: the left ones are the rows of one.
    if !x.adjoint && batch.len() == leading.len() && y.batch.iter().all(|&at| at == 0) {
        let left = Matrix::row_major(&x.computed, x.batch.len() * rows, inner);
        fill_computed(output.as_mut_slice::<T>()?, |out| product(env, left, y.matrix(0), out));
        return Ok(());
    }
    fill_computed(output.as_mut_slice::<T>()?, |out| match x.batch.len() {
        1 => product(env, x.matrix(0), y.matrix(0), out),
        _ => for_each_row(env, out, rows * columns, TASK_COST.div_ceil(inner.max(1)), &|position, out| {
            product(&oplink::DefaultEnv, x.matrix(position), y.matrix(position), out);
        }),
    });
    Ok(())
}

//! Products of the matrices in the last two axes, for all versions of `BatchMatMul`.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use oplink::memory::try_collect;
use oplink::parallel::watch;
use oplink::{KernelEnv, prelude::*};

use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_contraction::dot::halves::{self, HalfFormat};
use oplink_cpu_contraction::finish::Finish;
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

impl<'a, L: Copy> Side<'a, L> {
    fn new(env: &dyn KernelEnv, computed: Cow<'a, [L]>, shape: &Shape, adjoint: bool, batch: &[usize]) -> Result<Self> {
        let (leading, extents) = split(shape)?;
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
    let shapes = sides.map(Tensor::shape);
    if let Some(format) = HalfFormat::of(T::DTYPE)
        && halves::fits(format, extents(shapes, adjoint)?[1])
    {
        let bits = [Cow::Borrowed(format.bits(sides[0])?), Cow::Borrowed(format.bits(sides[1])?)];
        let out = format.bits_mut(output)?;
        return multiply_all(env, bits, shapes, adjoint, out, &|env, left, right, out| {
            halves::multiply_matrices(env, format, (left, right), Finish::default(), out)
        });
    }
    let computed = [computed_of(sides[0].as_slice::<T>()?), computed_of(sides[1].as_slice::<T>()?)];
    multiply_converted::<T>(env, computed, shapes, adjoint, output)
}

/// As [`multiply`], for tensors in their compute type, tensors of these shapes.
pub(super) fn multiply_converted<T: Computed<ComputeType: Gemm>>(
    env: &dyn KernelEnv,
    [x, y]: [Cow<'_, [T::ComputeType]>; 2],
    shapes: [&Shape; 2],
    adjoint: [bool; 2],
    output: &mut Tensor,
) -> Result<()> {
    let computed = [conjugate(x, adjoint[0]), conjugate(y, adjoint[1])];
    fill_computed(output.as_mut_slice::<T>()?, |out| {
        multiply_all(env, computed, shapes, adjoint, out, &|env, left, right, out| {
            product(env, left, right, out);
            Ok(())
        })
    })
}

/// Complex numbers are conjugated where `yes`.
fn conjugate<L: Gemm>(computed: Cow<'_, [L]>, yes: bool) -> Cow<'_, [L]> {
    if !yes || !L::DTYPE.is_complex() {
        return computed;
    }
    computed.iter().map(|value| value.conjugate()).collect::<Vec<_>>().into()
}

/// Rows, inner extent and columns of the products.
fn extents(shapes: [&Shape; 2], adjoint: [bool; 2]) -> Result<[usize; 3]> {
    let sides = [(split(shapes[0])?.1, adjoint[0]), (split(shapes[1])?.1, adjoint[1])];
    let [(rows, inner), (other, columns)] =
        sides.map(|((rows, columns), adjoint)| if adjoint { (columns, rows) } else { (rows, columns) });
    ensure!(
        inner == other,
        "matrix size-incompatible: x is {}, y is {}, with inner extents {inner} and {other}",
        shapes[0],
        shapes[1]
    );
    Ok([rows, inner, columns])
}

/// Writes the product of two matrices.
type Multiply<'a, L, O> = &'a (dyn Fn(&dyn KernelEnv, Matrix<'_, L>, Matrix<'_, L>, &mut [O]) -> Result<()> + Sync);

/// Writes the products of all matrices of two tensors of these shapes, as `multiply` makes one.
fn multiply_all<L: Copy + Send + Sync, O: Send>(
    env: &dyn KernelEnv,
    [x, y]: [Cow<'_, [L]>; 2],
    shapes: [&Shape; 2],
    adjoint: [bool; 2],
    out: &mut [O],
    multiply: Multiply<'_, L, O>,
) -> Result<()> {
    let (leading, other_leading) = (split(shapes[0])?.0, split(shapes[1])?.0);
    let batch = oplink::shape_inference::broadcast_shapes(leading, other_leading)?;
    let [rows, inner, columns] = extents(shapes, adjoint)?;
    if out.is_empty() {
        return Ok(());
    }
    let x = Side::new(env, x, shapes[0], adjoint[0], &batch)?;
    let y = Side::new(env, y, shapes[1], adjoint[1], &batch)?;
    // One matrix on the right of all: the left ones are the rows of one.
    if !x.adjoint && batch.len() == leading.len() && y.batch.iter().all(|&at| at == 0) {
        let left = Matrix::row_major(&x.computed, x.batch.len() * rows, inner);
        return multiply(env, left, y.matrix(0), out);
    }
    if x.batch.len() == 1 {
        return multiply(env, x.matrix(0), y.matrix(0), out);
    }
    let failed = Mutex::new(Ok(()));
    for_each_row(env, out, rows * columns, TASK_COST.div_ceil(inner.max(1)), &|position, out| {
        if let Err(error) = multiply(&oplink::DefaultEnv, x.matrix(position), y.matrix(position), out) {
            *failed.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

//! Tensors with a border, and repeated.

use oplink::prelude::*;
use oplink::shape_inference::int_values;

use crate::arguments;
use crate::array::MirrorMode;
use crate::movement::{Axis, AxisList, CopyBackend, row_major_strides};

/// Positions before each axis, and the padded shape.
///
/// # Errors
/// `paddings` does not fit the shape, or the result is too large.
pub fn padded_shape(shape: &Shape, paddings: &Tensor) -> Result<(Vec<usize>, Shape)> {
    ensure!(
        paddings.shape().dims() == [shape.rank(), 2],
        "paddings must have shape [{},2] for an input of shape {shape}, it has {}",
        shape.rank(),
        paddings.shape()
    );
    let values = int_values(paddings)?;
    // bounded: the rank
    let (mut before, mut padded) = (Vec::with_capacity(shape.rank()), Shape::scalar());
    for (axis, row) in values.chunks_exact(2).enumerate() {
        let (Ok(first), Ok(last)) = (usize::try_from(row[0]), usize::try_from(row[1])) else {
            bail!("paddings of axis {axis} must be >= 0, they are {row:?}")
        };
        let Some(dim) = shape[axis].checked_add(first).and_then(|dim| dim.checked_add(last)) else {
            bail!("axis {axis} of shape {shape} with paddings {row:?} is too large")
        };
        before.push(first);
        padded.push(dim);
    }
    Ok((before, padded))
}

/// `MirrorPad` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn mirror_pad<B: CopyBackend>(
    input: &Tensor,
    paddings: &Tensor,
    mode: MirrorMode,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (before, shape) = padded_shape(input.shape(), paddings)?;
    let edge = skipped_edge(mode);
    let strides = row_major_strides(input.shape());
    let table = |axis: usize| {
        let (dim, after) = (input.shape()[axis], shape[axis] - input.shape()[axis] - before[axis]);
        ensure!(
            before[axis].max(after) + edge <= dim,
            "paddings [{}, {after}] of axis {axis} are larger than what can be mirrored of extent {dim}",
            before[axis]
        );
        Ok((0..shape[axis]).map(|at| mirrored(at, before[axis], dim, edge) as isize * strides[axis]).collect())
    };
    let tables = (0..shape.rank()).map(table).collect::<Result<Vec<Vec<isize>>>>()?;
    let axes: AxisList<'_> = tables.iter().map(|table| Axis::Table(table)).collect();
    B::copy_axes(env, output.allocate(shape)?, input, 0, &axes)
}

/// The number of edge elements that are not mirrored.
pub fn skipped_edge(mode: MirrorMode) -> usize {
    match mode {
        MirrorMode::Reflect => 1,
        MirrorMode::Symmetric => 0,
    }
}

/// The index in the input of index `at` of a padded axis.
pub fn mirrored(at: usize, before: usize, dim: usize, edge: usize) -> usize {
    if at < before {
        before - at - 1 + edge
    } else if at < before + dim {
        at - before
    } else {
        dim - 1 - edge - (at - before - dim)
    }
}

/// `Tile` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn tile<B: CopyBackend>(
    input: Input<'_>,
    multiples: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let multiples = arguments::shape(multiples, "multiples")?;
    ensure!(
        multiples.rank() == input.rank(),
        "multiples {multiples} must have an element for each axis of shape {}",
        input.shape()
    );
    if multiples.iter().all(|&times| times == 1) {
        output.set(input.take());
        return Ok(());
    }
    let mut shape = Shape::scalar();
    for (&dim, &times) in input.shape().iter().zip(multiples.iter()) {
        let Some(dim) = dim.checked_mul(times) else { bail!("{} times {multiples} is too large", input.shape()) };
        shape.push(dim);
    }
    let strides = row_major_strides(input.shape());
    let mut axes = AxisList::new();
    for (axis, (&count, &stride)) in input.shape().iter().zip(&strides).enumerate() {
        axes.push(Axis::Strided { count: multiples[axis], stride: 0 });
        axes.push(Axis::Strided { count, stride });
    }
    B::copy_axes(env, output.allocate(shape)?, &input, 0, &axes)
}

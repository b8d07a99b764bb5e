//! The locations of the elements of a tensor with blocks in its batch in one with blocks along its axes.

use oplink::prelude::*;
use oplink::shape_inference::int_values;

use oplink_cpu_support::movement::{Axis, AxisList, row_major_strides};

/// One axis that is cut into blocks: its extent with the border that is added or cropped, and that border.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocked {
    pub(super) block: usize,
    pub(super) before: usize,
    pub(super) after: usize,
}

/// The inputs `block_shape` (1 or more for each axis) and `borders` ([axes, 2], >= 0) of an input with this shape.
pub(super) fn read(shape: &Shape, block_shape: &[i64], borders: &Tensor, name: &str) -> Result<Vec<Blocked>> {
    let axes = block_shape.len();
    ensure!(
        shape.rank() > axes,
        "the input must have a batch and {axes} axes for block_shape {block_shape:?}, its shape is {shape}"
    );
    ensure!(
        borders.shape().dims() == [axes, 2],
        "{name} must have the shape [{axes},2] for block_shape {block_shape:?}, it has {}",
        borders.shape()
    );
    let blocks = block_shape.iter().try_fold(1usize, |blocks, &block| blocks.checked_mul(usize::try_from(block).ok()?));
    ensure!(blocks.is_some_and(|blocks| i32::try_from(blocks).is_ok()), "block_shape {block_shape:?} is too large");
    let borders = int_values(borders)?;
    let rows = block_shape.iter().zip(borders.chunks_exact(2));
    let read = |(&block, border): (&i64, &[i64])| {
        ensure!(block >= 1, "block_shape {block_shape:?} must be >= 1 everywhere");
        let (Ok(before), Ok(after)) = (usize::try_from(border[0]), usize::try_from(border[1])) else {
            bail!("{name} must be >= 0, they are {border:?}")
        };
        Ok(Blocked { block: block as usize, before, after })
    };
    rows.map(read).collect()
}

/// For each position of the tensor with blocks along its axes, whose shape is `spatial`, the location in the one with
/// blocks in its batch, whose shape is `batched`; a table of offsets for the batch and each blocked axis.
pub(super) fn offsets(spatial: &Shape, batched: &Shape, axes: &[Blocked]) -> Vec<Vec<isize>> {
    let strides = row_major_strides(batched);
    let batch = spatial[0];
    let mut tables = vec![(0..batch).map(|at| at as isize * strides[0]).collect()];
    // A position in the blocks counts as many batches as there are positions in the blocks of later axes.
    let mut step = batch as isize * strides[0] * axes.iter().map(|axis| axis.block as isize).product::<isize>();
    for (number, axis) in axes.iter().enumerate() {
        step /= axis.block as isize;
        let offset = |at: usize| {
            let at = at + axis.before;
            (at % axis.block) as isize * step + (at / axis.block) as isize * strides[1 + number]
        };
        tables.push((0..spatial[1 + number]).map(offset).collect());
    }
    tables
}

/// The tables as axes, with the axes behind them as they are.
pub(super) fn axes<'a>(tables: &'a [Vec<isize>], spatial: &Shape) -> AxisList<'a> {
    let inner = spatial[tables.len()..].iter().product();
    let inner = Axis::Strided { count: inner, stride: 1 };
    tables.iter().map(|table| Axis::Table(table)).chain([inner]).collect()
}

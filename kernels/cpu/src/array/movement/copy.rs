//! Copies from anywhere in a source to a row-major output.

use oplink::KernelEnv;
use oplink::prelude::*;

use super::axes::{Axis, AxisList, collapse};
use super::cell::{Cell, CellJob, with_cells};
use crate::support::parallel::for_each_chunk;

/// Fewest elements that are worth a thread's while.
const GRAIN: usize = 1 << 15;
/// Side of the squares in which two axes are exchanged.
const TILE: usize = 16;

/// A new output of `shape`, whose element at `(i, j, …)` is that of `source` at `base + axes[0].at(i) + axes[1].at(j) + …`.
/// The extents of `axes` multiply to the number of elements of `shape`.
pub fn copy_axes(
    context: &KernelContext<'_>,
    output: usize,
    shape: impl Into<Shape>,
    source: &Tensor,
    base: isize,
    axes: &[Axis<'_>],
) -> Result<Tensor> {
    let mut out = context.allocate_output(output, shape)?;
    copy_axes_into(context.env(), &mut out, source, base, axes)?;
    Ok(out)
}

/// As [`copy_axes`], into a tensor of the source's dtype.
pub fn copy_axes_into(
    env: &dyn KernelEnv,
    out: &mut Tensor,
    source: &Tensor,
    mut base: isize,
    axes: &[Axis<'_>],
) -> Result<()> {
    if out.num_elements() == 0 {
        return Ok(());
    }
    let axes = collapse(axes, &mut base);
    with_cells(source.dtype(), Copy { env, out, source, base, axes: &axes })
}

struct Copy<'a> {
    env: &'a dyn KernelEnv,
    out: &'a mut Tensor,
    source: &'a Tensor,
    base: isize,
    axes: &'a [Axis<'a>],
}

impl CellJob for Copy<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (out, source) = (C::of_mut(self.out)?, C::of(self.source)?);
        let Some((outer, inner)) = self.axes.split_first() else {
            out[0] = source[self.base as usize].clone();
            return Ok(());
        };
        let unit = inner.iter().map(Axis::count).product();
        for_each_chunk(self.env, out, GRAIN.max(unit), unit, &|start, chunk: &mut [C]| {
            let (first, count) = (start / unit, chunk.len() / unit);
            let (base, outer) = part(outer, first, count);
            let mut axes = AxisList::from_slice(inner);
            axes.insert(0, outer);
            copy(chunk, source, self.base + base, &axes);
        });
        Ok(())
    }
}

/// Positions `first..first + count` of an axis.
fn part<'a>(axis: &Axis<'a>, first: usize, count: usize) -> (isize, Axis<'a>) {
    match *axis {
        Axis::Strided { stride, .. } => (first as isize * stride, Axis::Strided { count, stride }),
        Axis::Table(offsets) => (0, Axis::Table(&offsets[first..first + count])),
    }
}

fn copy<C: Cell>(out: &mut [C], source: &[C], base: isize, axes: &[Axis<'_>]) {
    match axes {
        [] => out[0] = source[base as usize].clone(),
        [axis] => copy_row(out, source, base, axis),
        &[Axis::Strided { stride: 1, .. }, Axis::Strided { count, stride }] if stride > 1 => {
            exchange(out, &source[base as usize..], count, stride as usize);
        }
        [outer, inner @ ..] => {
            let length = out.len() / outer.count();
            for (position, row) in out.chunks_exact_mut(length).enumerate() {
                copy(row, source, base + outer.at(position), inner);
            }
        }
    }
}

fn copy_row<C: Cell>(out: &mut [C], source: &[C], base: isize, axis: &Axis<'_>) {
    let start = base as usize;
    match *axis {
        Axis::Strided { stride: 1, .. } => out.clone_from_slice(&source[start..start + out.len()]),
        Axis::Strided { stride: 0, .. } => out.fill(source[start].clone()),
        Axis::Strided { stride, .. } if stride > 0 => {
            let values = source[start..].iter().step_by(stride as usize);
            out.iter_mut().zip(values).for_each(|(o, v)| *o = v.clone());
        }
        Axis::Strided { stride, .. } => {
            let values = source[..=start].iter().rev().step_by(stride.unsigned_abs());
            out.iter_mut().zip(values).for_each(|(o, v)| *o = v.clone());
        }
        Axis::Table(offsets) => {
            out.iter_mut().zip(offsets).for_each(|(o, at)| *o = source[(base + at) as usize].clone());
        }
    }
}

/// Writes rows of `columns` elements, where element `(i, j)` is that of `source` at `i + j * stride`, tile by tile.
fn exchange<C: Cell>(out: &mut [C], source: &[C], columns: usize, stride: usize) {
    for (block, rows) in out.chunks_mut(TILE * columns).enumerate() {
        let row_count = rows.len() / columns;
        for left in (0..columns).step_by(TILE) {
            let width = TILE.min(columns - left);
            for column in left..left + width {
                let values = &source[block * TILE + column * stride..][..row_count];
                for (row, value) in values.iter().enumerate() {
                    rows[row * columns + column] = value.clone();
                }
            }
        }
    }
}

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
        [axis] => copy_rows(out, source, base, &Axis::Strided { count: 1, stride: 0 }, axis),
        &[Axis::Strided { stride: 1, .. }, Axis::Strided { count, stride }] if stride > 1 => {
            exchange(out, &source[base as usize..], count, stride as usize);
        }
        [outer, inner] => copy_rows(out, source, base, outer, inner),
        [outer, inner @ ..] => {
            let length = out.len() / outer.count();
            for (position, row) in out.chunks_exact_mut(length).enumerate() {
                copy(row, source, base + outer.at(position), inner);
            }
        }
    }
}

/// Writes a row for each position of `outer`; what kind `inner` is, is looked up once for all.
fn copy_rows<C: Cell>(out: &mut [C], source: &[C], base: isize, outer: &Axis<'_>, inner: &Axis<'_>) {
    let length = inner.count();
    let rows = out.chunks_exact_mut(length).enumerate();
    let rows = rows.map(|(position, row)| (row, (base + outer.at(position)) as usize));
    match *inner {
        Axis::Strided { stride: 1, .. } => {
            rows.for_each(|(row, start)| row.clone_from_slice(&source[start..start + length]));
        }
        Axis::Strided { stride: 0, .. } => rows.for_each(|(row, start)| row.fill(source[start].clone())),
        Axis::Strided { stride, .. } if stride > 0 => rows.for_each(|(row, start)| {
            let values = source[start..].iter().step_by(stride as usize);
            row.iter_mut().zip(values).for_each(|(o, v)| *o = v.clone());
        }),
        Axis::Strided { stride, .. } => rows.for_each(|(row, start)| {
            let values = source[..=start].iter().rev().step_by(stride.unsigned_abs());
            row.iter_mut().zip(values).for_each(|(o, v)| *o = v.clone());
        }),
        Axis::Table(offsets) => rows.for_each(|(row, start)| {
            let values = offsets.iter().map(|at| &source[(start as isize + at) as usize]);
            row.iter_mut().zip(values).for_each(|(o, v)| *o = v.clone());
        }),
    }
}

/// Writes rows of `columns` elements, where element `(i, j)` is that of `source` at `i + j * stride`.
///
/// Goes by way of a square that holds a tile, so that each line of the cache is read and written once.
fn exchange<C: Cell>(out: &mut [C], source: &[C], columns: usize, stride: usize) {
    let mut square: [[C; TILE]; TILE] = std::array::from_fn(|_| std::array::from_fn(|_| C::default()));
    for (block, rows) in out.chunks_mut(TILE * columns).enumerate() {
        let height = rows.len() / columns;
        for left in (0..columns).step_by(TILE) {
            let width = TILE.min(columns - left);
            for (column, square) in (0..width).zip(&mut square) {
                square[..height].clone_from_slice(&source[block * TILE + (left + column) * stride..][..height]);
            }
            for (number, row) in rows.chunks_exact_mut(columns).enumerate() {
                match row[left..].first_chunk_mut::<TILE>() {
                    Some(row) => row.iter_mut().zip(&square).for_each(|(o, column)| *o = column[number].clone()),
                    None => row[left..].iter_mut().zip(&square).for_each(|(o, column)| *o = column[number].clone()),
                }
            }
        }
    }
}

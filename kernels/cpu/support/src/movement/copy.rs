//! Copies from any offsets of a source to a row-major output.

use oplink::KernelEnv;
use oplink::prelude::*;

use super::cell::{Cell, CellJob, with_cells};
use crate::parallel::for_each_chunk;
use oplink_ops::movement::{Axis, AxisList, collapse};

/// Fewest elements that are worth a thread.
const GRAIN: usize = 1 << 15;
/// Side of the squares in which two axes are exchanged.
const TILE: usize = 16;

/// Writes to `out`, row-major and of the source's dtype, the element of `source` at
/// `base + axes[0].at(i) + axes[1].at(j) + …` for each `(i, j, …)`. The extents of `axes` multiply to the number of
/// elements of `out`.
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
        &[Axis::Strided { stride: 1, .. }, Axis::Strided { count, stride }]
            if C::IS_PLAIN && stride > 1 && out.len() > TILE * TILE =>
        {
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

/// Writes a row for each position of `outer`; the kind of `inner` is looked up once for all.
fn copy_rows<C: Cell>(out: &mut [C], source: &[C], base: isize, outer: &Axis<'_>, inner: &Axis<'_>) {
    let length = inner.count();
    let start = |position: usize| (base + outer.at(position)) as usize;
    match *inner {
        Axis::Strided { stride: 1, .. } => {
            for (position, row) in out.chunks_exact_mut(length).enumerate() {
                row.clone_from_slice(&source[start(position)..][..length]);
            }
        }
        Axis::Strided { stride: 0, .. } => {
            for (position, row) in out.chunks_exact_mut(length).enumerate() {
                row.fill(source[start(position)].clone());
            }
        }
        Axis::Strided { stride, .. } => {
            for (position, row) in out.chunks_exact_mut(length).enumerate() {
                let mut at = start(position);
                for out in row {
                    out.clone_from(&source[at]);
                    at = at.wrapping_add_signed(stride);
                }
            }
        }
        Axis::Table(offsets) => {
            for (position, row) in out.chunks_exact_mut(length).enumerate() {
                let start = start(position) as isize;
                for (out, offset) in row.iter_mut().zip(offsets) {
                    out.clone_from(&source[(start + offset) as usize]);
                }
            }
        }
    }
}

/// Writes rows of `columns` elements, where element `(i, j)` is that of `source` at `i + j * stride`.
///
/// Goes by way of a square that holds a tile, so that each cache line is read and written once.
fn exchange<C: Cell>(out: &mut [C], source: &[C], columns: usize, stride: usize) {
    let mut square = vec![C::default(); TILE * TILE];
    for (block, rows) in out.chunks_mut(TILE * columns).enumerate() {
        let height = rows.len() / columns;
        for left in (0..columns).step_by(TILE) {
            let width = TILE.min(columns - left);
            for (column, square) in (0..width).zip(square.chunks_exact_mut(TILE)) {
                square[..height].clone_from_slice(&source[block * TILE + (left + column) * stride..][..height]);
            }
            for (number, row) in rows.chunks_exact_mut(columns).enumerate() {
                for (out, column) in row[left..][..width].iter_mut().zip(square.chunks_exact(TILE)) {
                    out.clone_from(&column[number]);
                }
            }
        }
    }
}

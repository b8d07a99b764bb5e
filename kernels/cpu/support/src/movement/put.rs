//! Copies from a row-major source to any offsets of an output: the inverse of `copy_axes_into`.

use oplink::prelude::*;

use super::cell::{Cell, CellJob, with_cells};
use oplink_ops::movement::{Axis, collapse};

/// Writes the element of `source` at `(i, j, …)` to that of `out` at `base + axes[0].at(i) + axes[1].at(j) + …`. The
/// extents of `axes` multiply to the number of elements of `source`; both have one dtype, and elements of `out` that
/// none is written to keep their values.
pub fn put_axes(out: &mut Tensor, mut base: isize, axes: &[Axis<'_>], source: &Tensor) -> Result<()> {
    if source.num_elements() == 0 {
        return Ok(());
    }
    let axes = collapse(axes, &mut base);
    with_cells(source.dtype(), Put { out, base, axes: &axes, source })
}

struct Put<'a> {
    out: &'a mut Tensor,
    base: isize,
    axes: &'a [Axis<'a>],
    source: &'a Tensor,
}

impl CellJob for Put<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        put(C::of_mut(self.out)?, self.base, self.axes, C::of(self.source)?);
        Ok(())
    }
}

fn put<C: Cell>(out: &mut [C], base: isize, axes: &[Axis<'_>], source: &[C]) {
    match axes {
        [] => out[base as usize].clone_from(&source[0]),
        [Axis::Strided { stride: 1, .. }] => out[base as usize..][..source.len()].clone_from_slice(source),
        [axis] => {
            for (position, value) in source.iter().enumerate() {
                out[(base + axis.at(position)) as usize].clone_from(value);
            }
        }
        [outer, inner @ ..] => {
            let length = source.len() / outer.count();
            for (position, row) in source.chunks_exact(length).enumerate() {
                put(out, base + outer.at(position), inner, row);
            }
        }
    }
}

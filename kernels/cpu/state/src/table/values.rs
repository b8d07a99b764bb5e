//! The values of a table: rows of a tensor that has room for more.

use oplink::prelude::*;

use super::keys::Removed;
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};

/// Rows of one shape.
#[derive(Debug)]
pub(super) struct Values {
    tensor: Tensor,
    /// Elements of a row.
    width: usize,
}

impl Values {
    pub(super) fn new(dtype: DType, row: &Shape) -> Result<Self> {
        Ok(Self { tensor: Tensor::zeros(dtype, [&[0], row.dims()].concat())?, width: row.num_elements() })
    }

    /// Makes room for `rows` rows that nobody else sees.
    fn reserve(&mut self, rows: usize) -> Result<()> {
        let (room, dtype) = (self.tensor.shape()[0], self.tensor.dtype());
        if rows <= room && self.tensor.is_unique() {
            return Ok(());
        }
        let rows = if rows <= room { room } else { rows.max(2 * room) };
        let mut shape = self.tensor.shape().clone();
        shape.dims_mut()[0] = rows;
        let mut tensor = Tensor::zeros(dtype, shape)?;
        with_cells(dtype, Prefix { to: &mut tensor, from: &self.tensor })?;
        self.tensor = tensor;
        Ok(())
    }

    /// Writes the rows of `from` at `rows`, of which `count` is more than the largest.
    pub(super) fn write(&mut self, rows: &[usize], count: usize, from: &Tensor) -> Result<()> {
        // bounded: rows of a tensor
        self.reserve(count)?;
        with_cells(from.dtype(), Write { to: &mut self.tensor, rows, width: self.width, from })
    }

    /// Moves the last row to the place of each row that goes.
    pub(super) fn remove(&mut self, removed: &[Removed]) -> Result<()> {
        self.reserve(0)?;
        with_cells(self.tensor.dtype(), Remove { values: &mut self.tensor, removed, width: self.width })
    }

    /// Writes to `out` the rows at `rows`, and where there is none that of `default`, which has one row or as many.
    pub(super) fn read(&self, rows: &[Option<usize>], default: &Tensor, out: &mut Tensor) -> Result<()> {
        with_cells(out.dtype(), Read { from: &self.tensor, rows, width: self.width, default, out })
    }

    /// The first rows; they share memory until the next write.
    pub(super) fn first(&self, count: usize) -> Result<Tensor> {
        self.tensor.slice(0, count)
    }
}

struct Prefix<'a> {
    to: &'a mut Tensor,
    from: &'a Tensor,
}

impl CellJob for Prefix<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let from = C::of(self.from)?;
        C::of_mut(self.to)?[..from.len()].clone_from_slice(from);
        Ok(())
    }
}

struct Write<'a> {
    to: &'a mut Tensor,
    rows: &'a [usize],
    width: usize,
    from: &'a Tensor,
}

impl CellJob for Write<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (to, from, width) = (C::of_mut(self.to)?, C::of(self.from)?, self.width);
        for (at, row) in self.rows.iter().enumerate() {
            to[row * width..][..width].clone_from_slice(&from[at * width..][..width]);
        }
        Ok(())
    }
}

struct Remove<'a> {
    values: &'a mut Tensor,
    removed: &'a [Removed],
    width: usize,
}

impl CellJob for Remove<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (values, width) = (C::of_mut(self.values)?, self.width);
        for removed in self.removed {
            for at in 0..width {
                let moved = std::mem::take(&mut values[removed.last * width + at]);
                if removed.row != removed.last {
                    values[removed.row * width + at] = moved;
                }
            }
        }
        Ok(())
    }
}

struct Read<'a> {
    from: &'a Tensor,
    rows: &'a [Option<usize>],
    width: usize,
    default: &'a Tensor,
    out: &'a mut Tensor,
}

impl CellJob for Read<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (from, default, width) = (C::of(self.from)?, C::of(self.default)?, self.width);
        if width == 0 {
            return Ok(());
        }
        let each = default.len() > width;
        for (at, (out, row)) in C::of_mut(self.out)?.chunks_exact_mut(width).zip(self.rows).enumerate() {
            match row {
                Some(row) => out.clone_from_slice(&from[row * width..][..width]),
                None => out.clone_from_slice(&default[if each { at * width } else { 0 }..][..width]),
            }
        }
        Ok(())
    }
}

//! The parts of a sparse tensor, checked against each other.

use std::cmp::Ordering;

use oplink::prelude::*;

/// The rows of an indices tensor.
#[derive(Clone, Copy)]
pub(crate) struct Coordinates<'a> {
    values: &'a [i64],
    pub(crate) count: usize,
    pub(crate) rank: usize,
}

impl<'a> Coordinates<'a> {
    /// The rows of a matrix of int64.
    pub(crate) fn of(indices: &'a Tensor, name: &str) -> Result<Self> {
        let &[count, rank] = indices.shape().dims() else {
            bail!("{name} must be a matrix, its shape is {}", indices.shape())
        };
        Ok(Self { values: indices.as_slice()?, count, rank })
    }

    pub(crate) fn row(&self, at: usize) -> &'a [i64] {
        &self.values[at * self.rank..][..self.rank]
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &'a [i64]> + use<'a> {
        let rows = *self;
        (0..rows.count).map(move |at| rows.row(at))
    }

    /// Positions of the rows in the order of these axes, equal rows as they come.
    pub(crate) fn sorted_by(&self, axes: &[usize]) -> Result<Vec<usize>> {
        let mut order = oplink::memory::try_collect(0..self.count)?;
        order.sort_by(|&a, &b| compare(self.row(a), self.row(b), axes));
        Ok(order)
    }
}

/// Compares two rows axis by axis.
fn compare(a: &[i64], b: &[i64], axes: &[usize]) -> Ordering {
    axes.iter().map(|&axis| a[axis].cmp(&b[axis])).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// A sparse tensor whose parts fit each other; indices may lie outside of the shape and come in any order.
pub(crate) struct Sparse<'a> {
    pub(crate) at: Coordinates<'a>,
    pub(crate) values: &'a Tensor,
    pub(crate) shape: Shape,
}

impl<'a> Sparse<'a> {
    /// A sparse tensor of its three parts; `name` stands before their names in errors.
    pub(crate) fn new(indices: &'a Tensor, values: &'a Tensor, shape: &Tensor, name: &str) -> Result<Self> {
        let at = Coordinates::of(indices, &format!("{name}indices"))?;
        ensure!(values.rank() == 1, "{name}values must be a vector, its shape is {}", values.shape());
        let own = values.num_elements();
        ensure!(own == at.count, "{name}values has {own} elements for {} rows of {name}indices", at.count);
        let shape = oplink_ops::arguments::shape(shape, &format!("{name}shape"))?;
        let rank = at.rank;
        ensure!(rank == shape.rank(), "{name}indices has {rank} columns for {name}shape {shape}");
        Ok(Self { at, values, shape })
    }

    /// An error where an index is outside of the shape.
    pub(crate) fn check_bounds(&self) -> Result<()> {
        self.at.rows().enumerate().try_for_each(|(at, row)| check_inside(row, &self.shape, at))
    }

    /// An error where an index is outside of the shape, or rows do not rise in row-major order.
    pub(crate) fn check_order(&self) -> Result<()> {
        for (at, row) in self.at.rows().enumerate() {
            check_inside(row, &self.shape, at)?;
            let rises = at == 0 || self.at.row(at - 1) < row;
            ensure!(rises, "indices[{at}] = {row:?} is out of order or repeated");
        }
        Ok(())
    }
}

/// An error where a row is outside of the shape.
pub(crate) fn check_inside(row: &[i64], shape: &Shape, at: usize) -> Result<()> {
    let inside = row.iter().zip(shape.iter()).all(|(&index, &dim)| index >= 0 && (index as u64) < dim as u64);
    ensure!(inside, "indices[{at}] = {row:?} is outside of the shape {shape}");
    Ok(())
}

/// The position of a row in a tensor of these strides; where the row is outside of the shape, any number.
pub(crate) fn position(row: impl IntoIterator<Item = i64>, strides: &[isize]) -> i64 {
    let terms = row.into_iter().zip(strides).map(|(index, &stride)| index.wrapping_mul(stride as i64));
    terms.fold(0, i64::wrapping_add)
}

/// Ranges of consecutive positions whose rows agree along these axes.
pub(crate) fn groups(at: Coordinates<'_>, order: &[usize], axes: &[usize]) -> Result<Vec<std::ops::Range<usize>>> {
    let mut groups: Vec<std::ops::Range<usize>> = oplink::memory::try_vec(order.len())?;
    for (position, &row) in order.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if compare(at.row(order[group.start]), at.row(row), axes).is_eq() => group.end = position + 1,
            _ => groups.push(position..position + 1),
        }
    }
    Ok(groups)
}

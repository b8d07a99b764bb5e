//! Copies in one kind of memory: an op that only moves elements is written once, and serves each of them.

use oplink::prelude::*;

use super::Axis;

/// A part of each output row: so many elements of a tensor that holds them row after row.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The tensor.
    pub tensor: &'a Tensor,
    /// Elements it gives each row.
    pub length: usize,
}

/// The copies that ops are made of, in one kind of memory. Inputs and outputs are in it, but for those that the
/// kernel's `host_memory` names.
pub trait CopyBackend {
    /// Writes to `out`, row-major and of the source's dtype, the element of `source` at
    /// `base + axes[0].at(i) + axes[1].at(j) + …` for each `(i, j, …)`. The extents of `axes` multiply to the number of
    /// elements of `out`.
    ///
    /// # Errors
    /// Memory runs out, or the device refuses the work.
    fn copy_axes(env: Env<'_>, out: &mut Tensor, source: &Tensor, base: isize, axes: &[Axis<'_>]) -> Result<()>;

    /// Writes the element of `source` at `(i, j, …)` to that of `out` at `base + axes[0].at(i) + axes[1].at(j) + …`.
    /// The extents of `axes` multiply to the number of elements of `source`; both have one dtype, and elements of `out`
    /// that none is written to keep their values.
    ///
    /// # Errors
    /// As [`copy_axes`](Self::copy_axes).
    fn put_axes(env: Env<'_>, out: &mut Tensor, base: isize, axes: &[Axis<'_>], source: &Tensor) -> Result<()>;

    /// Writes rows, each being the pieces one after the other. `out` has the pieces' dtype and as many elements
    /// together.
    ///
    /// # Errors
    /// As [`copy_axes`](Self::copy_axes).
    fn join_rows(env: Env<'_>, out: &mut Tensor, pieces: &[Piece<'_>]) -> Result<()>;

    /// Writes `value`, a tensor of one element of the dtype of `out`, in either memory, everywhere; the dtype's default
    /// where `None`.
    ///
    /// # Errors
    /// As [`copy_axes`](Self::copy_axes).
    fn fill(env: Env<'_>, out: &mut Tensor, value: Option<&Tensor>) -> Result<()>;

    /// Whether the rows of `tensor` from `row` on may be an output in the memory that they are in.
    fn may_share(tensor: &Tensor, row: usize) -> bool;
}

//! Copies in one kind of memory: an op that only copies elements is written once, and serves each of them.

use oplink::prelude::*;

use super::{Axis, Piece, copy_axes_into, fill, join_rows, put_axes};

/// The copies that ops are made of, in one kind of memory. Inputs and outputs are in it, but for those that the kernel's
/// `host_memory` names.
pub trait CopyBackend {
    /// Writes elements of `source` from anywhere to `out`, as [`copy_axes_into`] does.
    ///
    /// # Errors
    /// Memory runs out, or the device refuses the work.
    fn copy_axes(env: Env<'_>, out: &mut Tensor, source: &Tensor, base: isize, axes: &[Axis<'_>]) -> Result<()>;

    /// Writes the elements of `source` anywhere in `out`, as [`put_axes`] does.
    ///
    /// # Errors
    /// As [`copy_axes`](Self::copy_axes).
    fn put_axes(env: Env<'_>, out: &mut Tensor, base: isize, axes: &[Axis<'_>], source: &Tensor) -> Result<()>;

    /// Writes rows, each being the pieces one after the other, as [`join_rows`] does.
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

/// Copies in host memory.
#[derive(Debug)]
pub struct Host;

impl CopyBackend for Host {
    fn copy_axes(env: Env<'_>, out: &mut Tensor, source: &Tensor, base: isize, axes: &[Axis<'_>]) -> Result<()> {
        copy_axes_into(&env, out, source, base, axes)
    }

    fn put_axes(_: Env<'_>, out: &mut Tensor, base: isize, axes: &[Axis<'_>], source: &Tensor) -> Result<()> {
        put_axes(out, base, axes, source)
    }

    fn join_rows(env: Env<'_>, out: &mut Tensor, pieces: &[Piece<'_>]) -> Result<()> {
        join_rows(&env, out, pieces)
    }

    fn fill(_: Env<'_>, out: &mut Tensor, value: Option<&Tensor>) -> Result<()> {
        fill(out, value)
    }

    fn may_share(_: &Tensor, _: usize) -> bool {
        true
    }
}

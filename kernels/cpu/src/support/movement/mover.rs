//! Where elements are moved: an op that only moves elements is written once, and serves each kind of memory.

use oplink::prelude::*;

use super::{Axis, Piece, copy_axes, fill, join_rows, put_axes};

/// The moves that ops are made of, in one kind of memory. Inputs and outputs of the context are in it, but for those that
/// the kernel's `host_memory` names.
pub trait Mover {
    /// A new output of `shape` with elements of `source` from anywhere, as [`copy_axes`] says.
    ///
    /// # Errors
    /// Memory runs out, or the device refuses the work.
    fn copy_axes(
        context: &KernelContext<'_>,
        output: usize,
        shape: Shape,
        source: &Tensor,
        base: isize,
        axes: &[Axis<'_>],
    ) -> Result<Tensor>;

    /// Writes the elements of `source` anywhere in `out`, as [`put_axes`] says.
    ///
    /// # Errors
    /// As [`copy_axes`](Self::copy_axes).
    fn put_axes(
        context: &KernelContext<'_>,
        out: &mut Tensor,
        base: isize,
        axes: &[Axis<'_>],
        source: &Tensor,
    ) -> Result<()>;

    /// Writes rows, each being the pieces one after the other, as [`join_rows`] says.
    ///
    /// # Errors
    /// As [`copy_axes`](Self::copy_axes).
    fn join_rows(context: &KernelContext<'_>, out: &mut Tensor, pieces: &[Piece<'_>]) -> Result<()>;

    /// Writes `value`, a tensor of one element of the dtype of `out`, in either memory, everywhere; the dtype's default
    /// where `None`.
    ///
    /// # Errors
    /// As [`copy_axes`](Self::copy_axes).
    fn fill(context: &KernelContext<'_>, out: &mut Tensor, value: Option<&Tensor>) -> Result<()>;

    /// Whether the rows of `tensor` from `row` on may be an output in the memory that they are in.
    fn may_share(tensor: &Tensor, row: usize) -> bool;
}

/// Moves in host memory.
#[derive(Debug)]
pub struct Host;

impl Mover for Host {
    fn copy_axes(
        context: &KernelContext<'_>,
        output: usize,
        shape: Shape,
        source: &Tensor,
        base: isize,
        axes: &[Axis<'_>],
    ) -> Result<Tensor> {
        copy_axes(context, output, shape, source, base, axes)
    }

    fn put_axes(
        _: &KernelContext<'_>,
        out: &mut Tensor,
        base: isize,
        axes: &[Axis<'_>],
        source: &Tensor,
    ) -> Result<()> {
        put_axes(out, base, axes, source)
    }

    fn join_rows(context: &KernelContext<'_>, out: &mut Tensor, pieces: &[Piece<'_>]) -> Result<()> {
        join_rows(context.env(), out, pieces)
    }

    fn fill(_: &KernelContext<'_>, out: &mut Tensor, value: Option<&Tensor>) -> Result<()> {
        fill(out, value)
    }

    fn may_share(_: &Tensor, _: usize) -> bool {
        true
    }
}

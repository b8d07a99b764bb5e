//! The copies of ops in host memory.

use oplink::prelude::*;

use oplink_ops::movement::{Axis, CopyBackend, Piece};

use super::{copy_axes_into, fill, join_rows, put_axes};

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

    fn fill(env: Env<'_>, out: &mut Tensor, value: Option<&Tensor>) -> Result<()> {
        fill(&env, out, value)
    }

    fn may_share(_: &Tensor, _: usize) -> bool {
        true
    }
}

//! Outputs whose rows are made of the rows of several tensors.

use oplink::KernelEnv;
use oplink::prelude::*;

use oplink_ops::movement::Piece;

use super::cell::{Cell, CellJob, with_cells};
use crate::parallel::{for_each_chunk, poll};

/// Fewest elements that are worth a thread.
const GRAIN: usize = 1 << 15;

/// Writes rows, each being the pieces one after the other. `out` has the pieces' dtype and as many elements together.
pub fn join_rows(env: &dyn KernelEnv, out: &mut Tensor, pieces: &[Piece<'_>]) -> Result<()> {
    if out.num_elements() == 0 {
        return Ok(());
    }
    with_cells(out.dtype(), Join { env, out, pieces })
}

/// Elements that are copied between two looks at the step.
const BLOCK: usize = 1 << 18;

fn copy<C: Cell>(env: &dyn KernelEnv, to: &mut [C], from: &[C]) {
    if to.len() <= BLOCK {
        return to.clone_from_slice(from);
    }
    for (to, from) in to.chunks_mut(BLOCK).zip(from.chunks(BLOCK)) {
        poll(env);
        to.clone_from_slice(from);
    }
}

struct Join<'a> {
    env: &'a dyn KernelEnv,
    out: &'a mut Tensor,
    pieces: &'a [Piece<'a>],
}

impl CellJob for Join<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let width: usize = self.pieces.iter().map(|piece| piece.length).sum();
        let sources = self.pieces.iter().map(|piece| Ok((C::of(piece.tensor)?, piece.length)));
        let sources = sources.collect::<Result<Vec<_>>>()?;
        for_each_chunk(self.env, C::of_mut(self.out)?, GRAIN.max(width), width, &|start, chunk: &mut [C]| {
            for (row, mut rest) in chunk.chunks_exact_mut(width).enumerate() {
                let row = start / width + row;
                for &(source, length) in &sources {
                    let (part, after) = rest.split_at_mut(length);
                    copy(self.env, part, &source[row * length..][..length]);
                    rest = after;
                }
            }
        });
        Ok(())
    }
}

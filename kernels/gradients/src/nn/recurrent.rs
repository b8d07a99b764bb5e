//! Recurrent cells over sequences.

use oplink::prelude::*;
use oplink_ops::{BlockLSTM, BlockLSTMGrad, BlockLSTMGradV2, BlockLSTMV2};

use crate::Gradients;
use crate::nodes::Nodes;

/// By the inputs but the length, of the inputs, the outputs, and the gradients of `cs` and `h`, by the op `G`.
fn sequence<G: Op>(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::of_dtype(scope, op.input_dtype(1));
    let mut inputs: Vec<_> = (0..9).map(|at| op.input(at)).collect();
    inputs.extend((0..7).map(|at| op.output(at)));
    inputs.extend([dy[1], dy[6]]);
    let found = n.like::<G>(op, inputs, &["use_peephole"])?;
    Ok(std::iter::once(None).chain(found.into_iter().map(Some)).collect())
}

#[gradient(BlockLSTM)]
fn block_lstm(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    sequence::<BlockLSTMGrad>(scope, op, dy)
}

#[gradient(BlockLSTMV2)]
fn block_lstm_v2(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    sequence::<BlockLSTMGradV2>(scope, op, dy)
}

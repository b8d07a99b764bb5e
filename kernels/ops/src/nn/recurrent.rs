//! Recurrent cells whose gates are one product: long short-term memory (Hochreiter and Schmidhuber, 1997; with
//! peepholes, Gers and Schmidhuber, 2000) and gated recurrent units (Cho et al., 2014).
//!
//! Of long short-term memory, `w` [input + cell, 4 cell] and `b` [4 cell] hold the gates in the order input, new state,
//! forget, output; in the second versions input, forget, new state, output. With `use_peephole` the weights `wci`,
//! `wcf` and `wco` [cell] let the gates see the state `cs`:
//!
//! ```text
//! i  = sigmoid(x w_i + h_prev w_i + b_i + wci cs_prev)
//! f  = sigmoid(… + forget_bias + wcf cs_prev)
//! ci = tanh(…)
//! cs = clip(f cs_prev + i ci, -cell_clip, cell_clip), where cell_clip > 0
//! o  = sigmoid(… + wco cs)
//! co = tanh(cs)
//! h  = o co
//! ```

use oplink::prelude::*;
use oplink::shape::Dim;

/// One step of long short-term memory: `x` is [batch, input], the states and the outputs are [batch, cell].
#[op(
    "LSTMBlockCell",
    input = "x: T",
    input = "cs_prev: T",
    input = "h_prev: T",
    input = "w: T",
    input = "wci: T",
    input = "wcf: T",
    input = "wco: T",
    input = "b: T",
    output = "i: T",
    output = "cs: T",
    output = "f: T",
    output = "o: T",
    output = "ci: T",
    output = "co: T",
    output = "h: T",
    attr = "forget_bias: float = 1",
    attr = "cell_clip: float = 3",
    attr = "use_peephole: bool = false",
    attr = "T: {half, float}",
    shape = lstm_cell_shape
)]
pub struct LSTMBlockCell;

/// The gradients of one step of `LSTMBlockCell`; `dicfo` is that by the gates, [batch, 4 cell].
///
/// Without `use_peephole`, those by the peepholes are zeros.
#[op(
    "LSTMBlockCellGrad",
    input = "x: T",
    input = "cs_prev: T",
    input = "h_prev: T",
    input = "w: T",
    input = "wci: T",
    input = "wcf: T",
    input = "wco: T",
    input = "b: T",
    input = "i: T",
    input = "cs: T",
    input = "f: T",
    input = "o: T",
    input = "ci: T",
    input = "co: T",
    input = "cs_grad: T",
    input = "h_grad: T",
    output = "cs_prev_grad: T",
    output = "dicfo: T",
    output = "wci_grad: T",
    output = "wcf_grad: T",
    output = "wco_grad: T",
    attr = "use_peephole: bool",
    attr = "T: {half, float}",
    shape = lstm_cell_grad_shape
)]
pub struct LSTMBlockCellGrad;

/// Long short-term memory over a sequence: `x` is [time, batch, input], the states are [batch, cell], the outputs
/// [time, batch, cell].
///
/// Only the first `seq_len_max` steps are computed; the outputs of the others are zeros.
#[op(
    "BlockLSTM",
    input = "seq_len_max: int64",
    input = "x: T",
    input = "cs_prev: T",
    input = "h_prev: T",
    input = "w: T",
    input = "wci: T",
    input = "wcf: T",
    input = "wco: T",
    input = "b: T",
    output = "i: T",
    output = "cs: T",
    output = "f: T",
    output = "o: T",
    output = "ci: T",
    output = "co: T",
    output = "h: T",
    attr = "forget_bias: float = 1",
    attr = "cell_clip: float = 3",
    attr = "use_peephole: bool = false",
    attr = "T: {half, float}",
    shape = lstm_shape
)]
pub struct BlockLSTM;

/// As `BlockLSTM`, with the gates in the order input, forget, new state, output, and without a bias of its own.
#[op(
    "BlockLSTMV2",
    input = "seq_len_max: int64",
    input = "x: T",
    input = "cs_prev: T",
    input = "h_prev: T",
    input = "w: T",
    input = "wci: T",
    input = "wcf: T",
    input = "wco: T",
    input = "b: T",
    output = "i: T",
    output = "cs: T",
    output = "f: T",
    output = "o: T",
    output = "ci: T",
    output = "co: T",
    output = "h: T",
    attr = "cell_clip: float = 0",
    attr = "use_peephole: bool = false",
    attr = "T: {half, float}",
    shape = lstm_shape
)]
pub struct BlockLSTMV2;

/// The gradients of `BlockLSTM`, of its inputs, its outputs, and the gradients of `cs` and `h`.
///
/// Clipping has no part in them. Without `use_peephole`, those by the peepholes are zeros.
#[op(
    "BlockLSTMGrad",
    input = "seq_len_max: int64",
    input = "x: T",
    input = "cs_prev: T",
    input = "h_prev: T",
    input = "w: T",
    input = "wci: T",
    input = "wcf: T",
    input = "wco: T",
    input = "b: T",
    input = "i: T",
    input = "cs: T",
    input = "f: T",
    input = "o: T",
    input = "ci: T",
    input = "co: T",
    input = "h: T",
    input = "cs_grad: T",
    input = "h_grad: T",
    output = "x_grad: T",
    output = "cs_prev_grad: T",
    output = "h_prev_grad: T",
    output = "w_grad: T",
    output = "wci_grad: T",
    output = "wcf_grad: T",
    output = "wco_grad: T",
    output = "b_grad: T",
    attr = "use_peephole: bool",
    attr = "T: {half, float}",
    shape = lstm_grad_shape
)]
pub struct BlockLSTMGrad;

/// The gradients of `BlockLSTMV2`, as those of `BlockLSTM`.
#[op(
    "BlockLSTMGradV2",
    input = "seq_len_max: int64",
    input = "x: T",
    input = "cs_prev: T",
    input = "h_prev: T",
    input = "w: T",
    input = "wci: T",
    input = "wcf: T",
    input = "wco: T",
    input = "b: T",
    input = "i: T",
    input = "cs: T",
    input = "f: T",
    input = "o: T",
    input = "ci: T",
    input = "co: T",
    input = "h: T",
    input = "cs_grad: T",
    input = "h_grad: T",
    output = "x_grad: T",
    output = "cs_prev_grad: T",
    output = "h_prev_grad: T",
    output = "w_grad: T",
    output = "wci_grad: T",
    output = "wcf_grad: T",
    output = "wco_grad: T",
    output = "b_grad: T",
    attr = "use_peephole: bool",
    attr = "T: {half, float}",
    shape = lstm_grad_shape
)]
pub struct BlockLSTMGradV2;

/// One step of a gated recurrent unit: `x` is [batch, input], the state and the outputs are [batch, cell].
///
/// `[r, u] = sigmoid([x, h_prev] w_ru + b_ru)`, `c = tanh([x, h_prev r] w_c + b_c)`, `h = u h_prev + (1 - u) c`; `w_ru`
/// is [input + cell, 2 cell], `w_c` [input + cell, cell].
#[op(
    "GRUBlockCell",
    input = "x: T",
    input = "h_prev: T",
    input = "w_ru: T",
    input = "w_c: T",
    input = "b_ru: T",
    input = "b_c: T",
    output = "r: T",
    output = "u: T",
    output = "c: T",
    output = "h: T",
    attr = "T: {float}",
    shape = gru_shape
)]
pub struct GRUBlockCell;

/// The gradients of `GRUBlockCell`, by `x`, by `h_prev`, and by what `tanh` and `sigmoid` are taken of.
#[op(
    "GRUBlockCellGrad",
    input = "x: T",
    input = "h_prev: T",
    input = "w_ru: T",
    input = "w_c: T",
    input = "b_ru: T",
    input = "b_c: T",
    input = "r: T",
    input = "u: T",
    input = "c: T",
    input = "d_h: T",
    output = "d_x: T",
    output = "d_h_prev: T",
    output = "d_c_bar: T",
    output = "d_r_bar_u_bar: T",
    attr = "T: {float}",
    shape = gru_grad_shape
)]
pub struct GRUBlockCellGrad;

fn all_outputs(c: &mut ShapeContext<'_>, count: usize, dims: &[Dim]) {
    for output in 0..count {
        c.set_output(output, PartialShape::new(dims));
    }
}

fn lstm_cell_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (batch, cell) = (c.with_rank(0, 2)?.dim(0), c.with_rank(1, 2)?.dim(1));
    all_outputs(c, 7, &[batch, cell]);
    Ok(())
}

fn lstm_cell_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (batch, cell) = (c.with_rank(0, 2)?.dim(0), c.with_rank(1, 2)?.dim(1));
    c.with_rank(3, 2)?;
    let gates = cell.and_then(|cell| cell.checked_mul(4));
    c.set_output(0, PartialShape::new(&[batch, cell]));
    c.set_output(1, PartialShape::new(&[batch, gates]));
    for output in 2..5 {
        c.set_output(output, PartialShape::new(&[cell]));
    }
    Ok(())
}

fn lstm_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (x, bias) = (c.with_rank(1, 3)?, c.with_rank(8, 1)?.dim(0));
    if let Some(gates) = bias {
        ensure!(gates % 4 == 0, "b must have 4 gates of one length, it has {gates} elements");
    }
    all_outputs(c, 7, &[x.dim(0), x.dim(1), bias.map(|gates| gates / 4)]);
    Ok(())
}

fn lstm_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    for (output, rank) in [3, 2, 2, 2, 1, 1, 1, 1].into_iter().enumerate() {
        let shape = c.with_rank(output + 1, rank)?;
        c.set_output(output, shape);
    }
    Ok(())
}

fn gru_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (batch, cell) = (c.with_rank(0, 2)?.dim(0), c.with_rank(1, 2)?.dim(1));
    all_outputs(c, 4, &[batch, cell]);
    Ok(())
}

fn gru_grad_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (x, h, gates) = (c.with_rank(0, 2)?, c.with_rank(1, 2)?, c.with_rank(2, 2)?.dim(1));
    let (batch, cell) = (x.dim(0), h.dim(1));
    c.set_output(0, x);
    c.set_output(1, PartialShape::new(&[batch, cell]));
    c.set_output(2, PartialShape::new(&[batch, cell]));
    c.set_output(3, PartialShape::new(&[batch, gates]));
    Ok(())
}

//! Long short-term memory as one op, for inference.

use oplink::prelude::*;
use oplink::shape_inference::shape_error;

/// Long short-term memory over a sequence whose states but the last are not kept. An op of oplink's own, made by the
/// optimiser of loops.
///
/// `x` is [time, batch, input], `h_prev` and `c_prev` are [batch, cell], `w` is [input, 4 cell], `u` [cell, 4 cell] and
/// `b` [4 cell]. `gates` tells which quarter of their columns is the input gate, the forget gate, the new state, the
/// output gate. A step is `c = sigmoid(f) c + sigmoid(i) tanh(g)`, `h = sigmoid(o) tanh(c)`. The output `h` is that of
/// each step, [time, batch, cell], or with `return_sequences` false that of the last one, [1, batch, cell].
#[op(
    "_FusedLSTM",
    input = "x: T",
    input = "h_prev: T",
    input = "c_prev: T",
    input = "w: T",
    input = "u: T",
    input = "b: T",
    output = "h: T",
    output = "h_last: T",
    output = "c_last: T",
    attr = "T: {float}",
    attr = "gates: list(int) >= 4",
    attr = "return_sequences: bool = true",
    shape = fused_lstm_shape
)]
pub struct _FusedLSTM;

fn fused_lstm_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (x, h, state) = (c.with_rank(0, 3)?, c.with_rank(1, 2)?, c.with_rank(2, 2)?);
    let (w, u, b) = (c.with_rank(3, 2)?, c.with_rank(4, 2)?, c.with_rank(5, 1)?);
    let state = c.merge(&state, &h)?;
    let state = c.merge(&state, &PartialShape::new(&[x.dim(1), u.dim(0)]))?;
    c.merge(&w, &PartialShape::new(&[x.dim(2), u.dim(1)]))?;
    c.merge(&u, &PartialShape::new(&[None, b.dim(0)]))?;
    if let (Some(cell), Some(gates)) = (state.dim(1), u.dim(1))
        && cell.checked_mul(4) != Some(gates)
    {
        return Err(shape_error(format!("the gates of a cell of {cell} are 4 times as many, u has {gates} columns")));
    }
    let time = if c.attr::<bool>("return_sequences")? { x.dim(0) } else { Some(1) };
    c.set_output(0, PartialShape::new(&[time, state.dim(0), state.dim(1)]));
    c.set_output(1, state.clone());
    c.set_output(2, state);
    Ok(())
}

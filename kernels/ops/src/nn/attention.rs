//! Attention.

use oplink::prelude::*;

/// Scaled dot-product attention: `softmax(q * transpose(k) * scale + mask) * v` for each batch and head. The matrix of
/// scores is never whole in memory. An op of oplink's own, made by the optimiser.
///
/// `q` is [batch, heads, queries, depth], `k` [batch, heads, keys, depth], `v` [batch, heads, keys, width], the output
/// [batch, heads, queries, width]. `time_first` says of `q`, `k`, `v` and the output, in this order, whether its axes 1
/// and 2 change places. `mask` broadcasts to [batch, heads, queries, keys]; batches and heads broadcast.
#[op("_FusedAttention",
     input = "q: T",
     input = "k: T",
     input = "v: T",
     input = "mask: num_masks * T",
     output = "output: T",
     attr = "T: {float}",
     attr = "num_masks: int >= 0",
     attr = "scale: float",
     attr = "time_first: list(bool) >= 4",
     shape = attention_shape)]
pub struct _FusedAttention;

fn attention_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let v = c.with_rank(2, 4)?;
    for input in 0..2 {
        c.with_rank(input, 4)?;
    }
    c.set_output(0, PartialShape::new(&[None, None, None, v.dim(3)]));
    Ok(())
}

//! `_FusedAttention`: `softmax(q * transpose(k) * scale + mask) * v`, for a block of queries and a block of keys at a
//! time. The largest score and the sum of a row follow the blocks of keys, so that memory is linear in their number.

use super::rows::{divide, exp_shifted, largest};
use oplink::KernelEnv;
use oplink::prelude::*;
use oplink_cpu_contraction::gemm::{Gemm, Matrix};
use oplink_cpu_contraction::polled;
use oplink_cpu_contraction::scratch::Scratch;
use oplink_cpu_support::parallel::for_each_chunk_up_to;
use oplink_ops::nn::{_FusedAttention, _FusedAttentionInputs, _FusedAttentionOutputs};
use oplink_vmath::loops::{change1, change2};

/// Queries of a block at most.
const QUERY_BLOCK: usize = 128;
/// Fewest of them, where they are a part of all.
const MIN_QUERY_BLOCK: usize = 8;
/// Keys of a block at most. Unit tests have several.
const KEY_BLOCK: usize = if cfg!(test) { 40 } else { 512 };
/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 19;

/// `_FusedAttention`.
#[derive(Debug)]
pub struct FusedAttentionCpu {
    scale: f32,
    time_first: [bool; 4],
}

#[kernel(_FusedAttention, device = CPU, T = [f32])]
impl Kernel for FusedAttentionCpu {
    type Op = _FusedAttention;

    fn new(construction: Construction<'_, _FusedAttention>) -> Result<Self> {
        let attrs = &construction.attrs;
        ensure!(attrs.num_masks <= 1, "there may be one mask, num_masks is {}", attrs.num_masks);
        let &[q, k, v, output] = attrs.time_first else { bail!("time_first must have 4 values") };
        Ok(Self { scale: attrs.scale, time_first: [q, k, v, output] })
    }

    fn compute(
        &self,
        inputs: _FusedAttentionInputs<'_>,
        outputs: &mut _FusedAttentionOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let [first_q, first_k, first_v, first_out] = self.time_first;
        let attention = Attention {
            q: Operand::new(&inputs.q, first_q)?,
            k: Operand::new(&inputs.k, first_k)?,
            v: Operand::new(&inputs.v, first_v)?,
            mask: inputs.mask.first().map(Operand::mask).transpose()?,
            scale: self.scale,
        };
        let [batch, heads, queries, keys] = attention.extents()?;
        let width = attention.v.extents[3];
        let shape = if first_out { [batch, queries, heads, width] } else { [batch, heads, queries, width] };
        let out = outputs.output.allocate(shape)?.as_mut_slice::<f32>()?;
        if out.is_empty() || keys == 0 {
            out.fill(0.0);
            return Ok(());
        }
        let length = QUERY_BLOCK * (KEY_BLOCK + width);
        Scratch::with(&env, length, |scratch| {
            attention.compute(&env, [batch, heads, queries, keys], first_out, scratch, out);
            Ok(())
        })
    }
}

/// Queries that are computed together, of so many: a part of them all that leaves no rest, where there is one that is
/// large enough.
fn query_block(queries: usize) -> usize {
    let most = queries.div_ceil(2).clamp(MIN_QUERY_BLOCK, QUERY_BLOCK);
    (MIN_QUERY_BLOCK..=most).rev().find(|&block| queries.is_multiple_of(block)).unwrap_or(most)
}

/// A tensor as [batch, heads, time, depth], or a mask as [batch, heads, queries, keys].
struct Operand<'a> {
    values: &'a [f32],
    extents: [usize; 4],
    /// Elements from one position of an axis to the next; 0 for axes of extent 1.
    strides: [usize; 4],
}

impl<'a> Operand<'a> {
    fn new(tensor: &'a Tensor, time_first: bool) -> Result<Self> {
        let &[a, b, c, d] = tensor.shape().dims() else {
            bail!("q, k and v must be of rank 4, one has the shape {}", tensor.shape())
        };
        let operand = Self::of_extents(tensor, [a, b, c, d])?;
        let ([e0, e1, e2, e3], [s0, s1, s2, s3]) = (operand.extents, operand.strides);
        let swapped = || Self { extents: [e0, e2, e1, e3], strides: [s0, s2, s1, s3], ..operand };
        Ok(if time_first { swapped() } else { operand })
    }

    fn mask(tensor: &'a Tensor) -> Result<Self> {
        let dims = tensor.shape().dims();
        ensure!(dims.len() <= 4, "a mask must be of rank 4 at most, its shape is {}", tensor.shape());
        let mut extents = [1; 4];
        extents[4 - dims.len()..].copy_from_slice(dims);
        Self::of_extents(tensor, extents)
    }

    fn of_extents(tensor: &'a Tensor, extents: [usize; 4]) -> Result<Self> {
        let (mut strides, mut stride) = ([0; 4], 1);
        for axis in (0..4).rev() {
            strides[axis] = if extents[axis] == 1 { 0 } else { stride };
            stride *= extents[axis];
        }
        Ok(Self { values: tensor.as_slice::<f32>()?, extents, strides })
    }

    fn start(&self, at: [usize; 3]) -> usize {
        at.iter().zip(&self.strides).map(|(at, stride)| at * stride).sum()
    }

    /// `count` rows from that of a position (batch, head, time) on.
    fn rows(&self, at: [usize; 3], count: usize) -> Matrix<'a, f32> {
        let values = self.values.get(self.start(at)..).unwrap_or_default();
        Matrix::strided(values, (count, self.extents[3]), (self.strides[2], 1))
    }
}

struct Attention<'a> {
    q: Operand<'a>,
    k: Operand<'a>,
    v: Operand<'a>,
    mask: Option<Operand<'a>>,
    scale: f32,
}

/// The parts of a thread's scratch.
struct Buffers<'s> {
    scores: &'s mut [f32],
    products: &'s mut [f32],
}

impl Attention<'_> {
    /// Batches, heads, queries and keys.
    fn extents(&self) -> Result<[usize; 4]> {
        let (q, k, v) = (self.q.extents, self.k.extents, self.v.extents);
        let mask = self.mask.as_ref().map_or([1; 4], |mask| mask.extents);
        ensure!(q[3] == k[3], "matrix size-incompatible: queries of {} values, keys of {}", q[3], k[3]);
        let joint = |extents: &[usize]| {
            let wide = extents.iter().copied().find(|&extent| extent != 1).unwrap_or(1);
            let fits = extents.iter().all(|&extent| extent == 1 || extent == wide);
            ensure!(fits, "extents {extents:?} do not broadcast");
            Ok(wide)
        };
        let keys = joint(&[k[2], mask[3]])?;
        ensure!(v[2] == keys, "matrix size-incompatible: {keys} keys, {} values", v[2]);
        Ok([joint(&[q[0], k[0], v[0], mask[0]])?, joint(&[q[1], k[1], v[1], mask[1]])?, joint(&[q[2], mask[2]])?, keys])
    }

    fn compute(
        &self,
        env: &dyn KernelEnv,
        [_, heads, queries, keys]: [usize; 4],
        time_first: bool,
        scratch: &Scratch<'_, f32>,
        out: &mut [f32],
    ) {
        let width = self.v.extents[3];
        // A row of the output: a query of one head, or of all of them.
        let stride = if time_first { heads * width } else { width };
        let query_block = query_block(queries);
        // Threads get whole blocks, or else whole heads, so that results do not depend on their number.
        let unit = if queries.is_multiple_of(query_block) { query_block } else { queries };
        let grain = TASK_COST.div_ceil(2 * keys);
        for_each_chunk_up_to(env, out, polled(grain), unit * stride, &|start, mut part| {
            scratch.lend(|buffer| {
                let (scores, products) = buffer.split_at_mut(QUERY_BLOCK * KEY_BLOCK);
                let mut buffers = Buffers { scores, products };
                let mut row = start / stride;
                while !part.is_empty() {
                    let (outer, query) = (row / queries, row % queries);
                    let count = (queries - query).min(part.len() / stride).min(query_block);
                    let (block, rest) = std::mem::take(&mut part).split_at_mut(count * stride);
                    if time_first {
                        for head in 0..heads {
                            let out = &mut block[head * width..];
                            self.block([outer, head, query], (count, keys), &mut buffers, out, stride);
                        }
                    } else {
                        let at = [outer / heads, outer % heads, query];
                        self.block(at, (count, keys), &mut buffers, block, stride);
                    }
                    (part, row) = (rest, row + count);
                }
            });
        });
    }

    /// The rows of `count` queries from that of a position (batch, head, query) on, `stride` apart.
    fn block(
        &self,
        at: [usize; 3],
        (count, keys): (usize, usize),
        buffers: &mut Buffers<'_>,
        out: &mut [f32],
        stride: usize,
    ) {
        let width = self.v.extents[3];
        let (mut tops, mut sums) = ([f32::NEG_INFINITY; QUERY_BLOCK], [0f32; QUERY_BLOCK]);
        let mut corrections = [0f32; QUERY_BLOCK];
        let rows = self.q.rows(at, count);
        for first in (0..keys).step_by(KEY_BLOCK) {
            let length = KEY_BLOCK.min(keys - first);
            let right = self.k.rows([at[0], at[1], first], length).transposed(true);
            let scores = &mut buffers.scores[..count * KEY_BLOCK];
            f32::multiply(rows, right, scores, KEY_BLOCK);
            for (row, scores) in scores.chunks_exact_mut(KEY_BLOCK).enumerate() {
                let scores = &mut scores[..length];
                self.scale_and_mask([at[0], at[1], at[2] + row], first, scores);
                let top = largest(scores).max(tops[row]);
                // Of scores that are all negative infinity the powers are zero: later blocks may have others.
                let shift = if top == f32::NEG_INFINITY { 0.0 } else { top };
                corrections[row] = (tops[row] - shift).exp();
                sums[row] = sums[row] * corrections[row] + exp_shifted(scores, shift);
                tops[row] = top;
            }
            let powers = Matrix::strided(scores, (count, length), (KEY_BLOCK, 1));
            let right = self.v.rows([at[0], at[1], first], length);
            if first == 0 {
                f32::multiply(powers, right, out, stride);
                continue;
            }
            let products = &mut buffers.products[..count * width];
            f32::multiply(powers, right, products, width);
            for (row, products) in products.chunks_exact(width).enumerate() {
                let correction = corrections[row];
                change2::<false, _, _, _>(&mut out[row * stride..][..width], products, |sum, x| sum * correction + x);
            }
        }
        (0..count).for_each(|row| divide(&mut out[row * stride..][..width], sums[row]));
    }

    /// Makes products of the query at a position with the keys from `first` on scores.
    fn scale_and_mask(&self, at: [usize; 3], first: usize, scores: &mut [f32]) {
        let scale = self.scale;
        let Some(mask) = &self.mask else { return change1::<false, _, _>(scores, |x| x * scale) };
        let (start, stride) = (mask.start(at) + first * mask.strides[3], mask.strides[3]);
        if stride == 0 {
            let added = mask.values[start];
            change1::<false, _, _>(scores, |x| x * scale + added);
        } else {
            change2::<false, _, _, _>(scores, &mask.values[start..][..scores.len()], |x, mask| x * scale + mask);
        }
    }
}

#[cfg(test)]
mod tests;

//! `OneHot`: for each index a vector of `depth` elements, `on_value` at the index and `off_value` elsewhere.
//!
//! Indices of uint8, int32 and int64 and both values are in the device's memory; an index outside `[0, depth)` gives
//! `off_value` everywhere.
#![allow(clippy::too_many_arguments, reason = "a program takes each extent by its own value")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::arguments;
use oplink_ops::array::OneHot;

use crate::movement::{element_bytes, words};

/// `OneHot` in the device's memory.
#[kernel(OneHot, device = GPU, T = [numbers, bool], TI = [u8, i32, i64], host_memory = [depth])]
pub fn one_hot_gpu(
    indices: &Tensor,
    depth: &Tensor,
    on_value: &Tensor,
    off_value: &Tensor,
    axis: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(
        (-1..=indices.rank() as i64).contains(&axis),
        "axis must be -1 or in [0, {}], it is {axis}",
        indices.rank()
    );
    let depth = arguments::scalar(depth, "depth")?;
    let depth =
        usize::try_from(depth).map_err(|_| Error::invalid_argument(format!("depth must be >= 0, it is {depth}")))?;
    for (value, name) in [(on_value, "on_value"), (off_value, "off_value")] {
        ensure!(value.rank() == 0, "{name} must be a scalar, it has shape {}", value.shape());
    }
    let axis = arguments::axis(axis, indices.rank() + 1, "axis")?;
    let mut shape = indices.shape().to_vec();
    let suffix: usize = shape[axis..].iter().product();
    shape.insert(axis, depth);
    let out = output.allocate(shape)?;
    if out.num_elements() > 0 { launch([indices, on_value, off_value, out], depth, suffix, env) } else { Ok(()) }
}

fn launch([indices, on, off, out]: [&Tensor; 4], depth: usize, suffix: usize, env: Env<'_>) -> Result<()> {
    let (bytes, target) = (element_bytes(out)?, out.device_words()?);
    let count = target.num_elements();
    let bits = 8 * bytes.min(4) as u32;
    one_hot_words {
        indices: &indices.device_words()?,
        on: &on.device_words()?,
        off: &off.device_words()?,
        out: &target,
        count: words(count)?,
        num_indices: words(indices.num_elements())?,
        index_bits: 8 * element_bytes(indices)? as u32,
        depth: words(depth)?,
        suffix: words(suffix)?,
        width: bytes.div_ceil(4) as u32,
        per_word: 32 / bits,
        bits,
        mask: if bits == 32 { u32::MAX } else { (1 << bits) - 1 },
    }
    .launch(env.device()?, one_hot_words::blocks(count))
}

/// Writes words of [prefix, depth, suffix] elements: `on` where the index of [prefix, suffix] is the position along
/// `depth`, `off` elsewhere. Indices have `index_bits` each; elements are `width` words, or `per_word` share one.
#[program(block = 256)]
fn one_hot_words(
    indices: &[u32],
    on: &[u32],
    off: &[u32],
    out: &mut [u32],
    count: u32,
    num_indices: u32,
    index_bits: u32,
    depth: u32,
    suffix: u32,
    width: u32,
    per_word: u32,
    bits: u32,
    mask: u32,
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for word in (first..count as usize).step_by(grid_dim().x * block_dim().x) {
        let mut value = 0u32;
        for part in 0..per_word {
            let element = word as u32 * per_word / width + part;
            let place = element / suffix / depth * suffix + element % suffix;
            let position = element / suffix % depth;
            let mut is_on = false;
            if place < num_indices {
                if index_bits == 8 {
                    is_on = ((indices[(place / 4) as usize] >> (place % 4 * 8)) & 255) == position;
                }
                if index_bits == 32 {
                    is_on = indices[place as usize] == position;
                }
                if index_bits == 64 {
                    is_on = indices[place as usize * 2] == position && indices[place as usize * 2 + 1] == 0;
                }
            }
            let within = word % width as usize;
            let mut element_bits = off[within];
            if is_on {
                element_bits = on[within];
            }
            value |= (element_bits & mask) << (part * bits);
        }
        out[word] = value;
    }
}

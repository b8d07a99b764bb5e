//! `OneHot`: for each index a vector of `depth` elements, `on_value` at the index and `off_value` elsewhere.
//!
//! Indices of uint8, int32 and int64 and both values are in the device's memory; an index outside `[0, depth)` gives
//! `off_value` everywhere.
#![allow(clippy::too_many_arguments, reason = "a program takes each extent by its own value")]

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::{int_values, normalize_axis, program};
use oplink_ops::array::OneHot;

use crate::host_fallback::kernels;
use crate::movement::{element_bytes, words};

kernels! {
    #[kernel(OneHot, device = GPU, T = [numbers, bool], TI = [u8, i32, i64], host_memory = [depth])]
    one_hot_gpu = one_hot;
}

fn one_hot(context: &mut KernelContext<'_>) -> Result<()> {
    let (indices, axis) = (context.input(0), context.attr::<i64>("axis")?);
    ensure!(
        (-1..=indices.rank() as i64).contains(&axis),
        "axis must be -1 or in [0, {}], it is {axis}",
        indices.rank()
    );
    let depth = context.input(1);
    ensure!(depth.rank() == 0, "depth must be a scalar, it has shape {}", depth.shape());
    let [depth] = int_values(depth)?[..] else { bail!("depth holds no number") };
    let depth =
        usize::try_from(depth).map_err(|_| Error::invalid_argument(format!("depth must be >= 0, it is {depth}")))?;
    for (index, name) in [(2, "on_value"), (3, "off_value")] {
        let shape = context.input(index).shape();
        ensure!(shape.rank() == 0, "{name} must be a scalar, it has shape {shape}");
    }
    let axis = normalize_axis(axis, indices.rank() + 1)?;
    let mut shape = indices.shape().to_vec();
    let suffix: usize = shape[axis..].iter().product();
    shape.insert(axis, depth);
    let out = context.allocate_output(0, shape)?;
    if out.num_elements() > 0 {
        launch(context, &out, depth, suffix)?;
    }
    context.set_output(0, out);
    Ok(())
}

fn launch(context: &KernelContext<'_>, out: &Tensor, depth: usize, suffix: usize) -> Result<()> {
    let (bytes, target) = (element_bytes(out)?, out.device_words()?);
    let count = target.num_elements();
    let bits = 8 * bytes.min(4) as u32;
    let [indices, on, off] = [0, 2, 3].map(|index| context.input(index).device_words());
    one_hot_words {
        indices: &indices?,
        on: &on?,
        off: &off?,
        out: &target,
        count: words(count)?,
        num_indices: words(context.input(0).num_elements())?,
        index_bits: 8 * element_bytes(context.input(0))? as u32,
        depth: words(depth)?,
        suffix: words(suffix)?,
        width: bytes.div_ceil(4) as u32,
        per_word: 32 / bits,
        bits,
        mask: if bits == 32 { u32::MAX } else { (1 << bits) - 1 },
    }
    .launch(context.device()?, one_hot_words::blocks(count))
}

/// Writes words of [prefix, depth, suffix] elements: `on` where the index of [prefix, suffix] is the position along `depth`,
/// `off` elsewhere. Indices have `index_bits` each; elements are `width` words, or `per_word` share one.
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

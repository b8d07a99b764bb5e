//! `Bincount` and `DenseBincount`: numbers counted, or their weights summed, in bins. Numbers that have no bin are left
//! out, negative ones too, as the host does not see them.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::array::{Bincount, DenseBincount, bin_count, check_weights, rows_of_bins};
use oplink_ops::movement::one;

use crate::movement::{clear, element_bytes, words};
use crate::scatter::{Combination, ScatterIndices, combine, replace};

/// `Bincount` in the device's memory.
#[kernel(Bincount, device = GPU, T = [i32, i64, f32, f64], host_memory = [size])]
pub fn bincount_gpu(
    arr: &Tensor,
    size: &Tensor,
    weights: &Tensor,
    mut bins: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    check_weights(arr.num_elements(), weights.num_elements())?;
    let size = bin_count(size)?;
    count_rows([arr, weights], 1, false, size, bins.allocate([size])?, env)
}

/// `DenseBincount` in the device's memory.
#[kernel(DenseBincount, device = GPU, Tidx = [i32, i64], T = [i32, i64, f32, f64], host_memory = [size])]
pub fn dense_bincount_gpu(
    input: &Tensor,
    size: &Tensor,
    weights: &Tensor,
    binary_output: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let rows = rows_of_bins(input.shape(), weights.shape())?;
    let size = bin_count(size)?;
    let out = output.allocate(rows.into_iter().chain([size]).collect::<Shape>())?;
    count_rows([input, weights], rows.unwrap_or(1), binary_output, size, out, env)
}

/// Counts the elements of each of so many rows in `size` bins of `out`; with `is_binary` a bin tells whether there is
/// one.
fn count_rows(
    [input, weights]: [&Tensor; 2],
    rows: usize,
    is_binary: bool,
    size: usize,
    out: &Tensor,
    env: Env<'_>,
) -> Result<()> {
    if out.num_elements() == 0 {
        return Ok(());
    }
    let (device, count) = (env.device()?, input.num_elements());
    clear(device, out)?;
    if count == 0 {
        return Ok(());
    }
    let numbers = device.allocate(DType::UInt32, [count].into())?;
    bins_of_rows {
        input: &input.device_words()?,
        numbers: &numbers,
        input_words: element_bytes(input)? as u32 / 4,
        columns: words(count / rows)?,
        size: words(size)?,
        count: words(count)?,
    }
    .launch(device, bins_of_rows::blocks(count))?;
    let bins = rows * size;
    words(bins + 1)?;
    let bins = ScatterIndices { numbers, slices: count, count: bins };
    let weighs = weights.num_elements() > 0 && !is_binary;
    let one = if weighs { None } else { Some(device.copy_to_device(&one(out.dtype())?)?) };
    match &one {
        Some(one) if is_binary => replace(device, out, one, &bins, 1),
        Some(one) => combine(device, Combination::Add, out, one, &bins, 1),
        None => {
            let weights = weights.clone().with_shape([count])?;
            combine(device, Combination::Add, out, &weights, &bins, 1)
        }
    }
}

/// The bin of each number, the largest number where it has none.
#[program(block = 256)]
fn bins_of_rows(input: &[u32], numbers: &mut [u32], input_words: u32, columns: u32, size: u32, count: u32) {
    for at in grid_stride(count) {
        let value = input[(at * input_words) as usize];
        let mut is_bin = value < size;
        if input_words == 2 && input[(at * 2 + 1) as usize] != 0 {
            is_bin = false;
        }
        numbers[at as usize] = if is_bin { at / columns * size + value } else { u32::MAX };
    }
}

//! Slices put to their locations.
#![allow(clippy::too_many_arguments, reason = "a program takes each extent by its own value")]

use oplink::device::DeviceContext;
use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;

use super::indices::ScatterIndices;
use crate::movement::{element_bytes, words};

/// Puts the slices of `updates`, `length` elements each, to their locations in `out`, the last one where several go to
/// one place; a scalar is put to all elements. Every plain dtype.
///
/// # Errors
/// Memory runs out, or the device refuses the work.
pub(crate) fn replace(
    device: &dyn DeviceContext,
    out: &Tensor,
    updates: &Tensor,
    locations: &ScatterIndices,
    length: usize,
) -> Result<()> {
    if locations.slices * length * locations.count == 0 {
        return Ok(());
    }
    let (bytes, is_one) = (element_bytes(out)?, updates.rank() == 0);
    let are_words = bytes >= 4 || !is_one && (length * bytes).is_multiple_of(4);
    let (dtype, row) = match bytes {
        _ if are_words => (DType::UInt32, length * bytes / 4),
        1 => (DType::UInt8, length),
        _ => (DType::UInt16, length),
    };
    let whole = |tensor: &Tensor| if are_words { tensor.device_words() } else { Ok(tensor.clone()) };
    let (out, updates) = (whole(out)?, whole(updates)?);
    let one = if is_one { updates.num_elements() } else { 0 };
    let (lasts, total) = (locations.marks(device)?.lasts, locations.slices * row);
    let grid = put_rows::blocks(total);
    let (row, total) = (words(row)?, words(total)?);
    put_rows { out: &out, updates: &updates, numbers: &locations.numbers, lasts: &lasts, row, total, one: one as u32 }
        .launch(device, dtype, grid)
}

/// Each thread has a unit of a slice. `one` is the number of units of `updates` where they serve every element, else 0.
#[program(block = 256, T = [u8, u16, u32])]
fn put_rows<T: Copy>(out: &mut [T], updates: &[T], numbers: &[u32], lasts: &[u32], row: u32, total: u32, one: u32) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..total as usize).step_by(grid_dim().x * block_dim().x) {
        let slice = at as u32 / row;
        let number = numbers[slice as usize];
        if number != u32::MAX && lasts[number as usize] == slice {
            let column = at as u32 % row;
            let mut from = at as u32;
            if one > 0 {
                from = column % one;
            }
            out[(number * row + column) as usize] = updates[from as usize];
        }
    }
}

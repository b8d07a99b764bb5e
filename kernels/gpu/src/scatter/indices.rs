//! Which place each slice goes to, and the first and the last slice of each place.
#![allow(clippy::too_many_arguments, reason = "a program takes each extent by its own value")]

use oplink::device::DeviceContext;
use oplink::gpu::{atomic_max, atomic_min, block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;

use crate::movement::{element_bytes, words};

/// Coordinates that a program goes over.
const DEPTH: usize = 6;

/// Numbers of locations in the device's memory, one for each slice.
#[derive(Debug)]
pub(crate) struct ScatterIndices {
    /// u32, the largest one for a place that does not exist.
    pub(crate) numbers: Tensor,
    /// Slices.
    pub(crate) slices: usize,
    /// Locations that there are.
    pub(crate) count: usize,
}

impl ScatterIndices {
    /// Of as many slices as there are coordinates in `indices` (int32 or int64), along axes of these extents.
    ///
    /// # Errors
    /// More than 6 axes; memory runs out; the device refuses the work.
    pub(crate) fn of(device: &dyn DeviceContext, indices: &Tensor, slices: usize, extents: &[usize]) -> Result<Self> {
        let depth = extents.len();
        if depth > DEPTH {
            let message = format!("slices at {depth} coordinates on a GPU, {DEPTH} is the most");
            return Err(Error::unimplemented(message));
        }
        let numbers = device.allocate(DType::UInt32, [slices].into())?;
        let at = indices.device_words()?;
        let extent = |axis: usize| words(extents.get(axis).copied().unwrap_or(1));
        place_numbers {
            indices: &at,
            numbers: &numbers,
            slices: words(slices)?,
            index_words: element_bytes(indices)? as u32 / 4,
            depth: depth as u32,
            extent0: extent(0)?,
            extent1: extent(1)?,
            extent2: extent(2)?,
            extent3: extent(3)?,
            extent4: extent(4)?,
            extent5: extent(5)?,
        }
        .launch(device, place_numbers::blocks(slices))?;
        let count = extents.iter().product();
        // Numbers of locations are words, and one of them says that there is none.
        words(count + 1)?;
        Ok(Self { numbers, slices, count })
    }

    /// The first and the last slice of each place that has one.
    ///
    /// # Errors
    /// Memory runs out, or the device refuses the work.
    pub(crate) fn marks(&self, device: &dyn DeviceContext) -> Result<Marks> {
        let place = || device.allocate(DType::UInt32, [self.count].into());
        let marks = Marks { firsts: place()?, lasts: place()? };
        let (grid, slices) = (clear_marks::blocks(self.slices), words(self.slices)?);
        clear_marks { numbers: &self.numbers, firsts: &marks.firsts, lasts: &marks.lasts, slices }
            .launch(device, grid)?;
        set_marks { numbers: &self.numbers, firsts: &marks.firsts, lasts: &marks.lasts, slices }
            .launch(device, grid)?;
        Ok(marks)
    }
}

/// A slice for each place, of u32; arbitrary where a place has none.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) firsts: Tensor,
    pub(crate) lasts: Tensor,
}

/// Writes the row-major number of the place at each of `slices` coordinates, `depth` numbers each.
#[program(block = 256)]
fn place_numbers(
    indices: &[u32],
    numbers: &mut [u32],
    slices: u32,
    index_words: u32,
    depth: u32,
    extent0: u32,
    extent1: u32,
    extent2: u32,
    extent3: u32,
    extent4: u32,
    extent5: u32,
) {
    let extents = [extent0, extent1, extent2, extent3, extent4, extent5];
    let first = block_index().x * block_dim().x + thread_index().x;
    for slice in (first..slices as usize).step_by(grid_dim().x * block_dim().x) {
        let mut inside = true;
        let mut number = 0_u32;
        for axis in 0..depth {
            let at = (slice as u32 * depth + axis) * index_words;
            let index = indices[at as usize];
            inside = inside && index < extents[axis as usize];
            if index_words == 2 {
                inside = inside && indices[at as usize + 1] == 0;
            }
            number = number * extents[axis as usize] + index;
        }
        numbers[slice] = if inside { number } else { u32::MAX };
    }
}

/// Marks no slice at every place that has one.
#[program(block = 256)]
fn clear_marks(numbers: &[u32], firsts: &mut [u32], lasts: &mut [u32], slices: u32) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for slice in (first..slices as usize).step_by(grid_dim().x * block_dim().x) {
        let number = numbers[slice];
        if number != u32::MAX {
            firsts[number as usize] = u32::MAX;
            lasts[number as usize] = 0;
        }
    }
}

/// Marks the first and the last slice at each place.
#[program(block = 256)]
fn set_marks(numbers: &[u32], firsts: &mut [u32], lasts: &mut [u32], slices: u32) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for slice in (first..slices as usize).step_by(grid_dim().x * block_dim().x) {
        let number = numbers[slice];
        if number != u32::MAX {
            atomic_min(&mut firsts[number as usize], slice as u32);
            atomic_max(&mut lasts[number as usize], slice as u32);
        }
    }
}

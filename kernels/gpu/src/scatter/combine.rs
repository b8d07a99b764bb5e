//! Slices combined with what stands at their locations.
#![allow(clippy::too_many_arguments, reason = "a program takes each extent by its own value")]

use oplink::device::DeviceContext;
use oplink::gpu::{atomic_add, atomic_max, atomic_min, block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink::program;

use super::indices::ScatterIndices;
use crate::movement::words;

/// What becomes of an element `a` and its update `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combination {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// The larger one; `a` where one is NaN.
    Max,
    /// The smaller one; `a` where one is NaN.
    Min,
    /// `a * b`.
    Mul,
    /// `a / b`.
    Div,
}

impl Combination {
    /// Whether elements of 32 bits have it as an atomic operation.
    fn is_atomic(self, dtype: DType) -> bool {
        matches!(dtype, DType::Float | DType::Int32 | DType::UInt32) && !matches!(self, Self::Mul | Self::Div)
    }
}

/// Combines the slices of `updates`, `length` elements each, with those of `out` at their locations; a scalar is the
/// update of all elements. Complex numbers are added and subtracted, bools joined by `Max`.
///
/// # Errors
/// No program for the dtype; memory runs out; the device refuses the work.
pub(crate) fn combine(
    device: &dyn DeviceContext,
    how: Combination,
    out: &Tensor,
    updates: &Tensor,
    locations: &ScatterIndices,
    length: usize,
) -> Result<()> {
    let is_one = updates.rank() == 0;
    let (out, updates, parts) = of_parts(out, updates)?;
    let (length, total) = (length * parts, locations.slices * length * parts);
    if total == 0 || locations.count == 0 {
        return Ok(());
    }
    let (length, total, one) = (words(length)?, words(total)?, if is_one { parts as u32 } else { 0 });
    let (dtype, how_to) = (out.dtype(), how as u32);
    let numbers = &locations.numbers;
    if how.is_atomic(dtype) {
        let grid = combine_atomic::blocks(total as usize);
        return combine_atomic { out: &out, updates: &updates, numbers, length, total, one, how: how_to }
            .launch(device, dtype, grid);
    }
    let (marks, grid) = (locations.marks(device)?, combine_in_order::blocks(total as usize));
    let (firsts, lasts) = (&marks.firsts, &marks.lasts);
    if dtype == DType::Bool {
        let dtype = DType::UInt8;
        return combine_in_order {
            out: &out,
            updates: &updates,
            numbers,
            firsts,
            lasts,
            length,
            total,
            one,
            how: how_to,
        }
        .launch(device, dtype, grid);
    }
    combine_in_order { out: &out, updates: &updates, numbers, firsts, lasts, length, total, one, how: how_to }
        .launch(device, dtype, grid)
}

/// Both tensors as real numbers, and how many an element is.
fn of_parts(out: &Tensor, updates: &Tensor) -> Result<(Tensor, Tensor, usize)> {
    let part = match out.dtype() {
        DType::Complex64 => DType::Float,
        DType::Complex128 => DType::Double,
        _ => return Ok((out.clone(), updates.clone(), 1)),
    };
    let parts = |tensor: &Tensor| tensor.clone().reinterpret(part, [tensor.num_elements() * 2]);
    Ok((parts(out)?, parts(updates)?, 2))
}

/// Each thread has an element of a slice. `one` is the number of elements of `updates` where they serve every element,
/// else 0.
#[program(block = 256, T = [f32, i32, u32])]
fn combine_atomic<T: Real>(out: &mut [T], updates: &[T], numbers: &[u32], length: u32, total: u32, one: u32, how: u32) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..total as usize).step_by(grid_dim().x * block_dim().x) {
        let number = numbers[(at as u32 / length) as usize];
        if number != u32::MAX {
            let place = (number * length + at as u32 % length) as usize;
            let mut from = at;
            if one > 0 {
                from = (at as u32 % one) as usize;
            }
            let update = updates[from];
            if how == 0 {
                atomic_add(&mut out[place], update);
            }
            if how == 1 {
                atomic_add(&mut out[place], T::zero() - update);
            }
            if how == 2 {
                atomic_max(&mut out[place], update);
            }
            if how == 3 {
                atomic_min(&mut out[place], update);
            }
        }
    }
}

/// As [`combine_atomic`], by the thread of a place's first slice.
#[program(block = 256, T = [f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64])]
fn combine_in_order<T: Real>(
    out: &mut [T],
    updates: &[T],
    numbers: &[u32],
    firsts: &[u32],
    lasts: &[u32],
    length: u32,
    total: u32,
    one: u32,
    how: u32,
) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for at in (first..total as usize).step_by(grid_dim().x * block_dim().x) {
        let slice = at as u32 / length;
        let column = at as u32 % length;
        let number = numbers[slice as usize];
        if number != u32::MAX && firsts[number as usize] == slice {
            let place = (number * length + column) as usize;
            let last = lasts[number as usize];
            let mut value = out[place];
            let mut other = slice;
            while other <= last {
                if numbers[other as usize] == number {
                    let mut from = other * length + column;
                    if one > 0 {
                        from = column % one;
                    }
                    let update = updates[from as usize];
                    match how {
                        0 => value = value + update,
                        1 => value = value - update,
                        2 => {
                            if update > value {
                                value = update;
                            }
                        }
                        3 => {
                            if update < value {
                                value = update;
                            }
                        }
                        4 => value = value * update,
                        _ => value = value / update,
                    }
                }
                other += 1;
            }
            out[place] = value;
        }
    }
}

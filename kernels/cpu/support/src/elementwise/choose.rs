//! Choice between two tensors by a third.

use oplink::prelude::*;

use super::{Broadcast, GRAIN};
use crate::parallel::for_each_chunk;

/// Sets the output to elements of the second input where the first, the condition, is true, and of the third where it
/// is false, walking the inputs as `broadcast` has them; the output takes its shape.
pub fn choose<T: Element>(
    inputs: [&Tensor; 3],
    mut output: OutputSlot<'_>,
    env: Env<'_>,
    broadcast: &Broadcast<3>,
) -> Result<()> {
    let output = output.allocate(broadcast.shape.clone())?;
    let condition = inputs[0].as_slice::<bool>()?;
    let (then, otherwise) = (inputs[1].as_slice::<T>()?, inputs[2].as_slice::<T>()?);
    let dim = broadcast.inner();
    for_each_chunk(env.env(), output.as_mut_slice::<T>()?, GRAIN, 1, &|start, mut part| {
        if part.is_empty() {
            return;
        }
        let mut rows = broadcast.rows(start / dim.extent);
        let mut column = start % dim.extent;
        while !part.is_empty() {
            let (row, rest) = part.split_at_mut(part.len().min(dim.extent - column));
            let [c, t, e] = std::array::from_fn(|i| rows.offsets[i] + column * dim.strides[i]);
            choose_row(&condition[c..], &then[t..], &otherwise[e..], dim.strides, row);
            part = rest;
            column = 0;
            rows.advance();
        }
    });
    Ok(())
}

/// One row; a stride is 1, or 0 for a side whose first element stands for all.
fn choose_row<T: Element>(condition: &[bool], then: &[T], otherwise: &[T], strides: [usize; 3], row: &mut [T]) {
    match strides {
        [0, t, e] => {
            let (chosen, stride) = if condition[0] { (then, t) } else { (otherwise, e) };
            if stride == 0 { row.fill(chosen[0].clone()) } else { row.clone_from_slice(&chosen[..row.len()]) }
        }
        [_, 1, 1] => {
            for (((value, &condition), then), otherwise) in row.iter_mut().zip(condition).zip(then).zip(otherwise) {
                *value = if condition { then.clone() } else { otherwise.clone() };
            }
        }
        [_, t, e] => {
            for (i, (value, &condition)) in row.iter_mut().zip(condition).enumerate() {
                *value = if condition { then[i * t].clone() } else { otherwise[i * e].clone() };
            }
        }
    }
}

//! Sums of several tensors of one shape.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_ops::math::AddN;

/// `sum = x + y`.
#[program(block = 256, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn add_two<T: Number>(x: &[T], y: &[T], sum: &mut [T]) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for i in (first..sum.len()).step_by(grid_dim().x * block_dim().x) {
        sum[i] = x[i] + y[i];
    }
}

/// `sum += x`.
#[program(block = 256, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn add_to<T: Number>(x: &[T], sum: &mut [T]) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for i in (first..sum.len()).step_by(grid_dim().x * block_dim().x) {
        sum[i] = sum[i] + x[i];
    }
}

/// `AddN`: one tensor after the other.
#[kernel(AddN, device = GPU, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn sum_of_all(inputs: &[Tensor], mut sum: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let [first, rest @ ..] = inputs else { bail!("there must be at least one input") };
    let shape = first.shape();
    for (index, other) in inputs.iter().enumerate() {
        let found = other.shape();
        ensure!(
            found == shape,
            "Inputs to operation AddN must have the same size and shape.  Input 0: {shape} != input {index}: {found}"
        );
    }
    let [second, others @ ..] = rest else {
        sum.set(first.clone());
        return Ok(());
    };
    let out = sum.allocate(shape.clone())?;
    let (device, dtype, grid) = (env.device()?, out.dtype(), add_two::blocks(out.num_elements()));
    add_two { x: first, y: second, sum: out }.launch(device, dtype, grid)?;
    for other in others {
        add_to { x: other, sum: out }.launch(device, dtype, grid)?;
    }
    Ok(())
}

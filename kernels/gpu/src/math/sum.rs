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
fn sum_of_all(context: &mut KernelContext<'_>) -> Result<()> {
    let shape = context.input(0).shape().clone();
    for (index, other) in context.inputs().iter().enumerate() {
        let found = other.shape();
        ensure!(
            *found == shape,
            "Inputs to operation AddN must have the same size and shape.  Input 0: {shape} != input {index}: {found}"
        );
    }
    if let [only] = context.inputs() {
        let only = only.clone();
        context.set_output(0, only);
        return Ok(());
    }
    let output = context.allocate_output(0, shape)?;
    let (device, dtype, grid) = (context.device()?, output.dtype(), add_two::blocks(output.num_elements()));
    add_two { x: context.input(0), y: context.input(1), sum: &output }.launch(device, dtype, grid)?;
    for other in &context.inputs()[2..] {
        add_to { x: other, sum: &output }.launch(device, dtype, grid)?;
    }
    context.set_output(0, output);
    Ok(())
}

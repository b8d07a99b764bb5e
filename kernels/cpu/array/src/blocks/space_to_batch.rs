//! `SpaceToBatchND` and `SpaceToBatch`: blocks along the axes behind the batch become positions in it.
//!
//! With `block_shape` [b, …] and `paddings` [[before, after], …], the input (batch first, one axis for each block) is
//! padded with zeros, and its element `(n, y * b + i, …)` goes to `(i * batch + n, y, …)`, positions in the blocks of
//! the first axis counting most. `SpaceToBatch` has two such axes and one block size for both, the attr `block_size`.
//! It is an error when a padded extent is no multiple of its block.

use super::super::arguments;
use super::layout::{self, Blocked};
use oplink::prelude::*;
use oplink_cpu_support::movement::{self, put_axes};
use oplink_ops::array::{SpaceToBatch, SpaceToBatchND};

/// `SpaceToBatchND` of real numbers.
#[kernel(SpaceToBatchND, device = CPU, T = [reals], Tblock_shape = any, Tpaddings = any, host_memory = [block_shape, paddings])]
pub fn space_to_batch_nd_cpu(
    input: &Tensor,
    block_shape: &Tensor,
    paddings: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    gather(input, &arguments::vector(block_shape, "block_shape")?, paddings, output, env)
}

/// `SpaceToBatch` of real numbers.
#[kernel(SpaceToBatch, device = CPU, T = [reals], Tpaddings = any, host_memory = [paddings])]
pub fn space_to_batch_cpu(
    input: &Tensor,
    paddings: &Tensor,
    block_size: i64,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(input.rank() == 4, "the input must have rank 4, it has {}", input.rank());
    gather(input, &[block_size; 2], paddings, output, env)
}

fn gather(
    input: &Tensor,
    block_shape: &[i64],
    paddings: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let axes = layout::read(input.shape(), block_shape, paddings, "paddings")?;
    let out = output.allocate(batched(input.shape(), &axes)?)?;
    if axes.iter().any(|axis| axis.before + axis.after > 0) {
        movement::fill(&env, out, None)?;
    }
    if input.num_elements() == 0 {
        return Ok(());
    }
    let tables = layout::offsets(input.shape(), out.shape(), &axes);
    put_axes(out, 0, &layout::axes(&tables, input.shape()), input)
}

/// The output's shape.
fn batched(shape: &Shape, axes: &[Blocked]) -> Result<Shape> {
    let mut out = shape.clone();
    for (number, axis) in axes.iter().enumerate() {
        let extent = shape[1 + number];
        let padded = extent.checked_add(axis.before).and_then(|sum| sum.checked_add(axis.after));
        match padded.filter(|padded| padded.is_multiple_of(axis.block)) {
            Some(padded) => out.dims_mut()[1 + number] = padded / axis.block,
            None => bail!(
                "axis {} of extent {extent} with paddings [{}, {}] must be a multiple of its block {}",
                1 + number,
                axis.before,
                axis.after,
                axis.block
            ),
        }
        out.dims_mut()[0] = out[0].saturating_mul(axis.block);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    #[test]
    fn gathers_blocks() {
        let square = Tensor::from_vec([1, 2, 2, 1], vec![1, 2, 3, 4]).unwrap();
        let none = Tensor::from_vec([2, 2], vec![0; 4]).unwrap();
        let batch = Tensor::from_vec([4, 1, 1, 1], vec![1, 2, 3, 4]).unwrap();
        check_with("SpaceToBatch", &[("block_size", 2.into())], [square.clone(), none.clone()], batch);
        let padded = Tensor::from_vec([1, 2], vec![1, 1]).unwrap();
        let batch = Tensor::from_vec([2, 2, 2, 1], vec![0, 0, 3, 4, 1, 2, 0, 0]).unwrap();
        check("SpaceToBatchND", [square.clone(), [2].into(), padded], batch);
        check_error("SpaceToBatchND", [square.clone(), [3, 1].into(), none.clone()], "multiple of its block 3");
        check_error("SpaceToBatchND", [square, [0, 1].into(), none], "must be >= 1");
    }
}

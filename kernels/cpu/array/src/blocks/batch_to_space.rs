//! `BatchToSpaceND` and `BatchToSpace`: positions in the batch become blocks along the axes behind it.
//!
//! With `block_shape` [b, …] and `crops` [[before, after], …], element `(n * b + i, y, …)` of the input (batch first,
//! one axis for each block) goes to `(n', y * b + i - before, …)`, and what lies outside of the cropped extent
//! `y * b - before - after` is left out. `BatchToSpace` has two such axes and one block size for both, the attr
//! `block_size`. It is an error when the batch is no multiple of the product of the blocks, and when crops exceed an
//! extent.

use super::super::arguments;
use super::layout::{self, Blocked};
use oplink::prelude::*;
use oplink_cpu_support::movement::copy_axes_into;
use oplink_ops::array::{BatchToSpace, BatchToSpaceND};

/// `BatchToSpaceND` of real numbers.
#[kernel(BatchToSpaceND, device = CPU, T = [reals], Tblock_shape = any, Tcrops = any, host_memory = [block_shape, crops])]
pub fn batch_to_space_nd_cpu(
    input: &Tensor,
    block_shape: &Tensor,
    crops: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    spread(input, &arguments::vector(block_shape, "block_shape")?, crops, output, env)
}

/// `BatchToSpace` of real numbers.
#[kernel(BatchToSpace, device = CPU, T = [reals], Tidx = any, host_memory = [crops])]
pub fn batch_to_space_cpu(
    input: &Tensor,
    crops: &Tensor,
    block_size: i64,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(input.rank() == 4, "the input must have rank 4, it has {}", input.rank());
    spread(input, &[block_size; 2], crops, output, env)
}

fn spread(input: &Tensor, block_shape: &[i64], crops: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let axes = layout::read(input.shape(), block_shape, crops, "crops")?;
    let spatial = cropped(input.shape(), &axes)?;
    let output = output.allocate(spatial.clone())?;
    if output.num_elements() == 0 {
        return Ok(());
    }
    let tables = layout::offsets(&spatial, input.shape(), &axes);
    copy_axes_into(&env, output, input, 0, &layout::axes(&tables, &spatial))
}

/// The output's shape.
fn cropped(shape: &Shape, axes: &[Blocked]) -> Result<Shape> {
    let blocks: usize = axes.iter().map(|axis| axis.block).product();
    let mut out = shape.clone();
    ensure!(shape[0].is_multiple_of(blocks), "the batch of {} must be a multiple of {blocks} positions", shape[0]);
    out.dims_mut()[0] = shape[0] / blocks;
    for (number, axis) in axes.iter().enumerate() {
        let whole = shape[1 + number].saturating_mul(axis.block);
        let Some(extent) = whole.checked_sub(axis.before).and_then(|rest| rest.checked_sub(axis.after)) else {
            bail!("crops [{}, {}] exceed the extent {whole} of axis {}", axis.before, axis.after, 1 + number)
        };
        out.dims_mut()[1 + number] = extent;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    #[test]
    fn spreads_blocks() {
        let input = Tensor::from_vec([4, 1, 1, 1], vec![1, 2, 3, 4]).unwrap();
        let none = Tensor::from_vec([2, 2], vec![0; 4]).unwrap();
        let square = Tensor::from_vec([1, 2, 2, 1], vec![1, 2, 3, 4]).unwrap();
        check_with("BatchToSpace", &[("block_size", 2.into())], [input.clone(), none.clone()], square);
        let crops = Tensor::from_vec([2, 2], vec![0, 0, 1, 0]).unwrap();
        let column = Tensor::from_vec([1, 2, 1, 1], vec![2, 4]).unwrap();
        check("BatchToSpaceND", [input.clone(), [2i64, 2].into(), crops], column);
        check_error("BatchToSpaceND", [input.clone(), [3, 1].into(), none.clone()], "must be a multiple of 3");
        let deep = Tensor::from_vec([2, 2], vec![2, 1, 0, 0]).unwrap();
        check_error("BatchToSpaceND", [input, [2, 2].into(), deep], "exceed the extent 2");
        let empty = |batch: usize| Tensor::zeros(DType::Int32, [batch, 1, 0]).unwrap();
        let crops = Tensor::from_vec([1, 2], vec![0, 0]).unwrap();
        let spread = Tensor::zeros(DType::Int32, [1 << 40, 2, 0]).unwrap();
        check("BatchToSpaceND", [empty(1 << 41), [2].into(), crops], spread);
    }
}

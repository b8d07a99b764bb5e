//! Elements of one tensor or of another, and those confined to an interval.

use oplink::gpu::{block_dim, block_index, grid_dim, thread_index};
use oplink::prelude::*;
use oplink_ops::math::{ClipByValue, Select, SelectV2};

/// `t` where the condition holds, else `e`; the three shapes broadcast.
#[kernel(SelectV2, device = GPU, T = [floats, integers, bool])]
fn chosen<T: Element + Copy>(condition: bool, t: T, e: T) -> T {
    if condition { t } else { e }
}

/// `t` where the condition holds, else `e`, by words of the elements' size: a condition counts for `run` elements.
#[program(block = 256, T = [u8, u16, u32, u64])]
fn choose<T: Copy>(condition: &[bool], t: &[T], e: &[T], output: &mut [T], run: u32) {
    let first = block_index().x * block_dim().x + thread_index().x;
    for i in (first..output.len()).step_by(grid_dim().x * block_dim().x) {
        if condition[i / run as usize] {
            output[i] = t[i];
        } else {
            output[i] = e[i];
        }
    }
}

/// `Select`: the condition is of the shape of `t` and `e`, of their first extent, or one for all.
#[kernel(Select, device = GPU, T = [floats, integers, bool])]
fn select(condition: &Tensor, t: &Tensor, e: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    ensure!(
        t.shape() == e.shape(),
        "'then' and 'else' must have the same size.  but received: {} vs. {}",
        t.shape(),
        e.shape()
    );
    let run = elements_a_condition(condition.shape(), t.shape())?;
    let run =
        u32::try_from(run).map_err(|_| Error::unimplemented("a Select of more than 4294967295 elements a row"))?;
    let output = output.allocate(t.shape().clone())?;
    let word = match output.dtype().size() {
        Some(1) => DType::UInt8,
        Some(2) => DType::UInt16,
        Some(4) => DType::UInt32,
        _ => DType::UInt64,
    };
    choose { condition, t, e, output, run }.launch(env.device()?, word, choose::blocks(t.num_elements()))
}

/// Elements that one condition counts for.
fn elements_a_condition(condition: &Shape, t: &Shape) -> Result<usize> {
    let count = t.num_elements();
    Ok(if condition == t {
        1
    } else if condition.rank() == 0 {
        count
    } else {
        ensure!(
            condition.rank() == 1,
            "Inputs to operation Select must have the same size and shape.  Input 0: {condition} != input 1: {t}"
        );
        ensure!(t.rank() > 0, "'then' must be at least a vector, but saw shape: {t}");
        let (rows, conditions) = (t[0], condition[0]);
        ensure!(
            rows == conditions,
            "Number of batches of 'then' must match size of 'cond', but saw: {rows} vs. {conditions}"
        );
        count / rows.max(1)
    })
}

/// The number of `clip_value_min..=clip_value_max` that is nearest to `t`; the least where that is empty.
#[kernel(ClipByValue, device = GPU, T = [floats, u8, u16, u32, u64, i8, i16, i64])]
fn clipped<T: Real>(t: T, clip_value_min: T, clip_value_max: T) -> T {
    let below = if t > clip_value_max { clip_value_max } else { t };
    if below < clip_value_min { clip_value_min } else { below }
}

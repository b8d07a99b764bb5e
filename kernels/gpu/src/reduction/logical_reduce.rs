//! `All` and `Any`. The answers are computed as words, and packed by a program of its own: threads of a block cannot
//! write single bytes in WGSL.

use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_ops::reduction::{All, Any};

use crate::reduce::program::reduce_program;
use crate::reduce::{Fold, Layout, Reduction, Steps, fold};

/// Writes the programs for elements of one type, which `load` takes to 1 and 0.
macro_rules! logical_programs {
    ($all:ident as $all_fold:ident, $any:ident as $any_fold:ident, $element:ident, |$value:ident| $load:expr) => {
        reduce_program! {
            /// 1 where all elements are true.
            $all as $all_fold<>($element => u32)
            in u32, None, 1_u32, |_dtypes| [],
            (steps, divisor)
            load |$value| $load,
            join |a, b| a & b,
            finish |total| total
        }

        reduce_program! {
            /// 1 where some element is true.
            $any as $any_fold<>($element => u32)
            in u32, None, 0_u32, |_dtypes| [],
            (steps, divisor)
            load |$value| $load,
            join |a, b| a | b,
            finish |total| total
        }
    };
}

logical_programs!(all_bools as ALL_BOOLS, any_bools as ANY_BOOLS, bool, |value| u32::from(value));
logical_programs!(all_words as ALL_WORDS, any_words as ANY_WORDS, u32, |value| value);

/// `All`, of the elements and then of words that answer for parts.
const ALL: Fold = Fold {
    partial: None,
    launch: |device, dtypes, grid, x, y, geometry| {
        let fold = if dtypes[0] == DType::Bool { ALL_BOOLS } else { ALL_WORDS };
        (fold.launch)(device, dtypes, grid, x, y, geometry)
    },
};

/// `Any`, likewise.
const ANY: Fold = Fold {
    partial: None,
    launch: |device, dtypes, grid, x, y, geometry| {
        let fold = if dtypes[0] == DType::Bool { ANY_BOOLS } else { ANY_WORDS };
        (fold.launch)(device, dtypes, grid, x, y, geometry)
    },
};

/// Bools from words, `count` of them.
#[oplink::program(block = 256, cuda = include_str!("logical_reduce.cu"), wgsl = include_str!("logical_reduce.wgsl"))]
#[allow(unused_variables, reason = "the texts stand beside")]
fn pack_truth(words: &[u32], truth: &mut [bool], count: u32) {}

fn logical_reduce(reduction: Reduction<'_>, how: &Fold) -> Result<()> {
    let Reduction { input, axes, keep_dims, mut output, env } = reduction;
    let layout = Layout::new(input.shape(), axes, keep_dims)?;
    let truth = output.allocate(layout.output.clone())?;
    if layout.outputs == 0 {
        return Ok(());
    }
    let device = env.device()?;
    let words = device.allocate(DType::UInt32, layout.output.clone())?;
    fold(device, input, &words, &layout, how, Steps::NONE)?;
    let grid = pack_truth::blocks(truth.num_elements().div_ceil(4));
    pack_truth { words: &words, truth, count: layout.outputs }.launch(device, grid)
}

/// `All` over axes of either index type.
#[kernel(All, device = GPU, Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn all_gpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    logical_reduce(Reduction { input, axes: reduction_indices, keep_dims, output, env }, &ALL)
}

/// `Any` over axes of either index type.
#[kernel(Any, device = GPU, Tidx = [i32, i64], host_memory = [reduction_indices])]
pub fn any_gpu(
    input: &Tensor,
    reduction_indices: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    logical_reduce(Reduction { input, axes: reduction_indices, keep_dims, output, env }, &ANY)
}

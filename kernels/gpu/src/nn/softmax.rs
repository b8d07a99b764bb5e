//! `Softmax` and `LogSoftmax` along the last axis. Each row is for as many threads of a block as its length is worth;
//! the 16-bit floats are computed in f32.

use oplink::device::DeviceContext;
use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;
use oplink_ops::nn::{LogSoftmax, Softmax};

/// Writes the program for elements of one type, or of those in the list, computed in the type after `in`.
macro_rules! softmax_program {
    (
        $(#[$doc:meta])*
        $name:ident<$($generic:ident: $bound:ident = [$($ty:ident),*])?>($element:ident) in $sum:ident,
        load |$value:ident| $load:expr,
        finish |$total:ident| $finish:expr
    ) => {
        $(#[$doc])*
        #[oplink::program($($generic = [$($ty),*],)? block = 256)]
        fn $name<$($generic: $bound)?>(logits: &[$element], output: &mut [$element], rows: u32, columns: u32, width: u32, is_log: bool) {
            let mut partial = shared::<$sum, 256>();
            let me = thread_index().x as u32;
            let lane = me % width;
            let group = 256 / width;
            let blocks = 1 + (rows - 1) / group;
            let mut block = block_index().x as u32;
            while block < blocks {
                let row = block * group + me / width;
                let start = row * columns;
                let end = if row < rows { columns } else { 0 };
                let mut largest = $sum::NEG_INFINITY;
                let mut at = lane;
                while at < end {
                    let $value = logits[(start + at) as usize];
                    let number: $sum = $load;
                    if number > largest {
                        largest = number;
                    }
                    at += width;
                }
                partial[me as usize] = largest;
                barrier();
                let mut half = width / 2;
                while half > 0 {
                    if lane < half && partial[(me + half) as usize] > partial[me as usize] {
                        partial[me as usize] = partial[(me + half) as usize];
                    }
                    barrier();
                    half /= 2;
                }
                let largest = partial[(me - lane) as usize];
                barrier();
                let mut sum: $sum = 0.0;
                let mut at = lane;
                while at < end {
                    let $value = logits[(start + at) as usize];
                    let number: $sum = $load;
                    sum += (number - largest).exp();
                    at += width;
                }
                partial[me as usize] = sum;
                barrier();
                let mut half = width / 2;
                while half > 0 {
                    if lane < half {
                        partial[me as usize] += partial[(me + half) as usize];
                    }
                    barrier();
                    half /= 2;
                }
                let sum = partial[(me - lane) as usize];
                let log = sum.ln();
                let mut at = lane;
                while at < end {
                    let $value = logits[(start + at) as usize];
                    let number: $sum = $load;
                    let shifted = number - largest;
                    let $total = if is_log { shifted - log } else { shifted.exp() / sum };
                    output[(start + at) as usize] = $finish;
                    at += width;
                }
                barrier();
                block += grid_dim().x as u32;
            }
        }
    };
}

softmax_program! {
    /// In single precision.
    softmax_of_floats<T: Float = [f32, f16, bf16]>(T) in f32,
    load |value| value.to_f32(),
    finish |total| T::from_f32(total)
}

softmax_program! {
    /// In double precision.
    softmax_of_doubles<>(f64) in f64,
    load |value| value,
    finish |total| total
}

/// Blocks that every device takes in one direction.
const MOST_BLOCKS: u32 = 65_535;

fn normalize(x: &Tensor, mut output: OutputSlot<'_>, is_log: bool, env: Env<'_>) -> Result<()> {
    let Some(&columns) = x.shape().last() else { bail!("logits must be of rank 1 at least, they are a scalar") };
    let output = output.allocate(x.shape().clone())?;
    if x.num_elements() == 0 {
        return Ok(());
    }
    let count = u32::try_from(x.num_elements()).map_err(|_| too_many(x))?;
    let columns = columns as u32;
    launch(env.device()?, x, output, count / columns, columns, is_log)
}

fn too_many(x: &Tensor) -> Error {
    Error::unimplemented(format!("a softmax of more than {} elements on a GPU, the shape is {}", u32::MAX, x.shape()))
}

fn launch(device: &dyn DeviceContext, x: &Tensor, y: &Tensor, rows: u32, columns: u32, is_log: bool) -> Result<()> {
    let width = columns.div_ceil(4).clamp(1, 256).next_power_of_two();
    let grid = [rows.div_ceil(256 / width).min(MOST_BLOCKS), 1, 1];
    if x.dtype() == DType::Double {
        return softmax_of_doubles { logits: x, output: y, rows, columns, width, is_log }.launch(device, grid);
    }
    softmax_of_floats { logits: x, output: y, rows, columns, width, is_log }.launch(device, x.dtype(), grid)
}

/// `Softmax` for the floats.
#[kernel(Softmax, device = GPU, T = [floats])]
pub fn softmax_gpu(logits: &Tensor, softmax: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    normalize(logits, softmax, false, env)
}

/// `LogSoftmax` for the floats.
#[kernel(LogSoftmax, device = GPU, T = [floats])]
pub fn log_softmax_gpu(logits: &Tensor, logsoftmax: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    normalize(logits, logsoftmax, true, env)
}

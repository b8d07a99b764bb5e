//! `SparseSegmentSumGrad`, `SparseSegmentMeanGrad` and `SparseSegmentSqrtNGrad`: rows of segments are summed by the
//! rows of the data that were taken, in f32 and in no order. Rows and segments that do not exist are left out.

use oplink::gpu::{atomic_add, grid_stride};
use oplink::prelude::*;
use oplink::program;
use oplink_ops::reduction::{
    SparseSegmentMeanGrad, SparseSegmentSqrtNGrad, SparseSegmentSumGrad, check_segments, data_rows,
};

use super::segment_programs::Join;
use crate::movement::{clear, words};
use crate::scatter::{ScatterIndices, summed_in_single};

/// `SparseSegmentSumGrad` in the device's memory.
#[kernel(SparseSegmentSumGrad, device = GPU, T = [f16, bf16, f32], Tidx = [i32, i64], Tsegmentids = [i32, i64], host_memory = [output_dim0])]
pub fn sparse_segment_sum_grad_gpu(
    grad: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    output_dim0: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    spread([grad, indices, segment_ids], output_dim0, Join::Sum, output, env)
}

/// `SparseSegmentMeanGrad` in the device's memory.
#[kernel(SparseSegmentMeanGrad, device = GPU, T = [f16, bf16, f32], Tidx = [i32, i64], Tsegmentids = [i32, i64], host_memory = [output_dim0])]
pub fn sparse_segment_mean_grad_gpu(
    grad: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    output_dim0: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    spread([grad, indices, segment_ids], output_dim0, Join::Mean, output, env)
}

/// `SparseSegmentSqrtNGrad` in the device's memory.
#[kernel(SparseSegmentSqrtNGrad, device = GPU, T = [f16, bf16, f32], Tidx = [i32, i64], Tsegmentids = [i32, i64], host_memory = [output_dim0])]
pub fn sparse_segment_sqrt_n_grad_gpu(
    grad: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    output_dim0: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    spread([grad, indices, segment_ids], output_dim0, Join::SqrtN, output, env)
}

fn spread(
    [grad, indices, ids]: [&Tensor; 3],
    rows: &Tensor,
    join: Join,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let rows = data_rows("output_dim0", rows)?;
    ensure!(grad.rank() > 0, "grad must be at least a vector, it is a scalar");
    check_segments(grad.shape(), Some(indices.shape()), ids.shape())?;
    let element = &grad.shape()[1..];
    let out = output.allocate([&[rows], element].concat())?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let (device, segments, entries) = (env.device()?, grad.shape()[0], ids.num_elements());
    let width = out.num_elements() / rows;
    if segments * entries == 0 {
        return clear(device, out);
    }
    let (rows_of, ids_of) = (
        ScatterIndices::of(device, indices, entries, &[rows])?,
        ScatterIndices::of(device, ids, entries, &[segments])?,
    );
    let sizes = device.allocate(DType::UInt32, [segments].into())?;
    clear(device, &sizes)?;
    let count = words(entries)?;
    sizes_of_segments { ids: &ids_of.numbers, sizes: &sizes, count }
        .launch(device, sizes_of_segments::blocks(entries))?;
    let total = entries * width;
    summed_in_single(device, out, |sums| {
        clear(device, sums)?;
        add_rows {
            grad,
            rows: &rows_of.numbers,
            ids: &ids_of.numbers,
            sizes: &sizes,
            sums,
            width: words(width)?,
            total: words(total)?,
            join: join as u32,
        }
        .launch(device, grad.dtype(), add_rows::blocks(total))
    })
}

/// Counts the entries of each segment.
#[program(block = 256)]
fn sizes_of_segments(ids: &[u32], sizes: &mut [u32], count: u32) {
    for entry in grid_stride(count) {
        let id = ids[entry as usize];
        if id != u32::MAX {
            atomic_add(&mut sizes[id as usize], 1);
        }
    }
}

/// A thread for each element of an entry, which it adds to the row that was taken. `join` is a [`Join`].
#[program(block = 256, T = [f16, bf16, f32])]
fn add_rows<T: Float>(
    grad: &[T],
    rows: &[u32],
    ids: &[u32],
    sizes: &[u32],
    sums: &mut [f32],
    width: u32,
    total: u32,
    join: u32,
) {
    for at in grid_stride(total) {
        let (entry, column) = ((at / width) as usize, at % width);
        let (row, id) = (rows[entry], ids[entry]);
        if row != u32::MAX && id != u32::MAX {
            let size = sizes[id as usize] as f32;
            let mut factor = 1.0_f32;
            if join == 4 {
                factor = 1.0 / size;
            }
            if join == 5 {
                factor = 1.0 / size.sqrt();
            }
            atomic_add(
                &mut sums[(row * width + column) as usize],
                grad[(id * width + column) as usize].to_f32() * factor,
            );
        }
    }
}

//! The gradients of sparse reductions by segment: rows of segments are summed by the rows of the data that were taken.
//!
//! The 16-bit floats are summed in f32. The forms of version 2 give the rows that are taken alone.

use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::elementwise::{Arithmetic, ComputeFloat, Computed};
use oplink_ops::reduction::{
    SparseSegmentMeanGrad, SparseSegmentMeanGradV2, SparseSegmentSqrtNGrad, SparseSegmentSqrtNGradV2,
    SparseSegmentSumGrad, SparseSegmentSumGradV2, data_rows,
};

/// What the row of a segment is multiplied by, given the number of its entries.
type Scale = fn(f64) -> f64;

/// Which row of `grad` each entry is, and which row of the data it goes to.
struct Entries {
    rows: Vec<usize>,
    ids: Vec<usize>,
    /// Entries of each segment; empty where the data has no rows.
    counts: Vec<usize>,
}

impl Entries {
    /// Those of data with so many rows. Where it has none, the entries are not looked at.
    fn new(grad: &Tensor, [indices, ids]: [&Tensor; 2], rows: usize) -> Result<Self> {
        let Some(&segments) = grad.shape().first() else { bail!("grad must be at least a vector, it is a scalar") };
        ensure!(
            indices.rank() == 1 && indices.shape() == ids.shape(),
            "indices and segment_ids must be vectors of one length, they have shapes {} and {}",
            indices.shape(),
            ids.shape()
        );
        if rows == 0 {
            return Ok(Self { rows: Vec::new(), ids: Vec::new(), counts: Vec::new() });
        }
        let rows = within("indices", indices, rows)?;
        let ids = within("segment_ids", ids, segments)?;
        let mut counts = try_filled(0, segments)?;
        ids.iter().for_each(|&id| counts[id] += 1);
        Ok(Self { rows, ids, counts })
    }
}

/// Numbers below `end`.
fn within(name: &str, numbers: &Tensor, end: usize) -> Result<Vec<usize>> {
    let number = |(at, number): (usize, i64)| match usize::try_from(number) {
        Ok(number) if number < end => Ok(number),
        _ => bail!("{name}[{at}] = {number} is not in [0, {end})"),
    };
    int_values(numbers)?.into_iter().enumerate().map(number).collect()
}

/// Sets the output, of so many rows, to the sums of the entries' rows of `grad`, each in the row that `row` gives.
fn sums<T: Computed<ComputeType: ComputeFloat>>(
    grad: &Tensor,
    entries: &Entries,
    (rows, row): (usize, impl Fn(usize) -> usize),
    scale: Option<Scale>,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let element = &grad.shape()[1..];
    let width: usize = element.iter().product();
    let values = grad.as_slice::<T>()?;
    let out = output.allocate([&[rows], element].concat())?.as_mut_slice::<T>()?;
    let mut sums = try_filled(T::ComputeType::ZERO, out.len())?;
    for (entry, &id) in entries.ids.iter().enumerate() {
        env.poll();
        let factor = scale.map(|scale| T::ComputeType::from_f64(scale(entries.counts[id] as f64)));
        let into = &mut sums[row(entry) * width..][..width];
        for (sum, value) in into.iter_mut().zip(&values[id * width..][..width]) {
            let value = value.to_computed();
            *sum = sum.add(factor.map_or(value, |factor| value.mul(factor)));
        }
    }
    T::narrow(&sums, out);
    Ok(())
}

fn dense<T: Computed<ComputeType: ComputeFloat>>(
    grad: &Tensor,
    picked: [&Tensor; 2],
    rows: &Tensor,
    scale: Option<Scale>,
    (mut output, env): (OutputSlot<'_>, Env<'_>),
) -> Result<()> {
    let rows = data_rows("output_dim0", rows)?;
    let entries = Entries::new(grad, picked, rows)?;
    sums::<T>(grad, &entries, (rows, |entry| entries.rows[entry]), scale, &mut output, &env)
}

fn taken<T: Computed<ComputeType: ComputeFloat>>(
    grad: &Tensor,
    picked: [&Tensor; 2],
    rows: &Tensor,
    scale: Option<Scale>,
    (mut output, mut indices, env): (OutputSlot<'_>, OutputSlot<'_>, Env<'_>),
) -> Result<()> {
    let entries = Entries::new(grad, picked, data_rows("dense_output_dim0", rows)?)?;
    let mut unique = try_vec(entries.rows.len())?;
    unique.extend_from_slice(&entries.rows);
    unique.sort_unstable();
    unique.dedup();
    let row = |entry: usize| unique.partition_point(|&row| row < entries.rows[entry]);
    sums::<T>(grad, &entries, (unique.len(), row), scale, &mut output, &env)?;
    let is_narrow = indices.dtype() == DType::Int32;
    let out = indices.allocate([unique.len()])?;
    if is_narrow {
        out.as_mut_slice::<i32>()?.iter_mut().zip(&unique).for_each(|(out, &row)| *out = row as i32);
    } else {
        out.as_mut_slice::<i64>()?.iter_mut().zip(&unique).for_each(|(out, &row)| *out = row as i64);
    }
    Ok(())
}

/// `SparseSegmentMeanGrad` of floats.
#[kernel(SparseSegmentMeanGrad, device = CPU, T = [floats], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_mean_grad_cpu<T: Computed<ComputeType: ComputeFloat>>(
    grad: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    output_dim0: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    dense::<T>(grad, [indices, segment_ids], output_dim0, Some(|count| 1.0 / count), (output, env))
}

/// `SparseSegmentMeanGradV2` of floats.
#[kernel(SparseSegmentMeanGradV2, device = CPU, T = [floats], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_mean_grad_v2_cpu<T: Computed<ComputeType: ComputeFloat>>(
    grad: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    dense_output_dim0: &Tensor,
    output: OutputSlot<'_>,
    sorted_unique_indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let outputs = (output, sorted_unique_indices, env);
    taken::<T>(grad, [indices, segment_ids], dense_output_dim0, Some(|count| 1.0 / count), outputs)
}

/// `SparseSegmentSqrtNGrad` of floats.
#[kernel(SparseSegmentSqrtNGrad, device = CPU, T = [floats], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_sqrt_n_grad_cpu<T: Computed<ComputeType: ComputeFloat>>(
    grad: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    output_dim0: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    dense::<T>(grad, [indices, segment_ids], output_dim0, Some(|count| 1.0 / count.sqrt()), (output, env))
}

/// `SparseSegmentSqrtNGradV2` of floats.
#[kernel(SparseSegmentSqrtNGradV2, device = CPU, T = [floats], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_sqrt_n_grad_v2_cpu<T: Computed<ComputeType: ComputeFloat>>(
    grad: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    dense_output_dim0: &Tensor,
    output: OutputSlot<'_>,
    sorted_unique_indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let outputs = (output, sorted_unique_indices, env);
    taken::<T>(grad, [indices, segment_ids], dense_output_dim0, Some(|count| 1.0 / count.sqrt()), outputs)
}

/// `SparseSegmentSumGrad` of floats.
#[kernel(SparseSegmentSumGrad, device = CPU, T = [floats], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_sum_grad_cpu<T: Computed<ComputeType: ComputeFloat>>(
    grad: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    output_dim0: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    dense::<T>(grad, [indices, segment_ids], output_dim0, None, (output, env))
}

/// `SparseSegmentSumGradV2` of floats.
#[kernel(SparseSegmentSumGradV2, device = CPU, T = [floats], Tidx = any, Tsegmentids = any)]
pub fn sparse_segment_sum_grad_v2_cpu<T: Computed<ComputeType: ComputeFloat>>(
    grad: &Tensor,
    indices: &Tensor,
    segment_ids: &Tensor,
    dense_output_dim0: &Tensor,
    output: OutputSlot<'_>,
    sorted_unique_indices: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let outputs = (output, sorted_unique_indices, env);
    taken::<T>(grad, [indices, segment_ids], dense_output_dim0, None, outputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::check;

    #[test]
    fn rows_without_an_entry_are_zeros() {
        let grad = Tensor::from_vec([1, 2], vec![1.0f32, 2.0]).unwrap();
        let none = || Tensor::from_slice::<i32>(&[]);
        let zeros = Tensor::from_vec([2, 2], vec![0f32; 4]).unwrap();
        check("SparseSegmentSumGrad", [grad, none(), none(), 2.into()], zeros);
    }
}

//! `SparseReduceSum`, `SparseReduceMax` and their sparse forms: reductions along axes of the values that there are.
//!
//! Axes count from the end where negative and may repeat; without any, each value stands for itself. With `keep_dims`
//! they stay with extent 1. The dense forms have 0 where there is no value. 16-bit floats are summed in f32.

use std::ops::Range;

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed, Ordered};
use oplink_ops::movement::row_major_strides;
use oplink_ops::sparse::{SparseReduceMax, SparseReduceMaxSparse, SparseReduceSum, SparseReduceSumSparse};

use crate::coordinates::{Sparse, groups, position};
use crate::gather::{rows_vec, shape_tensor};

/// What is reduced, and how: the axes that stay, the values in their order, and which of them join.
struct Reduction<'a> {
    input: Sparse<'a>,
    kept: Vec<usize>,
    order: Vec<usize>,
    groups: Vec<Range<usize>>,
    keep_dims: bool,
}

impl<'a> Reduction<'a> {
    fn new(indices: &'a Tensor, values: &'a Tensor, shape: &Tensor, axes: &Tensor, keep_dims: bool) -> Result<Self> {
        let input = Sparse::new(indices, values, shape, "input_")?;
        let rank = input.shape.rank();
        ensure!(axes.rank() <= 1, "reduction_axes must be a vector or a scalar, its shape is {}", axes.shape());
        let axes = oplink::shape_inference::int_values(axes)?;
        let axes = axes.into_iter().map(|axis| oplink_ops::arguments::axis(axis, rank, "reduction_axes"));
        let axes = axes.collect::<Result<Vec<_>>>()?;
        let (reduced, kept): (Vec<_>, Vec<_>) = (0..rank).partition(|axis| axes.contains(axis));
        let order = input.at.sorted_by(&[&kept[..], &reduced].concat())?;
        let groups = groups(input.at, &order, &kept)?;
        Ok(Self { input, kept, order, groups, keep_dims })
    }

    /// The extents of the output.
    fn shape(&self) -> Vec<usize> {
        let shape = &self.input.shape;
        match self.keep_dims {
            true => (0..shape.rank()).map(|axis| if self.kept.contains(&axis) { shape[axis] } else { 1 }).collect(),
            false => self.kept.iter().map(|&axis| shape[axis]).collect(),
        }
    }

    /// The indices of a group along the axes that stay.
    fn index(&self, group: &Range<usize>) -> impl Iterator<Item = i64> + '_ {
        let row = self.input.at.row(self.order[group.start]);
        self.kept.iter().map(move |&axis| row[axis])
    }

    /// The values of a group joined.
    fn join<T: Computed>(
        &self,
        values: &[T],
        group: &Range<usize>,
        f: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType,
    ) -> T {
        let all = self.order[group.clone()].iter().map(|&at| values[at].to_computed());
        T::from_computed(all.reduce(f).unwrap_or_default())
    }

    fn dense<T: Computed>(
        &self,
        mut output: OutputSlot<'_>,
        f: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType,
    ) -> Result<()> {
        let values = self.input.values.as_slice::<T>()?;
        let extents: Vec<usize> = self.kept.iter().map(|&axis| self.input.shape[axis]).collect();
        let strides = row_major_strides(&extents);
        let out = output.allocate(self.shape())?.as_mut_slice::<T>()?;
        out.fill(T::default());
        for group in &self.groups {
            let place = position(self.index(group), &strides);
            let place = usize::try_from(place).ok().filter(|&place| place < out.len());
            let Some(place) = place else {
                let row = self.input.at.row(self.order[group.start]);
                bail!("input_indices has {row:?}, which is outside of input_shape {}", self.input.shape)
            };
            out[place] = self.join(values, group, &f);
        }
        Ok(())
    }

    fn sparse<T: Computed>(
        &self,
        [mut indices, mut output, mut shape]: [OutputSlot<'_>; 3],
        f: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType,
    ) -> Result<()> {
        let values = self.input.values.as_slice::<T>()?;
        let (count, extents) = (self.groups.len(), self.shape());
        let mut rows = rows_vec(count, extents.len())?;
        for group in &self.groups {
            let mut index = self.index(group);
            match self.keep_dims {
                true => rows.extend(
                    (0..extents.len())
                        .map(|axis| if self.kept.contains(&axis) { index.next().unwrap_or_default() } else { 0 }),
                ),
                false => rows.extend(index),
            }
        }
        indices.set(Tensor::from_vec([count, extents.len()], rows)?);
        let out = output.allocate([count])?.as_mut_slice::<T>()?;
        for (out, group) in out.iter_mut().zip(&self.groups) {
            *out = self.join(values, group, &f);
        }
        shape.set(shape_tensor(&extents));
        Ok(())
    }
}

/// `SparseReduceSum` of every number.
#[kernel(SparseReduceSum, device = CPU, T = [numbers])]
pub fn sparse_reduce_sum_cpu<T: Computed>(
    input_indices: &Tensor,
    input_values: &Tensor,
    input_shape: &Tensor,
    reduction_axes: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Arithmetic,
{
    let reduction = Reduction::new(input_indices, input_values, input_shape, reduction_axes, keep_dims)?;
    reduction.dense::<T>(output, Arithmetic::add)
}

/// `SparseReduceMax` of real numbers.
#[kernel(SparseReduceMax, device = CPU, T = [floats, integers])]
pub fn sparse_reduce_max_cpu<T: Computed>(
    input_indices: &Tensor,
    input_values: &Tensor,
    input_shape: &Tensor,
    reduction_axes: &Tensor,
    keep_dims: bool,
    output: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Ordered,
{
    let reduction = Reduction::new(input_indices, input_values, input_shape, reduction_axes, keep_dims)?;
    reduction.dense::<T>(output, Ordered::maximum)
}

/// `SparseReduceSumSparse` of every number.
#[kernel(SparseReduceSumSparse, device = CPU, T = [numbers])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn sparse_reduce_sum_sparse_cpu<T: Computed>(
    input_indices: &Tensor,
    input_values: &Tensor,
    input_shape: &Tensor,
    reduction_axes: &Tensor,
    keep_dims: bool,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    output_shape: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Arithmetic,
{
    let reduction = Reduction::new(input_indices, input_values, input_shape, reduction_axes, keep_dims)?;
    reduction.sparse::<T>([output_indices, output_values, output_shape], Arithmetic::add)
}

/// `SparseReduceMaxSparse` of real numbers.
#[kernel(SparseReduceMaxSparse, device = CPU, T = [floats, integers])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn sparse_reduce_max_sparse_cpu<T: Computed>(
    input_indices: &Tensor,
    input_values: &Tensor,
    input_shape: &Tensor,
    reduction_axes: &Tensor,
    keep_dims: bool,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    output_shape: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Ordered,
{
    let reduction = Reduction::new(input_indices, input_values, input_shape, reduction_axes, keep_dims)?;
    reduction.sparse::<T>([output_indices, output_values, output_shape], Ordered::maximum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with, run};

    fn input() -> [Tensor; 3] {
        let indices = Tensor::from_vec([3, 2], vec![0i64, 1, 1, 0, 0, 0]).unwrap();
        [indices, [1, -2, 3].into(), [3i64, 2].into()]
    }

    #[test]
    fn dense_and_sparse() {
        let [i, v, s] = input();
        check("SparseReduceSum", [i, v, s, [-1].into()], [4, -2, 0]);
        let [i, v, s] = input();
        let kept = Tensor::from_vec([1, 2], vec![3, 1]).unwrap();
        check_with("SparseReduceMax", &[("keep_dims", true.into())], [i, v, s, [0].into()], kept);
        let [i, v, s] = input();
        let out = run("SparseReduceSumSparse", &[], vec![i, v, s, [1, 1].into()]).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 1]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [4, -2]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [3]);
        let [i, v, s] = input();
        let out = run("SparseReduceMaxSparse", &[("keep_dims", true.into())], vec![i, v, s, [0, 1].into()]).unwrap();
        assert_eq!((out[0].as_slice::<i64>().unwrap(), out[1].as_slice::<i32>().unwrap()), (&[0, 0][..], &[3][..]));
    }

    #[test]
    fn what_is_outside_is_an_error() {
        let [i, v, s] = input();
        check_error("SparseReduceSum", [i, v, s, [2].into()], "axis 2 is outside [-2, 2) for rank 2");
        let [i, v, _] = input();
        check_error("SparseReduceSum", [i, v, [1i64, 1].into(), [1].into()], "outside of input_shape");
    }
}

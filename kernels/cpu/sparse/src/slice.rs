//! `SparseSlice` and `SparseSliceGrad`: a part of a sparse tensor, and where its gradient goes.
//!
//! The part starts at `start` and has the extents `size`, or what there is from `start` on. Values keep their order. Of
//! the gradient, `output_indices` are those of the slice: it is an error when one is not found among the inputs', in
//! order.

use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_ops::sparse::{SparseSlice, SparseSliceGrad};

use crate::coordinates::{Coordinates, Sparse};
use crate::gather::{pick_values, rows_vec, shape_tensor};

/// `SparseSlice` of every dtype.
#[kernel(SparseSlice, device = CPU, T = any)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn sparse_slice_cpu(
    indices: &Tensor,
    values: &Tensor,
    shape: &Tensor,
    start: &Tensor,
    size: &Tensor,
    mut output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    mut output_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let input = Sparse::new(indices, values, shape, "")?;
    let rank = input.at.rank;
    let [start, size] = [(start, "start"), (size, "size")].map(|(tensor, name)| {
        let values = oplink_ops::arguments::vector(tensor, name)?;
        ensure!(values.len() == rank, "{name} has {} elements for {rank} axes", values.len());
        Ok(values)
    });
    let (start, size) = (start?, size?);
    ensure!(size.iter().all(|&size| size >= 0), "size must be >= 0, it is {size:?}");
    let end = |axis: usize| start[axis].saturating_add(size[axis]);
    let inside = |&at: &usize| {
        input.at.row(at).iter().enumerate().all(|(axis, &index)| start[axis] <= index && index < end(axis))
    };
    let picked = try_collect((0..input.at.count).filter(inside))?;
    let mut rows = rows_vec(picked.len(), rank)?;
    for &at in &picked {
        rows.extend(input.at.row(at).iter().zip(&start).map(|(index, start)| index.wrapping_sub(*start)));
    }
    output_indices.set(Tensor::from_vec([picked.len(), rank], rows)?);
    pick_values(output_values, values, &picked, env)?;
    let extents = (0..rank).map(|axis| {
        let rest = (input.shape[axis] as i64).saturating_sub(start[axis]);
        size[axis].min(rest.max(0)) as usize
    });
    output_shape.set(shape_tensor(&extents.collect::<Vec<_>>()));
    Ok(())
}

/// `SparseSliceGrad` of every number.
#[kernel(SparseSliceGrad, device = CPU, T = [numbers])]
pub fn sparse_slice_grad_cpu<T: Element + Copy>(
    backprop_val_grad: &Tensor,
    input_indices: &Tensor,
    input_start: &Tensor,
    output_indices: &Tensor,
    mut val_grad: OutputSlot<'_>,
) -> Result<()> {
    let [input, output] = [(input_indices, "input_indices"), (output_indices, "output_indices")]
        .map(|(indices, name)| Coordinates::of(indices, name));
    let (input, output) = (input?, output?);
    ensure!(backprop_val_grad.rank() == 1, "backprop_val_grad must be a vector");
    ensure!(input.rank == output.rank, "input_indices and output_indices must have as many columns");
    let start = oplink_ops::arguments::vector(input_start, "input_start")?;
    ensure!(start.len() == input.rank, "input_start has {} elements for {} axes", start.len(), input.rank);
    let gradients = backprop_val_grad.as_slice::<T>()?;
    let count = gradients.len();
    ensure!(count == output.count, "backprop_val_grad has {count} elements for {} output_indices", output.count);
    let out = val_grad.allocate([input.count])?.as_mut_slice::<T>()?;
    out.fill(T::default());
    let mut used = 0;
    for (out, row) in out.iter_mut().zip(input.rows()) {
        let is_next = used < count
            && row.iter().zip(output.row(used)).zip(&start).all(|((a, b), start)| *a == b.wrapping_add(*start));
        if is_next {
            *out = gradients[used];
            used += 1;
        }
    }
    ensure!(used == count, "output_indices[{used}] is no index of the input, or out of order");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, run};

    #[test]
    fn slices_and_gradients() {
        let indices = || Tensor::from_vec([3, 2], vec![0i64, 2, 0, 4, 1, 0]).unwrap();
        let inputs =
            |size: [i64; 2]| vec![indices(), [1, 2, 3].into(), [2i64, 7].into(), [0i64, 4].into(), size.into()];
        let out = run("SparseSlice", &[], inputs([2, 9])).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 0]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [2]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [2, 3]);
        assert!(run("SparseSlice", &[], inputs([2, -1])).is_err());
        let inputs = [[5.0f32].into(), indices(), [0i64, 4].into(), out[0].clone()];
        check("SparseSliceGrad", inputs.clone(), [0.0f32, 5.0, 0.0]);
        let [gradients, indices, _, output] = inputs;
        assert!(run("SparseSliceGrad", &[], vec![gradients, indices, [3i64, 0].into(), output]).is_err());
    }
}

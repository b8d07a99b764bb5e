//! `SparseConcat` and `SparseSplit`: sparse tensors joined along an axis, and parted along one.
//!
//! Joined values come in row-major order. Of `SparseSplit`, whose extent is no multiple of the number of parts, the
//! first parts are longer by one; values keep their order. Every dtype.

use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::normalize_axis;
use oplink_cpu_support::movement::{Piece, join_rows};
use oplink_ops::sparse::{SparseConcat, SparseSplit};

use crate::coordinates::{Coordinates, Sparse};
use crate::gather::{pick_rows, pick_values, rows_vec, shape_tensor};

/// `SparseConcat` of every dtype.
#[kernel(SparseConcat, device = CPU, T = any)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn sparse_concat_cpu(
    indices: &[Tensor],
    values: &[Tensor],
    shapes: &[Tensor],
    concat_dim: i64,
    output_indices: OutputSlot<'_>,
    output_values: OutputSlot<'_>,
    mut output_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let parts = indices
        .iter()
        .zip(values)
        .zip(shapes)
        .map(|((indices, values), shape)| Sparse::new(indices, values, shape, ""));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let axis = normalize_axis(concat_dim, parts[0].shape.rank())?;
    let mut shape = parts[0].shape.to_vec();
    let mut rows = rows_vec(parts.iter().map(|part| part.at.count).sum(), shape.len())?;
    shape[axis] = 0;
    for (number, part) in parts.iter().enumerate() {
        let fits = part.shape.rank() == shape.len()
            && (0..shape.len()).all(|other| other == axis || part.shape[other] == shape[other]);
        ensure!(fits, "shapes[{number}] = {} differs from {} beside axis {axis}", part.shape, parts[0].shape);
        for row in part.at.rows() {
            let start = rows.len();
            rows.extend_from_slice(row);
            rows[start + axis] = rows[start + axis].wrapping_add(shape[axis] as i64);
        }
        let extent = shape[axis].checked_add(part.shape[axis]);
        shape[axis] = extent.ok_or_else(|| Error::invalid_argument("the joined extent is too large"))?;
    }
    let joined: Shape = shape.iter().copied().collect();
    ensure!(joined.checked_num_elements().is_some(), "the joined shape {joined} has too many elements");
    let count = parts.iter().map(|part| part.at.count).sum::<usize>();
    let rows = Tensor::from_vec([count, shape.len()], rows)?;
    let at = Coordinates::of(&rows, "indices")?;
    let order = at.sorted_by(&(0..shape.len()).collect::<Vec<_>>())?;
    let mut all = env.allocate(values[0].dtype(), [count])?;
    let pieces: Vec<_> = values.iter().map(|tensor| Piece { tensor, length: tensor.num_elements() }).collect();
    join_rows(&env, &mut all, &pieces)?;
    pick_rows(output_indices, at, &order)?;
    pick_values(output_values, &all, &order, env)?;
    output_shape.set(shape_tensor(&shape));
    Ok(())
}

/// `SparseSplit` of every dtype.
#[kernel(SparseSplit, device = CPU, T = any)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn sparse_split_cpu(
    split_dim: &Tensor,
    indices: &Tensor,
    values: &Tensor,
    shape: &Tensor,
    mut output_indices: OutputList<'_>,
    mut output_values: OutputList<'_>,
    mut output_shape: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    let input = Sparse::new(indices, values, shape, "")?;
    let axis = normalize_axis(oplink_ops::arguments::scalar(split_dim, "split_dim")?, input.shape.rank())?;
    let (extent, count) = (input.shape[axis], output_indices.len());
    ensure!(count <= extent, "num_split {count} must be in [1, {extent}], the extent of axis {axis}");
    let (least, longer) = (extent / count, extent % count);
    input.check_bounds()?;
    let start = |part: usize| part * least + part.min(longer);
    let mut picked: Vec<Vec<usize>> = try_filled(Vec::new(), count)?;
    for (at, row) in input.at.rows().enumerate() {
        let index = row[axis] as usize;
        let long = longer * (least + 1);
        let part = if index < long { index / (least + 1) } else { longer + (index - long) / least };
        picked[part].push(at);
    }
    let slots = output_indices.iter_mut().zip(output_values.iter_mut()).zip(output_shape.iter_mut());
    for (part, (((mut to_indices, to_values), mut to_shape), picked)) in env.watch(slots.zip(&picked).enumerate()) {
        let mut rows = rows_vec(picked.len(), input.at.rank)?;
        for &at in picked {
            let begin = rows.len();
            rows.extend_from_slice(input.at.row(at));
            rows[begin + axis] -= start(part) as i64;
        }
        to_indices.set(Tensor::from_vec([picked.len(), input.at.rank], rows)?);
        pick_values(to_values, values, picked, env)?;
        let mut shape: Vec<usize> = try_vec(input.shape.rank())?;
        shape.extend(input.shape.iter());
        shape[axis] = start(part + 1) - start(part);
        to_shape.set(shape_tensor(&shape));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn rows(rows: &[[i64; 2]]) -> Tensor {
        Tensor::from_vec([rows.len(), 2], rows.concat()).unwrap()
    }

    #[test]
    fn joined_values_come_in_order() {
        let inputs = vec![
            rows(&[[0, 2], [1, 0], [1, 1]]),
            rows(&[[0, 1], [0, 2]]),
            [1, 2, 3].into(),
            [4, 5].into(),
            [2i64, 3].into(),
            [2i64, 4].into(),
        ];
        let out = run("SparseConcat", &[("concat_dim", (-1).into())], inputs.clone()).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 2, 0, 4, 0, 5, 1, 0, 1, 1]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [1, 4, 5, 2, 3]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [2, 7]);
        assert!(run("SparseConcat", &[("concat_dim", 0.into())], inputs.clone()).is_err());
        assert!(run("SparseConcat", &[("concat_dim", 2.into())], inputs).is_err());
    }

    #[test]
    fn first_parts_are_longer() {
        let inputs =
            |extent: i64| vec![1i64.into(), rows(&[[0, 2], [0, 4], [1, 0]]), [1, 2, 3].into(), [2i64, extent].into()];
        let out = run("SparseSplit", &[("num_split", 2.into())], inputs(7)).unwrap();
        assert_eq!(out[0].as_slice::<i64>().unwrap(), [0, 2, 1, 0]);
        assert_eq!(out[1].as_slice::<i64>().unwrap(), [0, 0]);
        assert_eq!(out[3].as_slice::<i32>().unwrap(), [2]);
        assert_eq!(out[4].as_slice::<i64>().unwrap(), [2, 4]);
        assert!(run("SparseSplit", &[("num_split", 2.into())], inputs(3)).is_err());
        assert!(run("SparseSplit", &[("num_split", 8.into())], inputs(7)).is_err());
    }
}

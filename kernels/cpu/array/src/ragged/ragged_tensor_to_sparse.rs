//! `RaggedTensorToSparse`: a ragged tensor as a sparse one, each of its values with its index.
//!
//! The dense shape has the lengths of the longest rows.

use oplink::memory::{try_collect, try_reserve, try_vec};
use oplink::prelude::*;
use oplink_ops::array::RaggedTensorToSparse;
use oplink_ops::movement::coordinates;

/// `RaggedTensorToSparse` of every dtype.
#[kernel(RaggedTensorToSparse, device = CPU, T = any, Tsplits = any)]
pub fn ragged_tensor_to_sparse_cpu(
    rt_nested_splits: &[Tensor],
    rt_dense_values: Input<'_>,
    mut sparse_indices: OutputSlot<'_>,
    mut sparse_values: OutputSlot<'_>,
    mut sparse_dense_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let values = rt_dense_values.take();
    let Some((&count, inner)) = values.shape().split_first() else {
        bail!("rt_dense_values must be a vector at least")
    };
    let all = rt_nested_splits.iter().map(|splits| oplink_ops::arguments::vector(splits, "rt_nested_splits"));
    let all = all.collect::<Result<Vec<_>>>()?;
    let outer = all.first().map_or(0, Vec::len);
    ensure!(outer > 0, "rt_nested_splits[0] has no elements");
    let mut shape = vec![outer as i64 - 1];
    let mut rows: Vec<i64> = try_collect(0..outer as i64 - 1)?;
    for (at, splits) in all.iter().enumerate() {
        let end = all.get(at + 1).map_or(count as i64, |next| next.len() as i64 - 1);
        let fits = splits.first() == Some(&0) && splits.is_sorted() && splits.last() == Some(&end);
        ensure!(fits, "rt_nested_splits[{at}] must rise from 0 to {end}");
        let rank = shape.len();
        let mut next: Vec<i64> = Vec::new();
        try_reserve(&mut next, (end as usize).saturating_mul(rank + 1))?;
        for (row, pair) in env.watch(rows.chunks_exact(rank).zip(splits.windows(2))) {
            for column in 0..pair[1] - pair[0] {
                next.extend_from_slice(row);
                next.push(column);
            }
        }
        shape.push(splits.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0));
        rows = next;
    }
    let (rank, width) = (shape.len(), inner.iter().product::<usize>());
    let mut indices = try_vec(values.num_elements().saturating_mul(rank + inner.len()))?;
    for row in env.watch(rows.chunks_exact(rank)) {
        for at in 0..width {
            indices.extend_from_slice(row);
            indices.extend_from_slice(&coordinates(at, inner));
        }
    }
    sparse_indices.set(Tensor::from_vec([values.num_elements(), rank + inner.len()], indices)?);
    shape.extend(inner.iter().map(|&extent| extent as i64));
    sparse_dense_shape.set(shape.into());
    let elements = values.num_elements();
    sparse_values.set(values.with_shape([elements])?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    #[test]
    fn values_with_their_indices() {
        let values = Tensor::from_vec([3, 2], vec![1, 4, 2, 5, 3, 6]).unwrap();
        let inputs = vec![[0i64, 2, 2, 3].into(), [0i64, 1, 1, 3].into(), values];
        let out = run("RaggedTensorToSparse", &[("RAGGED_RANK", 2i64.into())], inputs).unwrap();
        let expected = [0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 2, 0, 0, 1, 2, 0, 1, 0, 2, 0, 1, 1];
        assert_eq!(out[0].as_slice::<i64>().unwrap(), expected);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), [1, 4, 2, 5, 3, 6]);
        assert_eq!(out[2].as_slice::<i64>().unwrap(), [3, 2, 2, 2]);
    }

    #[test]
    fn splits_must_fit() {
        for splits in [&[][..], &[0, 2], &[1, 3], &[0, 4, 3]] {
            assert!(run("RaggedTensorToSparse", &[], vec![splits.into(), [1, 2, 3].into()]).is_err());
        }
    }
}

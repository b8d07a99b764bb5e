//! `RaggedGather`: rows of a ragged tensor, picked by indices of any shape.
//!
//! The output has the axes of the indices before those of a row, all but the first one by row splits.

use oplink::memory::{try_collect, try_reserve, try_resize, try_vec};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::{Axis, copy_axes_into};
use oplink_ops::array::RaggedGather;

use super::splits_tensor;

/// `RaggedGather` of every dtype.
#[kernel(RaggedGather, device = CPU, Tvalues = any, Tindices = any, Tsplits = any)]
pub fn ragged_gather_cpu(
    params_nested_splits: &[Tensor],
    params_dense_values: &Tensor,
    indices: &Tensor,
    mut output_nested_splits: OutputList<'_>,
    mut output_dense_values: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let Some((&rows, inner)) = params_dense_values.shape().split_first() else {
        bail!("params_dense_values must be a vector at least, it is a scalar")
    };
    let params =
        params_nested_splits.iter().map(|splits| oplink_ops::arguments::vector(splits, "params_nested_splits"));
    let params = params.collect::<Result<Vec<_>>>()?;
    for (at, splits) in params.iter().enumerate() {
        let end = params.get(at + 1).map_or(rows as i64, |next| next.len() as i64 - 1);
        let fits = splits.is_sorted()
            && splits.first().is_some_and(|&first| first >= 0)
            && splits.last().is_some_and(|&last| last <= end);
        ensure!(fits, "params_nested_splits[{at}] must rise, and lie in [0, {end}]");
    }
    let outputs = output_nested_splits.len();
    let fits = outputs + 1 == params.len() + indices.rank();
    ensure!(
        fits,
        "OUTPUT_RAGGED_RANK is {outputs}, for {} splits and indices of rank {}",
        params.len(),
        indices.rank()
    );
    let mut all: Vec<Vec<i64>> = Vec::new();
    let mut count: usize = 1;
    for pair in indices.shape().windows(2) {
        count *= pair[0];
        all.push(try_collect((0..=count as i64).map(|row| row * pair[1] as i64))?);
    }
    try_resize(&mut all, outputs, vec![0])?;
    let mut taken: Vec<isize> = Vec::new();
    let width: usize = inner.iter().product();
    for (at, &index) in env.watch(int_values(indices)?.iter().enumerate()) {
        let outermost = params[0].len() - 1;
        let row = usize::try_from(index).ok().filter(|&row| row < outermost);
        let Some(row) = row else { bail!("indices[{at}] = {index} is not in [0, {outermost})") };
        let (mut start, mut end) = (row, row + 1);
        for (level, splits) in params.iter().enumerate() {
            // The row splits of a scalar's row are those of the inner axes.
            if let Some(own) = (level + outputs).checked_sub(params.len()).map(|output| &mut all[output]) {
                let delta = own.last().copied().unwrap_or_default() - splits[start];
                try_reserve(own, end - start)?;
                own.extend(splits[start + 1..=end].iter().map(|split| split + delta));
            }
            (start, end) = (splits[start] as usize, splits[end] as usize);
        }
        try_reserve(&mut taken, end - start)?;
        taken.extend((start..end).map(|row| (row * width) as isize));
    }
    for (at, splits) in all.into_iter().enumerate() {
        output_nested_splits.set(at, splits_tensor(splits, params_nested_splits[0].dtype())?);
    }
    let mut shape: Vec<usize> = try_vec(inner.len() + 1)?;
    shape.push(taken.len());
    shape.extend(inner);
    let axes = [Axis::Table(&taken), Axis::Strided { count: width, stride: 1 }];
    copy_axes_into(&env, output_dense_values.allocate(shape)?, params_dense_values, 0, &axes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn gather(splits: &[&[i64]], indices: Tensor) -> Result<Vec<Vec<i64>>> {
        let outputs = splits.len() + indices.rank() - 1;
        let inputs = splits.iter().map(|&splits| splits.into()).chain([[1i64, 2, 3].into(), indices]).collect();
        let out = run("RaggedGather", &[("OUTPUT_RAGGED_RANK", (outputs as i64).into())], inputs)?;
        out.iter().map(|tensor| Ok(tensor.as_slice::<i64>()?.to_vec())).collect()
    }

    #[test]
    fn rows_are_those_of_tensorflow() {
        assert_eq!(gather(&[&[0, 2, 3]], [1, 0, 1].into()).unwrap(), [vec![0, 1, 3, 4], vec![3, 1, 2, 3]]);
        let deep = gather(&[&[0, 2, 3], &[0, 1, 1, 3]], Tensor::from_vec([2, 2], vec![1, 0, 1, 1]).unwrap()).unwrap();
        let expected = [vec![0, 2, 4], vec![0, 1, 3, 4, 5], vec![0, 2, 3, 3, 5, 7], vec![2, 3, 1, 2, 3, 2, 3]];
        assert_eq!(deep, expected);
        assert_eq!(gather(&[&[0, 2, 3]], 0.into()).unwrap(), [vec![1, 2]]);
        assert_eq!(gather(&[&[0, 2, 3], &[0, 1, 1, 3]], 0.into()).unwrap(), [vec![0, 1, 1], vec![1]]);
        let empty = Tensor::from_vec([2, 0], Vec::<i32>::new()).unwrap();
        assert_eq!(gather(&[&[0, 2, 3]], empty).unwrap(), [vec![0, 0, 0], vec![0], vec![]]);
    }

    #[test]
    fn what_is_outside_is_an_error() {
        assert!(gather(&[&[0, 2, 3]], [2].into()).is_err());
        assert!(gather(&[&[0, 2, 3]], [-1].into()).is_err());
        assert!(gather(&[&[0, 2, 4]], [0].into()).is_err());
        assert!(gather(&[&[0, 2, 4], &[0, 1, 1, 3]], [0].into()).is_err());
        assert!(gather(&[&[0, 2, 1]], [0].into()).is_err());
        assert!(gather(&[&[]], [0].into()).is_err());
    }
}

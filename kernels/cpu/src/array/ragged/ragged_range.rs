//! `RaggedRange`: several ranges of numbers as the rows of a ragged tensor.
//!
//! `starts`, `limits` and `deltas` are vectors of one length, or scalars, which serve every row. Row `i` counts from
//! `starts[i]` in steps of `deltas[i]` (not 0) as long as `limits[i]` is not reached. `rt_dense_values` holds the rows one
//! after the other, `rt_nested_splits` where each starts, and the end.

use oplink::prelude::*;

/// Ranges of numbers, one after the other, and where each starts.
#[op(
    "RaggedRange",
    input = "starts: T",
    input = "limits: T",
    input = "deltas: T",
    output = "rt_nested_splits: Tsplits",
    output = "rt_dense_values: T",
    attr = "T: {bfloat16, float, double, int32, int64} = DT_INT32",
    attr = "Tsplits: {int32, int64} = DT_INT64"
)]
pub fn ragged_range(c: &mut ShapeContext<'_>) -> Result<()> {
    let mut rows = None;
    for index in 0..3 {
        let shape = c.with_rank_at_most(index, 1)?;
        if shape.rank() == Some(1) {
            rows = c.merge_dim(rows, shape.dim(0))?;
        }
    }
    let scalars = (0..3).all(|index| c.input(index).rank() == Some(0));
    let splits = if scalars { Some(2) } else { rows.map(|rows| rows + 1) };
    c.set_output(0, PartialShape::new(&[splits]));
    c.set_output(1, PartialShape::new(&[None]));
    Ok(())
}

/// `RaggedRange` of the dtypes that TensorFlow makes ranges of.
#[kernel(RaggedRange, device = CPU, T = [f32, f64, i32, i64], Tsplits = [i32, i64])]
pub fn ragged_range_cpu<T: Step>(context: &mut KernelContext<'_>) -> Result<()> {
    let mut rows = None;
    for (index, name) in ["starts", "limits", "deltas"].into_iter().enumerate() {
        let shape = context.input(index).shape();
        ensure!(shape.rank() <= 1, "{name} must be a scalar or a vector, it has shape {shape}");
        if let &[length] = shape.dims() {
            ensure!(
                *rows.get_or_insert(length) == length,
                "starts, limits and deltas must have one length, {name} has {length}"
            );
        }
    }
    let rows = rows.unwrap_or(1);
    let inputs = [0, 1, 2].map(|index| context.input(index).as_slice::<T>());
    let [starts, limits, deltas] = inputs;
    let (starts, limits, deltas) = (starts?, limits?, deltas?);
    let at = |values: &[T], row: usize| if values.len() == 1 { values[0] } else { values[row] };
    let range = |row: usize| (at(starts, row), at(limits, row), at(deltas, row));
    let mut splits = vec![0usize];
    for row in 0..rows {
        let (start, limit, delta) = range(row);
        ensure!(delta != T::zero(), "deltas[{row}] must not be 0");
        let last = splits[row];
        match T::count(start, limit, delta).and_then(|count| last.checked_add(count)) {
            Some(end) => splits.push(end),
            None => bail!("row {row}, from {start:?} to {limit:?} by {delta:?}, has too many elements"),
        }
    }
    let mut values = context.allocate_output(1, [splits[rows]])?;
    let mut out = values.as_mut_slice::<T>()?.iter_mut();
    for row in 0..rows {
        let (mut value, _, delta) = range(row);
        for out in out.by_ref().take(splits[row + 1] - splits[row]) {
            *out = value;
            value = value.stepped(delta);
        }
    }
    let splits = super::super::arguments::indices(context, 0, [splits.len()], &splits)?;
    context.set_output(0, splits);
    context.set_output(1, values);
    Ok(())
}

/// A number that ranges are made of.
pub trait Step: Real {
    /// The number of steps of `delta` from `start` that stay before `limit`; `None` where there are too many or any of
    /// them is NaN.
    fn count(start: Self, limit: Self, delta: Self) -> Option<usize>;
    /// `self + delta`; integers wrap.
    fn stepped(self, delta: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Step for $ty {
            fn count(start: Self, limit: Self, delta: Self) -> Option<usize> {
                if (delta > 0 && start >= limit) || (delta < 0 && start <= limit) {
                    return Some(0);
                }
                let steps = (i128::from(limit) - i128::from(start)).unsigned_abs();
                usize::try_from(steps.div_ceil(u128::from(delta.unsigned_abs()))).ok()
            }

            fn stepped(self, delta: Self) -> Self { self.wrapping_add(delta) }
        }
    )*};
}

macro_rules! floats {
    ($($ty:ty),*) => {$(
        impl Step for $ty {
            fn count(start: Self, limit: Self, delta: Self) -> Option<usize> {
                if (delta > 0.0 && start >= limit) || (delta < 0.0 && start <= limit) {
                    return Some(0);
                }
                let steps = ((limit - start) / delta).abs().ceil();
                (steps < isize::MAX as $ty).then_some(steps as usize)
            }

            fn stepped(self, delta: Self) -> Self { self + delta }
        }
    )*};
}

integers!(i32, i64);
floats!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check_error, run};

    fn ranges<T: Element>(
        starts: impl Into<Tensor>,
        limits: impl Into<Tensor>,
        deltas: impl Into<Tensor>,
    ) -> (Vec<i64>, Vec<T>) {
        let out = run("RaggedRange", &[], vec![starts.into(), limits.into(), deltas.into()]).unwrap();
        (out[0].as_slice::<i64>().unwrap().to_vec(), out[1].as_slice::<T>().unwrap().to_vec())
    }

    #[test]
    fn rows_of_ranges() {
        assert_eq!(ranges::<i32>([0, 5, 8], [3, 5, 12], [1, 1, 2]), (vec![0, 3, 3, 5], vec![0, 1, 2, 8, 10]));
        assert_eq!(ranges::<i64>(0i64, [3i64, -2], [1i64, -1]), (vec![0, 3, 5], vec![0, 1, 2, 0, -1]));
        assert_eq!(ranges::<f64>(0.5f64, 2.0f64, 0.5f64), (vec![0, 3], vec![0.5, 1.0, 1.5]));
        let whole = ranges::<i32>(i32::MIN, i32::MAX, i32::MAX);
        assert_eq!(whole, (vec![0, 3], vec![i32::MIN, -1, i32::MAX - 1]));
    }

    #[test]
    fn what_has_no_end_is_an_error() {
        check_error("RaggedRange", [[0].into(), [1].into(), [0].into()], "deltas[0] must not be 0");
        check_error("RaggedRange", [[0.0f32].into(), [f32::NAN].into(), [1.0f32].into()], "too many elements");
        check_error("RaggedRange", [[0, 1].into(), 5.into(), [1].into()], "must have one length");
    }
}

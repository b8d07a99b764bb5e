//! `RaggedRange`: several ranges of numbers as the rows of a ragged tensor.
//!
//! `starts`, `limits` and `deltas` are vectors of one length, or scalars, which serve every row. Row `i` counts from
//! `starts[i]` in steps of `deltas[i]` (not 0) as long as `limits[i]` is not reached. `rt_dense_values` holds the rows
//! one after the other, `rt_nested_splits` where each starts, and the end.

use super::super::arguments;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::array::RaggedRange;

/// `RaggedRange` of the dtypes that TensorFlow makes ranges of.
#[kernel(RaggedRange, device = CPU, T = [f32, f64, i32, i64], Tsplits = [i32, i64])]
pub fn ragged_range_cpu<T: Step>(
    starts: &Tensor,
    limits: &Tensor,
    deltas: &Tensor,
    mut rt_nested_splits: OutputSlot<'_>,
    mut rt_dense_values: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let mut rows = None;
    for (tensor, name) in [(starts, "starts"), (limits, "limits"), (deltas, "deltas")] {
        let shape = tensor.shape();
        ensure!(shape.rank() <= 1, "{name} must be a scalar or a vector, it has shape {shape}");
        if let &[length] = shape.dims() {
            ensure!(
                *rows.get_or_insert(length) == length,
                "starts, limits and deltas must have one length, {name} has {length}"
            );
        }
    }
    let rows = rows.unwrap_or(1);
    let (starts, limits, deltas) = (starts.as_slice::<T>()?, limits.as_slice::<T>()?, deltas.as_slice::<T>()?);
    let at = |values: &[T], row: usize| if values.len() == 1 { values[0] } else { values[row] };
    let range = |row: usize| (at(starts, row), at(limits, row), at(deltas, row));
    let mut splits: Vec<usize> = try_vec(rows.saturating_add(1))?;
    splits.push(0);
    for row in env.watch(0..rows) {
        let (start, limit, delta) = range(row);
        ensure!(delta != T::zero(), "deltas[{row}] must not be 0");
        let last = splits[row];
        match T::count(start, limit, delta).and_then(|count| last.checked_add(count)) {
            Some(end) => splits.push(end),
            None => bail!("row {row}, from {start:?} to {limit:?} by {delta:?}, has too many elements"),
        }
    }
    let mut out = rt_dense_values.allocate([splits[rows]])?.as_mut_slice::<T>()?.iter_mut();
    for row in env.watch(0..rows) {
        let (mut value, _, delta) = range(row);
        for out in env.watch(out.by_ref().take(splits[row + 1] - splits[row])) {
            *out = value;
            value = value.stepped(delta);
        }
    }
    arguments::set_indices(&mut rt_nested_splits, [splits.len()], &splits)
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
    use oplink_cpu_support::testing::{check_error, run};

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

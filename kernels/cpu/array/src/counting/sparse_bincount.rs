//! `SparseBincount` and `RaggedBincount`: how often each number below `size` comes in a sparse vector or in the rows of
//! a sparse or ragged matrix.
//!
//! As `DenseBincount`: bins hold counts, or sums of weights, or with `binary_output` 1 for what is there. Negative
//! numbers are an error but in a sparse matrix, where they are left out.

use super::bincount::count_rows;
use super::rows::{by_indices, by_splits};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::elementwise::Arithmetic;
use oplink_ops::array::{RaggedBincount, SparseBincount, bin_count};

/// `SparseBincount` of every dtype it allows.
#[kernel(SparseBincount, device = CPU, Tidx = any, T = [i32, i64, f32, f64])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and attrs by name")]
pub fn sparse_bincount_cpu<T: Arithmetic>(
    indices: &Tensor,
    values: &Tensor,
    dense_shape: &Tensor,
    size: &Tensor,
    weights: &Tensor,
    binary_output: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let size = bin_count(size)?;
    let (shape, rows) = by_indices(indices, dense_shape, values)?;
    check_weights(weights, values)?;
    if shape.rank() == 1 {
        return count_rows::<T>(values, weights, 1, binary_output, size, output.allocate([size])?, env);
    }
    let bins = Bins { weights: weights.as_slice::<T>()?, binary: binary_output, size };
    bins.count(values, &rows, output.allocate([shape[0], size])?, env)
}

/// `RaggedBincount` of every dtype it allows.
#[kernel(RaggedBincount, device = CPU, Tidx = any, T = [i32, i64, f32, f64])]
pub fn ragged_bincount_cpu<T: Arithmetic>(
    splits: &Tensor,
    values: &Tensor,
    size: &Tensor,
    weights: &Tensor,
    binary_output: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let size = bin_count(size)?;
    let (count, rows) = by_splits(splits, values.num_elements())?;
    check_weights(weights, values)?;
    let negative = int_values(values)?.iter().position(|&value| value < 0);
    ensure!(negative.is_none(), "values[{}] is negative", negative.unwrap_or_default());
    let bins = Bins { weights: weights.as_slice::<T>()?, binary: binary_output, size };
    bins.count(values, &rows, output.allocate([count, size])?, env)
}

fn check_weights(weights: &Tensor, values: &Tensor) -> Result<()> {
    let (given, count) = (weights.num_elements(), values.num_elements());
    ensure!(given == 0 || given == count, "weights has {given} elements for {count} values");
    Ok(())
}

/// How the bins of a row are filled.
struct Bins<'a, T> {
    weights: &'a [T],
    binary: bool,
    size: usize,
}

impl<T: Arithmetic> Bins<'_, T> {
    /// Counts values in the bins of their rows; what has no bin is left out.
    fn count(&self, values: &Tensor, rows: &[usize], out: &mut Tensor, env: Env<'_>) -> Result<()> {
        let bins = out.as_mut_slice::<T>()?;
        bins.fill(T::ZERO);
        for (at, (&value, row)) in env.watch(int_values(values)?.iter().zip(rows).enumerate()) {
            if let Some(bin) = usize::try_from(value).ok().filter(|&bin| bin < self.size) {
                let bin = &mut bins[row * self.size + bin];
                let weight = self.weights.get(at).copied().unwrap_or(T::ONE);
                *bin = if self.binary { T::ONE } else { bin.add(weight) };
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    fn none() -> Tensor {
        Tensor::from_slice::<f32>(&[])
    }

    fn matrix<T: Element>(shape: [usize; 2], values: Vec<T>) -> Tensor {
        Tensor::from_vec(shape, values).unwrap()
    }

    #[test]
    fn counts_of_rows() {
        let indices = || matrix([2, 2], vec![0i64, 1, 1, 1]);
        let run = |values: [i64; 2], weights: Tensor, expected: Vec<f32>| {
            let inputs = [indices(), values.into(), [2i64, 3].into(), 4i64.into(), weights];
            check("SparseBincount", inputs, matrix([2, 4], expected));
        };
        run([1, 2], none(), vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        run([1, 7], none(), vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        run([1, -1], none(), vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        run([1, 2], [1.0f32, 2.0].into(), vec![0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
        let inputs = [[0i64, 2, 2, 3].into(), [1i64, 1, 9].into(), 2i64.into(), none()];
        check("RaggedBincount", inputs, matrix([3, 2], vec![0.0f32, 2.0, 0.0, 0.0, 0.0, 0.0]));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let sparse = |index: i64, size: i64, weights: Tensor, why| {
            let inputs = [matrix([1, 1], vec![index]), [1i64].into(), [2i64].into(), size.into(), weights];
            check_error("SparseBincount", inputs, why);
        };
        sparse(5, 3, none(), "is outside of the shape [2]");
        sparse(0, -1, none(), "size must be >= 0");
        sparse(0, 3, [1.0f32, 2.0].into(), "weights has 2 elements for 1 values");
        let ragged = |splits: &[i64], value: i64, why| {
            let inputs = [splits.into(), [value].into(), 3i64.into(), none()];
            check_error("RaggedBincount", inputs, why);
        };
        ragged(&[], 1, "splits has no elements");
        ragged(&[1, 1], 1, "splits must start with 0");
        ragged(&[0, 2], 1, "splits must end with 1");
        ragged(&[0, 1], -1, "values[0] is negative");
    }
}

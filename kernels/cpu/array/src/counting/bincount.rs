//! `Bincount` and `DenseBincount`: how often each number below `size` comes.
//!
//! Bin `i` holds the number of elements that are `i`, or the sum of their weights where `weights` has elements (one for
//! each); numbers of `size` and more are left out, negative ones are an error. `Bincount` takes any shape.
//! `DenseBincount` counts a vector, or each row of a matrix; with `binary_output` it says 1 for what is there and 0 for
//! what is not. It is an error when `size` is no scalar or negative.

use oplink::parallel::for_each_block;
use oplink::prelude::*;
use oplink_cpu_support::elementwise::Arithmetic;
use oplink_ops::array::{Bincount, DenseBincount, bin_count, check_weights, rows_of_bins};

/// Bins that are cleared between two looks at the step.
const BLOCK: usize = 1 << 18;

/// `Bincount` of every dtype it allows.
#[kernel(Bincount, device = CPU, T = [i32, i64, f32, f64])]
pub fn bincount_cpu<T: Arithmetic>(
    arr: &Tensor,
    size: &Tensor,
    weights: &Tensor,
    mut bins: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    check_weights(arr.num_elements(), weights.num_elements())?;
    let size = bin_count(size)?;
    count_rows::<T>(arr, weights, 1, false, size, bins.allocate([size])?, env)
}

/// `DenseBincount` of every dtype it allows.
#[kernel(DenseBincount, device = CPU, Tidx = any, T = [i32, i64, f32, f64])]
pub fn dense_bincount_cpu<T: Arithmetic>(
    input: &Tensor,
    size: &Tensor,
    weights: &Tensor,
    binary_output: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let rows = rows_of_bins(input.shape(), weights.shape())?;
    let size = bin_count(size)?;
    let out = output.allocate(rows.into_iter().chain([size]).collect::<Shape>())?;
    count_rows::<T>(input, weights, rows.unwrap_or(1), binary_output, size, out, env)
}

/// Counts the elements of each of so many rows in `size` bins of `out`.
pub(super) fn count_rows<T: Arithmetic>(
    input: &Tensor,
    weights: &Tensor,
    rows: usize,
    binary: bool,
    size: usize,
    out: &mut Tensor,
    env: Env<'_>,
) -> Result<()> {
    let bins = out.as_mut_slice::<T>()?;
    for_each_block(env.env(), bins, BLOCK, |_, bins| bins.fill(T::ZERO));
    let weights = weights.as_slice::<T>()?;
    let values = oplink::shape_inference::int_values(input)?;
    let width = values.len() / rows.max(1);
    for (at, &value) in env.watch(&values).enumerate() {
        let Ok(bin) = usize::try_from(value) else { bail!("input[{at}] = {value}, it must be >= 0") };
        if bin < size {
            let bin = &mut bins[at / width * size + bin];
            let weight = weights.get(at).copied().unwrap_or(T::ONE);
            *bin = if binary { T::ONE } else { bin.add(weight) };
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    fn none<T: Element>() -> Tensor {
        Tensor::from_slice::<T>(&[])
    }

    #[test]
    fn counts_and_sums() {
        check("Bincount", [[1, 1, 5].into(), 3.into(), none::<f32>()], [0.0f32, 2.0, 0.0]);
        let matrix = Tensor::from_vec([2, 1], vec![1, 2]).unwrap();
        check("Bincount", [matrix.clone(), 3.into(), [5i64, 6].into()], [0i64, 5, 6]);
        let rows = Tensor::from_vec([2, 3], vec![0, 1, 0, 0, 0, 1]).unwrap();
        check("DenseBincount", [matrix, 3.into(), none::<i32>()], rows);
        let inputs = [[1i64, 1].into(), 2i64.into(), [7, 8].into()];
        check_with("DenseBincount", &[("binary_output", true.into())], inputs, [0, 1]);
    }

    #[test]
    fn what_cannot_be_counted_is_an_error() {
        check_error("Bincount", [[-1].into(), 3.into(), none::<i32>()], "input[0] = -1, it must be >= 0");
        check_error("Bincount", [[1].into(), (-3).into(), none::<i32>()], "size must be >= 0");
        check_error("Bincount", [[1, 2].into(), 3.into(), [1].into()], "weights has 1 elements for 2 numbers");
        check_error("DenseBincount", [[1, 2].into(), 3.into(), [1].into()], "must have the shape [2]");
    }
}

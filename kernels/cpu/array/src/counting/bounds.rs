//! `LowerBound` and `UpperBound`: the indices of values among sorted ones, row by row.
//!
//! `sorted_inputs` is [rows, n] and `values` [rows, m]; the output, [rows, m], has for each value the number of
//! elements of its row that are less (`LowerBound`), or not greater (`UpperBound`). Rows are expected to rise; NaN is
//! neither.

use super::super::arguments;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::array::{LowerBound, UpperBound};

/// `LowerBound` of real numbers.
#[kernel(LowerBound, device = CPU, T = [reals], out_type = [i32, i64])]
pub fn lower_bound_cpu<T: Real>(
    sorted_inputs: &Tensor,
    values: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    search::<T>(sorted_inputs, values, output, |element, value| element < value, env)
}

/// `UpperBound` of real numbers.
#[kernel(UpperBound, device = CPU, T = [reals], out_type = [i32, i64])]
pub fn upper_bound_cpu<T: Real>(
    sorted_inputs: &Tensor,
    values: &Tensor,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    search::<T>(sorted_inputs, values, output, |element, value| !(value < element), env)
}

/// Sets the output to the number of leading elements for which `before` holds.
fn search<T: Real>(
    sorted: &Tensor,
    values: &Tensor,
    mut output: OutputSlot<'_>,
    before: fn(T, T) -> bool,
    env: Env<'_>,
) -> Result<()> {
    let [rows, width, count] = extents(sorted, values, output.dtype())?;
    let elements = sorted.as_slice::<T>()?;
    let mut found = try_vec(rows * count)?;
    for (at, &value) in env.watch(values.as_slice::<T>()?).enumerate() {
        let row = &elements[at / count * width..][..width];
        found.push(row.partition_point(|&element| before(element, value)));
    }
    arguments::set_indices(&mut output, [rows, count], &found)
}

/// The number of rows, and the extents of a row of `sorted` and of `values`.
fn extents(sorted: &Tensor, values: &Tensor, indices: DType) -> Result<[usize; 3]> {
    let (&[rows, width], &[same, count]) = (sorted.shape().dims(), values.shape().dims()) else {
        bail!("sorted_inputs and values must be matrices, they have shapes {} and {}", sorted.shape(), values.shape())
    };
    ensure!(rows == same, "sorted_inputs has {rows} rows, values has {same}");
    ensure!(
        indices == DType::Int64 || i32::try_from(width).is_ok(),
        "indices among {width} elements do not fit int32; set out_type to int64"
    );
    Ok([rows, width, count])
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    fn row<T: Element + Copy, const N: usize>(values: [T; N]) -> Tensor {
        Tensor::from_vec([1, N], values.to_vec()).unwrap()
    }

    #[test]
    fn finds_places() {
        let inputs = || [row([1.0f32, 2.0, 2.0, 3.0]), row([2.0, 0.0, 9.0, f32::NAN])];
        check("LowerBound", inputs(), row([1, 0, 4, 0]));
        check_with("UpperBound", &[("out_type", DType::Int64.into())], inputs(), row([3i64, 0, 4, 4]));
        let rows = [[1u8, 2], [3, 4]].map(|row| row.to_vec()).concat();
        let sorted = Tensor::from_vec([2, 2], rows).unwrap();
        let values = Tensor::from_vec([2, 1], vec![3u8, 3]).unwrap();
        check("LowerBound", [sorted.clone(), values], Tensor::from_vec([2, 1], vec![2, 0]).unwrap());
        check_error("LowerBound", [sorted.clone(), row([1u8])], "has 2 rows, values has 1");
        check_error("UpperBound", [sorted, 1u8.into()], "must be matrices");
    }
}

//! `LowerBound` and `UpperBound`: where values stand among sorted ones, row by row.
//!
//! `sorted_inputs` is [rows, n] and `values` [rows, m]; the output, [rows, m], has for each value the number of elements
//! of its row that are less (`LowerBound`), or not greater (`UpperBound`). Rows are expected to rise; NaN is neither.

use oplink::prelude::*;

use super::super::arguments;

/// For each value, the first place in its sorted row that keeps the row sorted.
#[op("LowerBound",
     no_gradient,
     input = "sorted_inputs: T",
     input = "values: T",
     output = "output: out_type",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = search_shape)]
pub struct LowerBound;

/// For each value, the last place in its sorted row that keeps the row sorted.
#[op("UpperBound",
     no_gradient,
     input = "sorted_inputs: T",
     input = "values: T",
     output = "output: out_type",
     attr = "T: type",
     attr = "out_type: {int32, int64} = DT_INT32",
     shape = search_shape)]
pub struct UpperBound;

/// The shape of `values`, a matrix as `sorted_inputs` is.
fn search_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(0, 2)?;
    c.with_rank(1, 2)?;
    c.set_output(0, c.input(1).clone());
    Ok(())
}

/// `LowerBound` of real numbers.
#[kernel(LowerBound, device = CPU, T = [reals], out_type = [i32, i64])]
pub fn lower_bound_cpu<T: Real>(context: &mut KernelContext<'_>) -> Result<()> {
    search::<T>(context, |element, value| element < value)
}

/// `UpperBound` of real numbers.
#[kernel(UpperBound, device = CPU, T = [reals], out_type = [i32, i64])]
pub fn upper_bound_cpu<T: Real>(context: &mut KernelContext<'_>) -> Result<()> {
    search::<T>(context, |element, value| !(value < element))
}

/// Sets output 0 to the number of leading elements for which `before` holds.
fn search<T: Real>(context: &mut KernelContext<'_>, before: fn(T, T) -> bool) -> Result<()> {
    let (sorted, values) = (context.input(0), context.input(1));
    let (&[rows, width], &[same, count]) = (sorted.shape().dims(), values.shape().dims()) else {
        bail!("sorted_inputs and values must be matrices, they have shapes {} and {}", sorted.shape(), values.shape())
    };
    ensure!(rows == same, "sorted_inputs has {rows} rows, values has {same}");
    ensure!(
        context.node().output_dtypes[0] == DType::Int64 || i32::try_from(width).is_ok(),
        "places among {width} elements do not fit int32; set out_type to int64"
    );
    let elements = sorted.as_slice::<T>()?;
    let place = |(at, &value): (usize, &T)| {
        let row = &elements[at / count * width..][..width];
        row.partition_point(|&element| before(element, value))
    };
    let places: Vec<usize> = values.as_slice::<T>()?.iter().enumerate().map(place).collect();
    let out = arguments::indices(context, 0, [rows, count], &places)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error, check_with};

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

//! `HistogramFixedWidth`: counts of values in bins of equal width.
//!
//! The `nbins` (a scalar > 0) bins share `value_range`, [low, high] with low < high; values outside count for the first or
//! the last bin. It is an error when a value is NaN.

use oplink::prelude::*;

use super::super::arguments;
use crate::support::elementwise::Arithmetic;

/// Counts of `values` in `nbins` equal parts of `value_range`.
#[op(
    "HistogramFixedWidth",
    input = "values: T",
    input = "value_range: T",
    input = "nbins: int32",
    output = "out: dtype",
    attr = "T: {int32, int64, float, double}",
    attr = "dtype: {int32, int64} = DT_INT32"
)]
pub fn histogram_fixed_width(c: &mut ShapeContext<'_>) -> Result<()> {
    let range = c.with_rank(1, 1)?;
    c.merge_dim(range.dim(0), Some(2))?;
    c.with_rank(2, 0)?;
    let bins = c.constant_int(2)?;
    ensure!(bins.is_none_or(|bins| bins > 0), "nbins must be > 0, it is {}", bins.unwrap_or_default());
    c.set_output(0, PartialShape::new(&[bins.map(|bins| bins as usize)]));
    Ok(())
}

/// `HistogramFixedWidth` of every dtype it allows.
#[kernel(HistogramFixedWidth, device = CPU, T = [i32, i64, f32, f64], dtype = [i32, i64])]
pub fn histogram_fixed_width_cpu<T: Span>(context: &mut KernelContext<'_>) -> Result<()> {
    let bins = arguments::scalar(context, 2, "nbins")?;
    ensure!(bins > 0, "nbins must be > 0, it is {bins}");
    let &[low, high] = context.input(1).as_slice::<T>()? else {
        bail!("value_range must be a vector of two elements, its shape is {}", context.input(1).shape())
    };
    ensure!(context.input(1).rank() == 1, "value_range must be a vector, its shape is {}", context.input(1).shape());
    ensure!(low < high, "value_range must rise, it is [{low:?}, {high:?}]");
    let step = high.double() / bins as f64 - low.double() / bins as f64;
    let values = context.input(0).as_slice::<T>()?;
    ensure!(!values.iter().any(|value| value.is_nan_value()), "values must not be NaN");
    let bin = |value: &T| {
        let place = (if *value < low { 0.0 } else { value.double() - low.double() }) / step;
        place.min((bins - 1) as f64) as usize
    };
    let mut out = context.allocate_output(0, [bins as usize])?;
    match out.dtype() {
        DType::Int32 => count(out.as_mut_slice::<i32>()?, values.iter().map(bin)),
        _ => count(out.as_mut_slice::<i64>()?, values.iter().map(bin)),
    }
    context.set_output(0, out);
    Ok(())
}

fn count<C: Arithmetic>(counts: &mut [C], bins: impl Iterator<Item = usize>) {
    counts.fill(C::ZERO);
    bins.for_each(|bin| counts[bin] = counts[bin].add(C::ONE));
}

/// A number that distances are measured of, in double precision.
pub trait Span: Real {
    /// The number as a double.
    fn double(self) -> f64;
}

macro_rules! spans {
    ($($ty:ty),*) => {$(
        impl Span for $ty {
            fn double(self) -> f64 { self as f64 }
        }
    )*};
}

spans!(i32, i64, f32, f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error, check_with};

    #[test]
    fn counts_in_bins() {
        let values = [-1.0f32, 0.0, 1.5, 2.0, 5.0, 15.0];
        check("HistogramFixedWidth", [values.into(), [0.0f32, 5.0].into(), 5.into()], [2, 1, 1, 0, 2]);
        check("HistogramFixedWidth", [[0].into(), [i32::MIN, i32::MAX].into(), 4.into()], [0, 0, 1, 0]);
        check("HistogramFixedWidth", [[1.0f32].into(), [-16_777_216.0f32, 16_777_218.0].into(), 2.into()], [0, 1]);
        check("HistogramFixedWidth", [[-4].into(), [-5, -3].into(), 6.into()], [0, 0, 1, 0, 0, 0]);
        let values = Tensor::from_vec([2, 2], vec![1, 2, 3, 9]).unwrap();
        let inputs = [values, [0, 10].into(), 5.into()];
        check_with("HistogramFixedWidth", &[("dtype", DType::Int64.into())], inputs, [1i64, 2, 0, 0, 1]);
    }

    #[test]
    fn ranges_and_values_must_make_sense() {
        let run = |value: f32, range: [f32; 2], bins: i32, message| {
            check_error("HistogramFixedWidth", [[value].into(), range.into(), bins.into()], message);
        };
        run(f32::NAN, [0.0, 1.0], 2, "must not be NaN");
        run(1.0, [1.0, 1.0], 2, "must rise");
        run(1.0, [0.0, 1.0], 0, "nbins must be > 0");
    }
}

//! `HistogramFixedWidth`: counts of values in bins of equal width.
//!
//! The `nbins` (a scalar > 0) bins share `value_range`, [low, high] with low < high; values outside count for the first
//! or the last bin. It is an error when a value is NaN.

use super::super::arguments;
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_ops::array::HistogramFixedWidth;

/// `HistogramFixedWidth` of every dtype it allows.
#[kernel(HistogramFixedWidth, device = CPU, T = [i32, i64, f32, f64], dtype = [i32, i64])]
pub fn histogram_fixed_width_cpu<T: Span>(
    values: &Tensor,
    value_range: &Tensor,
    nbins: &Tensor,
    mut out: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let bins = arguments::scalar(nbins, "nbins")?;
    ensure!(bins > 0, "nbins must be > 0, it is {bins}");
    let &[low, high] = value_range.as_slice::<T>()? else {
        bail!("value_range must be a vector of two elements, its shape is {}", value_range.shape())
    };
    ensure!(value_range.rank() == 1, "value_range must be a vector, its shape is {}", value_range.shape());
    ensure!(low < high, "value_range must rise, it is [{low:?}, {high:?}]");
    let step = high.double() / bins as f64 - low.double() / bins as f64;
    let values = values.as_slice::<T>()?;
    ensure!(!values.iter().any(|value| value.is_nan_value()), "values must not be NaN");
    let mut counts = try_filled(0usize, bins as usize)?;
    for &value in env.watch(values) {
        let steps = (if value < low { 0.0 } else { value.double() - low.double() }) / step;
        counts[steps.min((bins - 1) as f64) as usize] += 1;
    }
    arguments::set_indices(&mut out, [counts.len()], &counts)
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
    use oplink_cpu_support::testing::{check, check_error, check_with};

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

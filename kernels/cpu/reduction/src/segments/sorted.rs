//! `SegmentMax`, `SegmentMean`, `SegmentMin`, `SegmentProd`, `SegmentSum`: rows that are neighbours become one.
//!
//! Element `i` of `segment_ids`, which do not fall, is the row of the output that row `i` of `data` goes to; the last
//! one is that of the last row. Rows without a segment hold 0, those of `SegmentProd` hold 1. The 16-bit floats are
//! computed in f32; integers wrap, also the sums of means, whose quotients are truncated towards zero. Of NaN and a
//! number, the later one stays as extremum.

use super::engine::{Finish, Fold, Largest, Product, Segments, Smallest, Sum, fold};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_ops::reduction::{SegmentMax, SegmentMean, SegmentMin, SegmentProd, SegmentSum};

/// `SegmentMax` of real numbers.
#[kernel(SegmentMax, device = CPU, T = [reals], Tindices = any)]
pub fn segment_max_cpu<T: Computed<ComputeType: Arithmetic + Real>>(
    data: &Tensor,
    segment_ids: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce_sorted::<T, Largest>(data, segment_ids, Some(&zero_if_empty::<T>), &mut output, &env)
}

/// `SegmentMean` of numbers.
#[kernel(SegmentMean, device = CPU, T = [numbers], Tindices = any)]
pub fn segment_mean_cpu<T: Computed<ComputeType: Divided>>(
    data: &Tensor,
    segment_ids: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce_sorted::<T, Sum>(
        data,
        segment_ids,
        Some(&|row, size| row.iter_mut().for_each(|sum| *sum = sum.divided(size))),
        &mut output,
        &env,
    )
}

/// `SegmentMin` of real numbers.
#[kernel(SegmentMin, device = CPU, T = [reals], Tindices = any)]
pub fn segment_min_cpu<T: Computed<ComputeType: Arithmetic + Real>>(
    data: &Tensor,
    segment_ids: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce_sorted::<T, Smallest>(data, segment_ids, Some(&zero_if_empty::<T>), &mut output, &env)
}

/// `SegmentProd` of numbers.
#[kernel(SegmentProd, device = CPU, T = [numbers], Tindices = any)]
pub fn segment_prod_cpu<T: Computed<ComputeType: Arithmetic>>(
    data: &Tensor,
    segment_ids: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce_sorted::<T, Product>(data, segment_ids, None, &mut output, &env)
}

/// `SegmentSum` of numbers.
#[kernel(SegmentSum, device = CPU, T = [numbers], Tindices = any)]
pub fn segment_sum_cpu<T: Computed<ComputeType: Arithmetic>>(
    data: &Tensor,
    segment_ids: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce_sorted::<T, Sum>(data, segment_ids, None, &mut output, &env)
}

/// Sets the output to the rows of `data` joined by sorted ids, each changed by `finish`, which gets the number of its
/// rows.
fn reduce_sorted<T: Computed, F: Fold<T::ComputeType>>(
    data: &Tensor,
    segment_ids: &Tensor,
    finish: Option<Finish<'_, T::ComputeType>>,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let segments = Segments::sorted(data.shape(), segment_ids)?;
    fold::<T, F>(data, &segments, &data.shape()[1..], (F::START, finish), output, env)
}

/// Sets a row without a segment to 0.
fn zero_if_empty<T: Computed<ComputeType: Arithmetic>>(row: &mut [T::ComputeType], size: usize) {
    if size == 0 {
        row.fill(T::ComputeType::ZERO);
    }
}

/// A number that is divided by the number of summands.
pub trait Divided: Arithmetic {
    /// `self / count`, in the arithmetic of the type; integers are truncated towards zero. A sum of nothing stays.
    fn divided(self, count: usize) -> Self;
}

macro_rules! divided {
    ($($ty:ty: |$sum:ident, $count:ident| $quotient:expr),*) => {$(
        impl Divided for $ty {
            #[inline]
            fn divided(self, count: usize) -> Self {
                let ($sum, $count) = (self, count);
                if $count == 0 { $sum } else { $quotient }
            }
        }
    )*};
}

macro_rules! integers {
    ($($ty:ty),*) => {
        // A count that wraps to 0 in the type divides nothing.
        divided!($($ty: |sum, count| match count as $ty { 0 => sum, count => sum.wrapping_div(count) }),*);
    };
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

divided!(f32: |sum, count| sum / count as f32, f64: |sum, count| sum / count as f64);

divided!(Complex<f32>: |sum, count| sum / count as f32, Complex<f64>: |sum, count| sum / count as f64);

#[cfg(test)]
mod segment_max_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn the_largest_by_column() {
        let data = Tensor::from_vec([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, -6.0]).unwrap();
        let out = Tensor::from_vec([4, 2], vec![3.0f32, 4.0, 0.0, 0.0, 0.0, 0.0, 5.0, -6.0]).unwrap();
        check("SegmentMax", [data.clone(), [0, 0, 3].into()], out);
        let nan = f32::NAN;
        check("SegmentMax", [[nan, 1.0, 2.0, nan].into(), [0, 0, 1, 1].into()], [1.0, nan]);
        let infinite = [f32::NEG_INFINITY, f32::INFINITY];
        check("SegmentMax", [infinite.into(), [0, 1].into()], infinite);
        check_error("SegmentMax", [data.clone(), [1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMax", [data.clone(), [-1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMax", [data, [0, 0].into()], "2 elements for 3 rows");
    }
}

#[cfg(test)]
mod segment_mean_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn averages_rows() {
        let data = Tensor::from_vec([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, -6.0]).unwrap();
        let out = Tensor::from_vec([4, 2], vec![2.0f32, 3.0, 0.0, 0.0, 0.0, 0.0, 5.0, -6.0]).unwrap();
        check("SegmentMean", [data.clone(), [0, 0, 3].into()], out);
        check("SegmentMean", [[-5i8, -4, 100, 100, 100].into(), [0i64, 0, 1, 1, 1].into()], [-4i8, 14]);
        check_error("SegmentMean", [data.clone(), [1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMean", [data.clone(), [-1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMean", [data, [0, 0].into()], "2 elements for 3 rows");
    }
}

#[cfg(test)]
mod segment_min_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn the_smallest_by_column() {
        let data = Tensor::from_vec([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, -6.0]).unwrap();
        let out = Tensor::from_vec([4, 2], vec![1.0f32, 2.0, 0.0, 0.0, 0.0, 0.0, 5.0, -6.0]).unwrap();
        check("SegmentMin", [data.clone(), [0, 0, 3].into()], out);
        let nan = f32::NAN;
        check("SegmentMin", [[nan, 1.0, 2.0, nan].into(), [0, 0, 1, 1].into()], [1.0, nan]);
        let infinite = [f32::NEG_INFINITY, f32::INFINITY];
        check("SegmentMin", [infinite.into(), [0, 1].into()], infinite);
        check_error("SegmentMin", [data.clone(), [1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMin", [data.clone(), [-1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentMin", [data, [0, 0].into()], "2 elements for 3 rows");
    }
}

#[cfg(test)]
mod segment_prod_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn multiplies_rows() {
        let data = Tensor::from_vec([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, -6.0]).unwrap();
        let out = Tensor::from_vec([4, 2], vec![3.0f32, 8.0, 1.0, 1.0, 1.0, 1.0, 5.0, -6.0]).unwrap();
        check("SegmentProd", [data.clone(), [0, 0, 3].into()], out);
        check("SegmentProd", [[100i8, 100].into(), [0i64, 0].into()], [16i8]);
        check_error("SegmentProd", [data.clone(), [1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentProd", [data.clone(), [-1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentProd", [data, [0, 0].into()], "2 elements for 3 rows");
    }
}

#[cfg(test)]
mod segment_sum_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn sums_rows() {
        let data = Tensor::from_vec([3, 2], vec![1.0f32, 2.0, 3.0, 4.0, 5.0, -6.0]).unwrap();
        let out = Tensor::from_vec([4, 2], vec![4.0f32, 6.0, 0.0, 0.0, 0.0, 0.0, 5.0, -6.0]).unwrap();
        check("SegmentSum", [data.clone(), [0, 0, 3].into()], out);
        check("SegmentSum", [[100i8, 100].into(), [0i64, 0].into()], [-56i8]);
        check_error("SegmentSum", [data.clone(), [1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentSum", [data.clone(), [-1, 0, 0].into()], "must be >= 0 and not fall");
        check_error("SegmentSum", [data, [0, 0].into()], "2 elements for 3 rows");
    }
}

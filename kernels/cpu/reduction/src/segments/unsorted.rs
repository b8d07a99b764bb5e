//! `UnsortedSegmentMax`, `UnsortedSegmentMin`, `UnsortedSegmentProd`, `UnsortedSegmentSum`: slices become one by
//! segment, in any order.
//!
//! `data` starts with the shape of `segment_ids`; each number there, below the scalar `num_segments`, is the row of the
//! output that the slice behind it goes to; slices of negative numbers are left out. Rows without a slice hold 0 for
//! sums, 1 for products, the lowest finite number for the largest elements (also where all are below), the highest for
//! the smallest. Of NaN and a number, the later one stays as extremum. The 16-bit floats are computed in f32 and
//! rounded after each step, integers wrap.

use super::super::arg_extremum::Ordinal;
use super::engine::{Fold, Largest, Product, Segments, Smallest, Sum, fold};
use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_ops::reduction::{UnsortedSegmentMax, UnsortedSegmentMin, UnsortedSegmentProd, UnsortedSegmentSum};

/// `UnsortedSegmentMax` of real numbers.
#[kernel(UnsortedSegmentMax, device = CPU, T = [reals], Tindices = any, Tnumsegments = any)]
pub fn unsorted_segment_max_cpu<T: Ordinal + Computed<ComputeType: Real>>(
    data: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce_unsorted::<T, Largest>((data, segment_ids, num_segments), T::LOWEST.to_computed(), &mut output, &env)
}

/// `UnsortedSegmentMin` of real numbers.
#[kernel(UnsortedSegmentMin, device = CPU, T = [reals], Tindices = any, Tnumsegments = any)]
pub fn unsorted_segment_min_cpu<T: Ordinal + Computed<ComputeType: Real>>(
    data: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce_unsorted::<T, Smallest>((data, segment_ids, num_segments), T::HIGHEST.to_computed(), &mut output, &env)
}

/// `UnsortedSegmentProd` of numbers.
#[kernel(UnsortedSegmentProd, device = CPU, T = [numbers], Tindices = any, Tnumsegments = any)]
pub fn unsorted_segment_prod_cpu<T: Computed<ComputeType: Arithmetic>>(
    data: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce_unsorted::<T, Product>((data, segment_ids, num_segments), T::ComputeType::ONE, &mut output, &env)
}

/// `UnsortedSegmentSum` of numbers.
#[kernel(UnsortedSegmentSum, device = CPU, T = [numbers], Tindices = any, Tnumsegments = any)]
pub fn unsorted_segment_sum_cpu<T: Computed<ComputeType: Arithmetic>>(
    data: &Tensor,
    segment_ids: &Tensor,
    num_segments: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    reduce_unsorted::<T, Sum>((data, segment_ids, num_segments), T::ComputeType::ZERO, &mut output, &env)
}

/// Sets the output to the slices of the data joined by ids in any order, starting from `start`.
fn reduce_unsorted<T: Computed, F: Fold<T::ComputeType>>(
    (data, segment_ids, num_segments): (&Tensor, &Tensor, &Tensor),
    start: T::ComputeType,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let segments = Segments::unsorted(data.shape(), segment_ids, num_segments)?;
    fold::<T, F>(data, &segments, &data.shape()[segment_ids.rank()..], (start, None), output, env)
}

#[cfg(test)]
mod unsorted_segment_max_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn the_largest_by_position() {
        let data = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let ids = Tensor::from_vec([2, 2], vec![0, 1, -1, 1]).unwrap();
        check("UnsortedSegmentMax", [data.clone(), ids.clone(), 3.into()], [1, 4, i32::MIN]);
        check(
            "UnsortedSegmentMax",
            [data.clone(), [-1, -1].into(), 1i64.into()],
            Tensor::from_vec([1, 2], vec![i32::MIN, i32::MIN]).unwrap(),
        );
        check_error("UnsortedSegmentMax", [data.clone(), ids.clone(), 1.into()], "segment_ids[1] = 1 is not in [0, 1)");
        check_error("UnsortedSegmentMax", [data.clone(), ids, (-1).into()], "num_segments must be >= 0");
        check_error("UnsortedSegmentMax", [data, [0].into(), 1.into()], "must start with the shape [1]");
    }
}

#[cfg(test)]
mod unsorted_segment_min_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn the_smallest_by_position() {
        let data = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let ids = Tensor::from_vec([2, 2], vec![0, 1, -1, 1]).unwrap();
        check("UnsortedSegmentMin", [data.clone(), ids.clone(), 3.into()], [1, 2, i32::MAX]);
        check(
            "UnsortedSegmentMin",
            [data.clone(), [-1, -1].into(), 1i64.into()],
            Tensor::from_vec([1, 2], vec![i32::MAX, i32::MAX]).unwrap(),
        );
        check_error("UnsortedSegmentMin", [data.clone(), ids.clone(), 1.into()], "segment_ids[1] = 1 is not in [0, 1)");
        check_error("UnsortedSegmentMin", [data.clone(), ids, (-1).into()], "num_segments must be >= 0");
        check_error("UnsortedSegmentMin", [data, [0].into(), 1.into()], "must start with the shape [1]");
    }
}

#[cfg(test)]
mod unsorted_segment_prod_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn multiplies_slices() {
        let data = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let ids = Tensor::from_vec([2, 2], vec![0, 1, -1, 1]).unwrap();
        check("UnsortedSegmentProd", [data.clone(), ids.clone(), 3.into()], [1, 8, 1]);
        check(
            "UnsortedSegmentProd",
            [data.clone(), [-1, -1].into(), 1i64.into()],
            Tensor::from_vec([1, 2], vec![1, 1]).unwrap(),
        );
        check_error(
            "UnsortedSegmentProd",
            [data.clone(), ids.clone(), 1.into()],
            "segment_ids[1] = 1 is not in [0, 1)",
        );
        check_error("UnsortedSegmentProd", [data.clone(), ids, (-1).into()], "num_segments must be >= 0");
        check_error("UnsortedSegmentProd", [data, [0].into(), 1.into()], "must start with the shape [1]");
    }
}

#[cfg(test)]
mod unsorted_segment_sum_tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn sums_slices() {
        let data = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let ids = Tensor::from_vec([2, 2], vec![0, 1, -1, 1]).unwrap();
        check("UnsortedSegmentSum", [data.clone(), ids.clone(), 3.into()], [1, 6, 0]);
        check(
            "UnsortedSegmentSum",
            [data.clone(), [-1, -1].into(), 1i64.into()],
            Tensor::from_vec([1, 2], vec![0, 0]).unwrap(),
        );
        let nothing = Tensor::zeros(DType::Int32, [1, 0]).unwrap();
        check("UnsortedSegmentSum", [nothing.clone(), [7].into(), 0.into()], nothing.with_shape([0, 0]).unwrap());
        check_error("UnsortedSegmentSum", [data.clone(), ids.clone(), 1.into()], "segment_ids[1] = 1 is not in [0, 1)");
        check_error("UnsortedSegmentSum", [data.clone(), ids, (-1).into()], "num_segments must be >= 0");
        check_error("UnsortedSegmentSum", [data, [0].into(), 1.into()], "must start with the shape [1]");
    }
}

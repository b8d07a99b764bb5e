//! Reductions by segment.

use oplink::prelude::*;
use oplink::shape_inference::int_values;

/// The largest elements of the rows of `data` with one segment id.
///
/// Element `i` of `segment_ids`, which do not fall, names the row of the output that row `i` of `data` goes to; the
/// last one is that of the last row. Rows without a segment hold 0. Of NaN and a number, the later one stays.
#[op("SegmentMax",
     input = "data: T",
     input = "segment_ids: Tindices",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     shape = shape_fns::segment_reduction)]
pub struct SegmentMax;

/// The means of the rows of `data` with one segment id.
///
/// Element `i` of `segment_ids`, which do not fall, names the row of the output that row `i` of `data` goes to; the
/// last one is that of the last row. Rows without a segment hold 0. The 16-bit floats are averaged in f32; integers are
/// summed and divided in their own type, wrapping and truncating towards zero.
#[op("SegmentMean",
     input = "data: T",
     input = "segment_ids: Tindices",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     shape = shape_fns::segment_reduction)]
pub struct SegmentMean;

/// The smallest elements of the rows of `data` with one segment id.
///
/// Element `i` of `segment_ids`, which do not fall, names the row of the output that row `i` of `data` goes to; the
/// last one is that of the last row. Rows without a segment hold 0. Of NaN and a number, the later one stays.
#[op("SegmentMin",
     input = "data: T",
     input = "segment_ids: Tindices",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     shape = shape_fns::segment_reduction)]
pub struct SegmentMin;

/// The products of the rows of `data` with one segment id.
///
/// Element `i` of `segment_ids`, which do not fall, names the row of the output that row `i` of `data` goes to; the
/// last one is that of the last row. Rows without a segment hold 1. The 16-bit floats are multiplied in f32, integers
/// wrap.
#[op("SegmentProd",
     input = "data: T",
     input = "segment_ids: Tindices",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     shape = shape_fns::segment_reduction)]
pub struct SegmentProd;

/// The sums of the rows of `data` with one segment id.
///
/// Element `i` of `segment_ids`, which do not fall, names the row of the output that row `i` of `data` goes to; the
/// last one is that of the last row. Rows without a segment hold 0. The 16-bit floats are summed in f32, integers wrap.
#[op("SegmentSum",
     input = "data: T",
     input = "segment_ids: Tindices",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     shape = shape_fns::segment_reduction)]
pub struct SegmentSum;

/// The means of the rows `indices` of `data` with one segment id.
///
/// Entry `i` is row `indices[i]` of `data` and goes to row `segment_ids[i]` of the output; the ids do not fall, and the
/// last one is that of the last row. Rows without an entry hold 0. The 16-bit floats are averaged in f32. The attr
/// `sparse_gradient` is for the op's gradient.
#[op("SparseSegmentMean",
     input = "data: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     attr = "sparse_gradient: bool = false",
     shape = shape_fns::sparse_segment_reduction)]
pub struct SparseSegmentMean;

/// The sums, divided by the square root of the number, of the rows `indices` of `data` with one segment id.
///
/// Entry `i` is row `indices[i]` of `data` and goes to row `segment_ids[i]` of the output; the ids do not fall, and the
/// last one is that of the last row. Rows without an entry hold 0. The 16-bit floats are summed in f32. The attr
/// `sparse_gradient` is for the op's gradient.
#[op("SparseSegmentSqrtN",
     input = "data: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     attr = "sparse_gradient: bool = false",
     shape = shape_fns::sparse_segment_reduction)]
pub struct SparseSegmentSqrtN;

/// The sums of the rows `indices` of `data` with one segment id.
///
/// Entry `i` is row `indices[i]` of `data` and goes to row `segment_ids[i]` of the output; the ids do not fall, and the
/// last one is that of the last row. Rows without an entry hold 0. The 16-bit floats are summed in f32, integers wrap.
/// The attr `sparse_gradient` is for the op's gradient.
#[op("SparseSegmentSum",
     input = "data: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     attr = "sparse_gradient: bool = false",
     shape = shape_fns::sparse_segment_reduction)]
pub struct SparseSegmentSum;

/// The largest elements of the slices of `data` with one segment id.
///
/// `data` starts with the shape of `segment_ids`; each number there, below the scalar `num_segments`, names the row of
/// the output that the slice behind it goes to; slices of negative numbers are left out. Rows without a slice, and
/// elements that are all below, hold the lowest finite number. Of NaN and a number, the later one stays.
#[op("UnsortedSegmentMax",
     input = "data: T",
     input = "segment_ids: Tindices",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     shape = shape_fns::unsorted_segment_reduction)]
pub struct UnsortedSegmentMax;

/// The smallest elements of the slices of `data` with one segment id.
///
/// `data` starts with the shape of `segment_ids`; each number there, below the scalar `num_segments`, names the row of
/// the output that the slice behind it goes to; slices of negative numbers are left out. Rows without a slice, and
/// elements that are all above, hold the highest finite number. Of NaN and a number, the later one stays.
#[op("UnsortedSegmentMin",
     input = "data: T",
     input = "segment_ids: Tindices",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     shape = shape_fns::unsorted_segment_reduction)]
pub struct UnsortedSegmentMin;

/// The products of the slices of `data` with one segment id.
///
/// `data` starts with the shape of `segment_ids`; each number there, below the scalar `num_segments`, names the row of
/// the output that the slice behind it goes to; slices of negative numbers are left out. Rows without a slice hold
/// 1. The 16-bit floats are multiplied in f32, integers wrap.
#[op("UnsortedSegmentProd",
     input = "data: T",
     input = "segment_ids: Tindices",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "Tindices: {int32, int64}",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     shape = shape_fns::unsorted_segment_reduction)]
pub struct UnsortedSegmentProd;

/// The sums of the slices of `data` with one segment id.
///
/// `data` starts with the shape of `segment_ids`; each number there, below the scalar `num_segments`, names the row of
/// the output that the slice behind it goes to; slices of negative numbers are left out. Rows without a slice hold
/// 0. The 16-bit floats are summed in f32, integers wrap.
#[op("UnsortedSegmentSum",
     input = "data: T",
     input = "segment_ids: Tindices",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}",
     attr = "Tindices: {int16, int32, int64}",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     shape = shape_fns::unsorted_segment_reduction)]
pub struct UnsortedSegmentSum;

/// The rows of the output of a reduction over data that starts with the shape of its segment ids: what `count` holds.
///
/// # Errors
/// `count` is no scalar or negative, or the shapes do not fit.
pub fn num_segments(data: &Shape, ids: &Shape, count: &Tensor) -> Result<usize> {
    let count = segment_count(count)?;
    ensure!(data.starts_with(ids), "the shape {data} of data must start with the shape {ids} of segment_ids");
    Ok(count)
}

/// The rows of the output of a reduction for a number of segments: what `count` holds.
///
/// # Errors
/// `count` is no scalar or negative.
pub fn segment_count(count: &Tensor) -> Result<usize> {
    data_rows("num_segments", count)
}

/// The number of rows that the scalar `count` of this name holds.
///
/// # Errors
/// It is no scalar or negative.
pub fn data_rows(name: &str, count: &Tensor) -> Result<usize> {
    ensure!(count.rank() == 0, "{name} must be a scalar, it has shape {}", count.shape());
    let given = int_values(count)?[0];
    usize::try_from(given).map_err(|_| Error::invalid_argument(format!("{name} must be >= 0, it is {given}")))
}

/// The rows of data that have a segment each: all of them, or those that `indices` name.
///
/// # Errors
/// The data has no rows, or there are not as many ids as rows.
pub fn check_segments(data: &Shape, indices: Option<&Shape>, ids: &Shape) -> Result<usize> {
    let Some(&rows) = data.first() else { bail!("data must be at least a vector, it is a scalar") };
    match indices {
        Some(indices) => ensure!(
            indices.rank() == 1 && indices == ids,
            "indices and segment_ids must be vectors of one length, they have shapes {indices} and {ids}"
        ),
        None => {
            ensure!(ids.rank() == 1, "segment_ids must be a vector, it has shape {ids}");
            ensure!(ids[0] == rows, "segment_ids has {} elements for {rows} rows", ids[0]);
        }
    }
    Ok(rows)
}

//! Sparse reductions by segment with a number of segments, and the gradients of sparse reductions.

use oplink::prelude::*;
use oplink::shape::Dim;
use oplink::shape_inference::merge_shapes;

/// The means of the rows `indices` of `data` with one segment id, for `num_segments` segments.
///
/// As `SparseSegmentMean`, with zeros for segments without an entry, also after the last one.
#[op("SparseSegmentMeanWithNumSegments",
     input = "data: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     attr = "sparse_gradient: bool = false",
     shape = with_num_segments)]
pub struct SparseSegmentMeanWithNumSegments;

/// The sums, divided by the square root of the number, of the rows `indices` of `data` with one segment id, for
/// `num_segments` segments.
///
/// As `SparseSegmentSqrtN`, with zeros for segments without an entry, also after the last one.
#[op("SparseSegmentSqrtNWithNumSegments",
     input = "data: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     attr = "sparse_gradient: bool = false",
     shape = with_num_segments)]
pub struct SparseSegmentSqrtNWithNumSegments;

/// The sums of the rows `indices` of `data` with one segment id, for `num_segments` segments.
///
/// As `SparseSegmentSum`, with zeros for segments without an entry, also after the last one.
#[op("SparseSegmentSumWithNumSegments",
     input = "data: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     input = "num_segments: Tnumsegments",
     output = "output: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     attr = "sparse_gradient: bool = false",
     shape = with_num_segments)]
pub struct SparseSegmentSumWithNumSegments;

/// The gradient of `SparseSegmentMean` by its data, which has `output_dim0` rows.
///
/// Row `indices[i]` gets row `segment_ids[i]` of `grad` over the number of its entries; the ids may come in any order.
/// Other rows are zeros.
#[op("SparseSegmentMeanGrad",
     input = "grad: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     input = "output_dim0: int32",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     shape = gradient)]
pub struct SparseSegmentMeanGrad;

/// As `SparseSegmentMeanGrad`, only the rows that are among the indices, and these without repetitions, rising.
#[op("SparseSegmentMeanGradV2",
     input = "grad: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     input = "dense_output_dim0: int32",
     output = "output: T",
     output = "sorted_unique_indices: Tidx",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     shape = gradient_v2)]
pub struct SparseSegmentMeanGradV2;

/// The gradient of `SparseSegmentSqrtN` by its data, which has `output_dim0` rows.
///
/// Row `indices[i]` gets row `segment_ids[i]` of `grad` over the square root of the number of its entries; the ids may
/// come in any order. Other rows are zeros.
#[op("SparseSegmentSqrtNGrad",
     input = "grad: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     input = "output_dim0: int32",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     shape = gradient)]
pub struct SparseSegmentSqrtNGrad;

/// As `SparseSegmentSqrtNGrad`, only the rows that are among the indices, and these without repetitions, rising.
#[op("SparseSegmentSqrtNGradV2",
     input = "grad: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     input = "dense_output_dim0: int32",
     output = "output: T",
     output = "sorted_unique_indices: Tidx",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     shape = gradient_v2)]
pub struct SparseSegmentSqrtNGradV2;

/// The gradient of `SparseSegmentSum` by its data, which has `output_dim0` rows.
///
/// Row `indices[i]` gets row `segment_ids[i]` of `grad`; the ids may come in any order. Other
/// rows are zeros.
#[op("SparseSegmentSumGrad",
     input = "grad: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     input = "output_dim0: int32",
     output = "output: T",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     shape = gradient)]
pub struct SparseSegmentSumGrad;

/// As `SparseSegmentSumGrad`, only the rows that are among the indices, and these without repetitions, rising.
#[op("SparseSegmentSumGradV2",
     input = "grad: T",
     input = "indices: Tidx",
     input = "segment_ids: Tsegmentids",
     input = "dense_output_dim0: int32",
     output = "output: T",
     output = "sorted_unique_indices: Tidx",
     attr = "T: {bfloat16, half, float, double}",
     attr = "Tidx: {int32, int64} = DT_INT32",
     attr = "Tsegmentids: {int32, int64} = DT_INT32",
     shape = gradient_v2)]
pub struct SparseSegmentSumGradV2;

/// Rows of input 0 picked by the vector input 1, by the vector of segments in input 2; input 3 is a scalar.
fn rows(c: &mut ShapeContext<'_>, rows: Dim) -> Result<()> {
    let data = c.with_rank_at_least(0, 1)?;
    merge_shapes(&c.with_rank(1, 1)?, &c.with_rank(2, 1)?)?;
    let rest = match data.rank() {
        Some(_) => c.subshape(&data, 1, None)?,
        None => PartialShape::unknown(),
    };
    let shape = c.concatenate(&PartialShape::new(&[rows]), &rest);
    c.set_output(0, shape);
    Ok(())
}

fn with_num_segments(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(3, 0)?;
    let count = shape_fns::size_of_scalar(c, 3)?;
    rows(c, count)
}

fn gradient(c: &mut ShapeContext<'_>) -> Result<()> {
    with_num_segments(c)
}

fn gradient_v2(c: &mut ShapeContext<'_>) -> Result<()> {
    c.with_rank(3, 0)?;
    rows(c, None)?;
    c.set_output(1, PartialShape::new(&[None]));
    Ok(())
}

//! `UnsortedSegmentJoin`: strings of each segment joined, with the attr `separator` between them.
//!
//! The shape of `inputs` starts with that of `segment_ids`, which has an axis at least; the output has `num_segments`
//! in the place of these axes. Strings are joined in their order, without a separator as long as there is no byte
//! before it; a segment without strings is an empty string. Segments are from 0 to `num_segments - 1`, others are
//! errors.

use oplink::prelude::*;

/// Joins strings segment by segment.
#[op("UnsortedSegmentJoin",
     input = "inputs: string",
     input = "segment_ids: Tindices",
     input = "num_segments: Tnumsegments",
     output = "output: string",
     attr = "separator: string = ''",
     attr = "Tindices: {int32, int64}",
     attr = "Tnumsegments: {int32, int64} = DT_INT32",
     shape = shape_fns::unsorted_segment_reduction)]
pub struct UnsortedSegmentJoin;

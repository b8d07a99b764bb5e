//! Summaries for TensorBoard.

use oplink::prelude::*;

/// A summary of the elements of a tensor.
///
/// Counts by buckets whose limits grow by a tenth from 1e-12 to 1e20 on both sides of 0, runs of empty ones taken
/// together, with the smallest and the largest element, the count, the sum and the sum of squares. NaN and infinity are
/// errors.
#[op("HistogramSummary",
     input = "tag: string",
     input = "values: T",
     output = "summary: string",
     attr = "T: realnumbertype = DT_FLOAT",
     shape = shape_fns::scalar)]
pub struct HistogramSummary;

/// A summary of pictures.
///
/// `tensor` is [batch, rows, columns, depth] with 1 (grey), 3 (red, green, blue) or 4 channels (and opacity). At most
/// `max_images` pictures are written, tagged `tag/image/0` and so on, or `tag/image` where there can be only one.
/// Elements of uint8 stay as they are. The finite elements of a picture of floats are scaled so that, without negative
/// ones, the largest becomes 255; with negative ones 0 becomes 128 and the largest magnitude 127 away from it. Pixels
/// with NaN or infinity become `bad_color`. The pixels are TensorFlow's, the bytes of the compressed picture are not.
#[op("ImageSummary",
     input = "tag: string",
     input = "tensor: T",
     output = "summary: string",
     attr = "max_images: int >= 1 = 3",
     attr = "T: {uint8, float, half, double} = DT_FLOAT",
     attr = "bad_color: tensor = { dtype: DT_UINT8 tensor_shape { dim { size: 4 } } int_val: 255 int_val: 0 int_val: 0 \
             int_val: 255 }",
     shape = shape_fns::scalar)]
pub struct ImageSummary;

/// Joins summaries.
///
/// Each input holds summaries, in any shape. A tag that two values have is an error, as is a string that is no summary.
#[op("MergeSummary", input = "inputs: N * string", output = "summary: string", attr = "N: int >= 1",
     shape = shape_fns::scalar)]
pub struct MergeSummary;

/// A summary of numbers.
///
/// `tags` and `values` have one shape. Numbers are written in single precision.
#[op("ScalarSummary",
     input = "tags: string",
     input = "values: T",
     output = "summary: string",
     attr = "T: realnumbertype",
     shape = shape_fns::scalar)]
pub struct ScalarSummary;

/// A summary of a tensor.
///
/// Version 2 has a tag and metadata, both scalars; the metadata is the bytes of a message, whose fields are written in
/// the order of their numbers. The first version bears the name of its node.
#[op("TensorSummary",
     input = "tensor: T",
     output = "summary: string",
     attr = "T: type",
     attr = "description: string = ''",
     attr = "labels: list(string) = []",
     attr = "display_name: string = ''",
     shape = shape_fns::scalar)]
pub struct TensorSummary;

/// A summary of a tensor with a tag and metadata.
#[op("TensorSummaryV2",
     input = "tag: string",
     input = "tensor: T",
     input = "serialized_summary_metadata: string",
     output = "summary: string",
     attr = "T: type",
     shape = shape_fns::scalar)]
pub struct TensorSummaryV2;

/// A summary of sounds.
///
/// `tensor` is [batch, frames, channels] or [batch, frames], of samples between -1 and 1. At most `max_outputs`
/// sounds are written, as WAV files of 16 bits, tagged `tag/audio/0` and so on, or `tag/audio` where there can be
/// only one. `sample_rate` is a scalar above 0, in frames a second.
#[op("AudioSummaryV2",
     input = "tag: string",
     input = "tensor: float",
     input = "sample_rate: float",
     output = "summary: string",
     attr = "max_outputs: int >= 1 = 3",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AudioSummaryV2;

/// As [`AudioSummaryV2`], with an attr for the rate.
#[op("AudioSummary",
     input = "tag: string",
     input = "tensor: float",
     output = "summary: string",
     attr = "sample_rate: float",
     attr = "max_outputs: int >= 1 = 3",
     deprecated(since = 15, note = "Use AudioSummaryV2."),
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AudioSummary;

//! Writers of summaries: files of events for TensorBoard, behind a handle.
//!
//! An event has the time, a step and a summary, as the ops of [`super::summary`](crate::string) make one. A writer
//! keeps events in memory until there are more than `max_queue` of them, or `flush_millis` have gone by since it last
//! wrote, or it is flushed or closed. `step`, `tag` and what else describes the event are tensors of one element.

use oplink::prelude::*;

/// The handle of a writer. Nodes of one `container` and `shared_name` share it.
#[op("SummaryWriter",
     output = "writer: resource",
     attr = "shared_name: string = ''",
     attr = "container: string = ''",
     stateful,
     shape = shape_fns::scalar)]
pub struct SummaryWriter;

/// Makes the writer of a handle, and a file in the folder `logdir` whose name ends in `filename_suffix`; nothing
/// where there is a writer already.
#[op("CreateSummaryFileWriter",
     input = "writer: resource",
     input = "logdir: string",
     input = "max_queue: int32",
     input = "flush_millis: int32",
     input = "filename_suffix: string",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct CreateSummaryFileWriter;

/// Writes what the writer keeps in memory.
#[op("FlushSummaryWriter",
     input = "writer: resource",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct FlushSummaryWriter;

/// Ends a writer, after it wrote what it keeps in memory.
#[op("CloseSummaryWriter",
     input = "writer: resource",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct CloseSummaryWriter;

/// Writes a tensor whole. Empty metadata is none.
#[op("WriteSummary",
     input = "writer: resource",
     input = "step: int64",
     input = "tensor: T",
     input = "tag: string",
     input = "summary_metadata: string",
     attr = "T: type",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct WriteSummary;

/// Writes the values of summaries as one event.
#[op("WriteRawProtoSummary",
     input = "writer: resource",
     input = "step: int64",
     input = "tensor: string",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct WriteRawProtoSummary;

/// Writes a number: the first element of `value`.
#[op("WriteScalarSummary",
     input = "writer: resource",
     input = "step: int64",
     input = "tag: string",
     input = "value: T",
     attr = "T: realnumbertype",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct WriteScalarSummary;

/// Writes how elements are spread, as `HistogramSummary` does.
#[op("WriteHistogramSummary",
     input = "writer: resource",
     input = "step: int64",
     input = "tag: string",
     input = "values: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, bool} = DT_FLOAT",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct WriteHistogramSummary;

/// Writes pictures, as `ImageSummary` does.
#[op("WriteImageSummary",
     input = "writer: resource",
     input = "step: int64",
     input = "tag: string",
     input = "tensor: T",
     input = "bad_color: uint8",
     attr = "max_images: int >= 1 = 3",
     attr = "T: {uint8, double, float, half} = DT_FLOAT",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct WriteImageSummary;

/// Writes sounds, as `AudioSummaryV2` does.
#[op("WriteAudioSummary",
     input = "writer: resource",
     input = "step: int64",
     input = "tag: string",
     input = "tensor: float",
     input = "sample_rate: float",
     attr = "max_outputs: int >= 1 = 3",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct WriteAudioSummary;

/// Writes a graph, the bytes of a `GraphDef`.
#[op("WriteGraphSummary",
     input = "writer: resource",
     input = "step: int64",
     input = "tensor: string",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct WriteGraphSummary;

/// Writes an event as it is, the bytes of an `Event`.
#[op("ImportEvent",
     input = "writer: resource",
     input = "event: string",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct ImportEvent;

//! Writers of summaries: files of events, behind a handle.

use std::sync::Arc;

use super::audio_summary::sounds;
use super::doubles;
use super::histogram_summary::histogram_of;
use super::image_summary::pictures;
use super::merge_summary::values;
use super::tensor_summary::in_order;
use oplink::prelude::*;
use oplink::resource::ResourceInfo;
use oplink_bundle::EventFile;
use oplink_cpu_support::paths::path;
use oplink_cpu_support::summary::{EventLog, METADATA, SUMMARY, SummaryWriter, TAG, TENSOR, add_value, scalar_value};
use oplink_cpu_support::wire::{Message, fields, tensor_message};
use oplink_ops::string as ops;
use oplink_ops::string::{CloseSummaryWriter, CreateSummaryFileWriter, FlushSummaryWriter, ImportEvent};
use oplink_ops::string::{WriteAudioSummary, WriteGraphSummary, WriteHistogramSummary, WriteImageSummary};
use oplink_ops::string::{WriteRawProtoSummary, WriteScalarSummary, WriteSummary};

/// The field of an event with a graph.
const GRAPH: u32 = 4;

/// A file of events.
struct InFile(EventFile);

impl EventLog for InFile {
    fn write(&mut self, event: &[u8]) -> Result<()> {
        self.0.write(event)
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

/// The one element of a tensor.
fn one<'t, T: Element>(tensor: &'t Tensor, name: &str) -> Result<&'t T> {
    match tensor.as_slice::<T>()? {
        [value] => Ok(value),
        _ => bail!("{name} must have one element, its shape is {}", tensor.shape()),
    }
}

fn text<'t>(tensor: &'t Tensor, name: &str) -> Result<&'t [u8]> {
    one::<TString>(tensor, name).map(TString::as_bytes)
}

fn number(step: &Tensor) -> Result<i64> {
    one(step, "step").copied()
}

#[cold]
fn no_message(what: &str, why: &str) -> Error {
    Error::new(Code::DataLoss, ErrorKind::InvalidArgument, format!("{what}: {why}"))
}

/// `SummaryWriter`.
#[kernel(ops::SummaryWriter, device = CPU)]
pub fn summary_writer_cpu(shared_name: &str, container: &str, mut writer: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (device, name) = (env.node().device.clone(), shared_name.to_owned());
    let (container, type_name) = (container.to_owned(), "summary writer".to_owned());
    let info = ResourceInfo { device, container, name, type_name, dtypes_and_shapes: Vec::new() };
    writer.set_scalar(env.step()?.resources().handle(info));
    Ok(())
}

/// `CreateSummaryFileWriter`.
#[kernel(CreateSummaryFileWriter, device = CPU)]
pub fn create_summary_file_writer_cpu(
    writer: &ResourceHandle,
    logdir: &Tensor,
    max_queue: &Tensor,
    flush_millis: &Tensor,
    filename_suffix: &Tensor,
) -> Result<()> {
    let folder = path(text(logdir, "logdir")?)?;
    let (most, millis) = (*one(max_queue, "max_queue")?, *one(flush_millis, "flush_millis")?);
    let suffix = String::from_utf8_lossy(text(filename_suffix, "filename_suffix")?);
    writer.get_or_create(|| {
        let file = EventFile::create(&folder, &suffix)?;
        Ok(SummaryWriter::new(Box::new(InFile(file)), most, millis))
    })?;
    Ok(())
}

/// `FlushSummaryWriter`.
#[kernel(FlushSummaryWriter, device = CPU)]
pub fn flush_summary_writer_cpu(writer: Arc<SummaryWriter>) -> Result<()> {
    writer.flush()
}

/// `CloseSummaryWriter`.
#[kernel(CloseSummaryWriter, device = CPU)]
pub fn close_summary_writer_cpu(writer: &ResourceHandle) -> Result<()> {
    let last = writer.get::<SummaryWriter>()?;
    writer.destroy();
    last.flush()
}

/// `WriteSummary` of every dtype that has bytes.
#[kernel(WriteSummary, device = CPU, T = any)]
pub fn write_summary_cpu(
    writer: Arc<SummaryWriter>,
    step: &Tensor,
    tensor: &Tensor,
    tag: &Tensor,
    summary_metadata: &Tensor,
) -> Result<()> {
    let (tag, metadata) = (text(tag, "tag")?, text(summary_metadata, "summary_metadata")?);
    let value = Message::default()
        .bytes_unless_empty(TAG, tag)
        .bytes(TENSOR, &tensor_message(tensor)?)
        .bytes_unless_empty(METADATA, &in_order(metadata)?);
    writer.add_now(number(step)?, SUMMARY, add_value(Message::default(), value))
}

/// `WriteRawProtoSummary`.
#[kernel(WriteRawProtoSummary, device = CPU)]
pub fn write_raw_proto_summary_cpu(writer: Arc<SummaryWriter>, step: &Tensor, tensor: &Tensor) -> Result<()> {
    let mut merged = Message::default();
    for (at, summary) in tensor.as_slice::<TString>()?.iter().enumerate() {
        let values = values(summary.as_bytes());
        for (value, _) in values.map_err(|why| no_message(&format!("tensor[{at}] is no summary"), why))? {
            merged = merged.bytes(1, value);
        }
    }
    writer.add_now(number(step)?, SUMMARY, merged)
}

/// `WriteScalarSummary` of every real dtype.
#[kernel(WriteScalarSummary, device = CPU, T = any)]
pub fn write_scalar_summary_cpu(writer: Arc<SummaryWriter>, step: &Tensor, tag: &Tensor, value: &Tensor) -> Result<()> {
    let Some(&number_of_tag) = doubles(value)?.first() else { bail!("value has no elements") };
    let value = scalar_value(text(tag, "tag")?, number_of_tag as f32);
    writer.add_now(number(step)?, SUMMARY, add_value(Message::default(), value))
}

/// `WriteHistogramSummary` of every real dtype and bool.
#[kernel(WriteHistogramSummary, device = CPU, T = any)]
pub fn write_histogram_summary_cpu(
    writer: Arc<SummaryWriter>,
    step: &Tensor,
    tag: &Tensor,
    values: &Tensor,
) -> Result<()> {
    writer.add_now(number(step)?, SUMMARY, histogram_of(text(tag, "tag")?, values)?)
}

/// `WriteImageSummary` of every dtype.
#[kernel(WriteImageSummary, device = CPU, T = any)]
pub fn write_image_summary_cpu(
    writer: Arc<SummaryWriter>,
    step: &Tensor,
    tag: &Tensor,
    tensor: &Tensor,
    bad_color: &Tensor,
    max_images: i64,
) -> Result<()> {
    writer.add_now(number(step)?, SUMMARY, pictures(text(tag, "tag")?, tensor, max_images, bad_color)?)
}

/// `WriteAudioSummary`.
#[kernel(WriteAudioSummary, device = CPU)]
pub fn write_audio_summary_cpu(
    writer: Arc<SummaryWriter>,
    step: &Tensor,
    tag: &Tensor,
    tensor: &Tensor,
    sample_rate: &Tensor,
    max_outputs: i64,
) -> Result<()> {
    let rate = *one(sample_rate, "sample_rate")?;
    writer.add_now(number(step)?, SUMMARY, sounds(text(tag, "tag")?, tensor, rate, max_outputs)?)
}

/// `WriteGraphSummary`.
#[kernel(WriteGraphSummary, device = CPU)]
pub fn write_graph_summary_cpu(writer: Arc<SummaryWriter>, step: &Tensor, tensor: &Tensor) -> Result<()> {
    let graph = text(tensor, "tensor")?;
    fields(graph).map_err(|why| no_message("tensor is no graph", why))?;
    let mut message = Message::default();
    message.raw(graph);
    writer.add_now(number(step)?, GRAPH, message)
}

/// `ImportEvent`.
#[kernel(ImportEvent, device = CPU)]
pub fn import_event_cpu(writer: Arc<SummaryWriter>, event: &Tensor) -> Result<()> {
    let event = text(event, "event")?;
    fields(event).map_err(|why| no_message("event is no event", why))?;
    let mut message = Message::default();
    message.raw(event);
    writer.add(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::stepping::InStep;

    #[test]
    fn events_are_in_the_file_once_the_writer_is_closed() {
        let folder = std::env::temp_dir().join(format!("oplink-summary-writer-{}", std::process::id()));
        let step = InStep::new(1);
        let writer = step.one("SummaryWriter", &[("shared_name", "w".into())], vec![]).unwrap();
        let folder_name = Tensor::from(folder.to_str().unwrap());
        let inputs = vec![writer.clone(), folder_name, 10i32.into(), 100_000i32.into(), ".v".into()];
        step.run("CreateSummaryFileWriter", &[], inputs).unwrap();
        let inputs = vec![writer.clone(), 3i64.into(), "s".into(), 2.5f32.into()];
        step.run("WriteScalarSummary", &[], inputs.clone()).unwrap();
        step.run("CloseSummaryWriter", &[], vec![writer]).unwrap();
        assert!(step.run("WriteScalarSummary", &[], inputs).is_err());
        let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap();
        assert_eq!(file.path().extension().unwrap(), "v");
        let bytes = std::fs::read(file.path()).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        let expected = b"\x10\x03*\x0a\x0a\x08\x0a\x01s\x15\0\0 @";
        assert_eq!(bytes[bytes.len() - 4 - expected.len()..bytes.len() - 4], *expected);
    }
}

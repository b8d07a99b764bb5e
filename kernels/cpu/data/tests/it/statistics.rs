//! Pipelines record the statistics that TensorFlow records: `tests/oracle/statistics`, written by `make_statistics.py`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use oplink::prelude::*;
use oplink_core::Registry;
use oplink_cpu_support::stepping::InStep;
use oplink_cpu_support::wire::{Value, fields};
use oplink_graph::{Graph, Session, SessionOptions};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/statistics")
}

/// The bytes of the fields of this number.
fn parts(message: &[u8], number: u64) -> Vec<&[u8]> {
    let fields = fields(message).unwrap().into_iter().filter(|field| field.number == number);
    let bytes =
        fields.map(|field| if let Value::Bytes(bytes) = field.value { bytes } else { panic!("field {number}") });
    bytes.collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// The count of a value's histogram.
fn count(value: &[u8]) -> u64 {
    let num = fields(parts(value, 5)[0]).unwrap().into_iter().find(|field| field.number == 3);
    match num.map(|field| field.value) {
        Some(Value::Fixed64(word)) => f64::from_le_bytes(word) as u64,
        _ => 0,
    }
}

/// The values of a summary as the oracle writes them.
fn lines_of(summary: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    for value in parts(summary, 1) {
        let tag = String::from_utf8(parts(value, 1)[0].to_vec()).unwrap();
        if ["latency", "time", "buffer_utilization"].iter().any(|timed| tag.ends_with(timed)) {
            lines.push(format!("count {tag} {}", count(value)));
        } else if !tag.ends_with("buffer_size") {
            lines.push(format!("value {}", hex(value)));
        }
    }
    lines
}

/// The records of the only file in a folder.
fn records(folder: &Path) -> Vec<Vec<u8>> {
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let (bytes, mut at, mut records) = (std::fs::read(file).unwrap(), 0, Vec::new());
    while at < bytes.len() {
        let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        records.push(bytes[at + 12..at + 12 + length].to_vec());
        at += length + 16;
    }
    records
}

/// The events of the only file in a folder as the oracle writes them.
fn lines_of_events(folder: &Path) -> Vec<String> {
    let line = |event: Vec<u8>| {
        let step = fields(&event).unwrap().into_iter().find(|field| field.number == 2).map(|field| field.value);
        let step = if let Some(Value::Varint(step)) = step { step } else { 0 };
        format!("event {step} {}", hex(parts(parts(&event, 5)[0], 1)[0]))
    };
    records(folder).into_iter().skip(1).map(line).collect()
}

/// What a pipeline records until it is at its end.
fn recorded(name: &str) -> Result<Vec<String>> {
    let graph = Graph::load(folder().join(format!("{name}.pb")), Registry::global()?)?;
    let former = graph.nodes().iter().any(|node| node.name() == "former_summary");
    let session = Session::new(graph, SessionOptions::default())?;
    session.run(&[], &[], &["init"])?;
    let logs = std::env::temp_dir().join(format!("oplink-statistics-{}-{name}", std::process::id()));
    let logdir = Tensor::scalar(TString::from(logs.to_str().unwrap()));
    session.run(&[("logdir:0", logdir)], &[], &["writer"])?;
    let error = loop {
        if let Err(error) = session.run(&[], &[], &["next"]) {
            break error;
        }
    };
    if error.code() != Code::OutOfRange {
        return Err(error);
    }
    let summary = session.run(&[], &["summary:0"], &[])?.swap_remove(0);
    if former {
        let again = session.run(&[], &["former_summary:0"], &[])?.swap_remove(0);
        assert_eq!(again.to_scalar::<TString>()?, summary.to_scalar::<TString>()?);
    }
    session.run(&[], &[], &["flush"])?;
    let mut lines = lines_of(summary.to_scalar::<TString>()?.as_bytes());
    lines.extend(lines_of_events(&logs));
    std::fs::remove_dir_all(logs).unwrap();
    Ok(lines)
}

#[test]
fn pipelines_record_the_statistics_of_tensorflow() {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut texts: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "txt")).collect();
    texts.sort();
    assert!(texts.len() >= 15, "{} pipelines", texts.len());
    let mut failed = String::new();
    for path in texts {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let wanted = std::fs::read_to_string(&path).unwrap().lines().collect::<Vec<_>>().join("\n    ");
        let got = recorded(name).map_or_else(|error| error.to_string(), |lines| lines.join("\n    "));
        if got != wanted {
            writeln!(failed, "{name}:\n  wanted\n    {wanted}\n  got\n    {got}").unwrap();
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// As in TensorFlow, whose model of a pipeline, which counts elements, is that of an iterator.
#[test]
fn events_have_no_step_where_no_iterator_asks() {
    let (step, logs) = (InStep::new(1), std::env::temp_dir().join(format!("oplink-steps-{}", std::process::id())));
    let shapes = AttrValue::Shapes(vec![PartialShape::unknown()]);
    let attrs = [("output_types", AttrValue::Types(vec![DType::Int64])), ("output_shapes", shapes)];
    let one = |op: &str, inputs: Vec<Tensor>| step.one(op, &attrs, inputs).unwrap();
    let text = |text: &str| Tensor::scalar(TString::from(text));
    let aggregator = step.one("StatsAggregatorHandleV2", &[], vec![]).unwrap();
    let writer = step.one("SummaryWriter", &[("shared_name", "w".into())], vec![]).unwrap();
    let folder = text(logs.to_str().unwrap());
    let inputs = vec![writer.clone(), folder, Tensor::scalar(9i32), Tensor::scalar(i32::MAX), text("")];
    step.run("CreateSummaryFileWriter", &[], inputs).unwrap();
    step.run("StatsAggregatorSetSummaryWriter", &[], vec![aggregator.clone(), writer.clone()]).unwrap();
    let range = one("RangeDataset", [0i64, 3, 1].map(Tensor::scalar).to_vec());
    let recorded = one("BytesProducedStatsDataset", vec![range, text("b")]);
    let set = one("SetStatsAggregatorDataset", vec![recorded, aggregator, text(""), text("")]);
    let batch = one("BatchDatasetV2", vec![set, Tensor::scalar(9i64), Tensor::scalar(false)]);
    one("DatasetToSingleElement", vec![batch]);
    step.run("FlushSummaryWriter", &[], vec![writer]).unwrap();
    let lines = lines_of_events(&logs);
    std::fs::remove_dir_all(logs).unwrap();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line.starts_with("event 0 ")), "{lines:?}");
}

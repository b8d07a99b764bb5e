//! Saved elements and snapshots: files as TensorFlow writes them, and elements that are read again.

use std::path::{Path, PathBuf};

use oplink::Code;
use oplink::prelude::*;
use oplink_cpu_support::stepping::InStep;

use crate::pipeline::folder;

/// A folder of this test alone, which goes when it is dropped.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("oplink-saved-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn text(&self) -> Tensor {
        text(&self.0)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(path: &Path) -> Tensor {
    Tensor::scalar(TString::from(path.to_str().unwrap()))
}

fn string(text: &str) -> AttrValue {
    AttrValue::String(text.as_bytes().to_vec())
}

fn declared(dtypes: &[DType], shapes: &[&[Option<usize>]]) -> Vec<(&'static str, AttrValue)> {
    let shapes = shapes.iter().map(|shape| PartialShape::new(shape)).collect();
    vec![("output_types", AttrValue::Types(dtypes.to_vec())), ("output_shapes", AttrValue::Shapes(shapes))]
}

/// What the oracle's folders have: a number, a word, whether the number is even, and two floats.
fn kept_attrs() -> Vec<(&'static str, AttrValue)> {
    declared(&[DType::Int64, DType::String, DType::Bool, DType::Float], &[&[], &[], &[], &[Some(2)]])
}

fn kept(step: &InStep, count: i64) -> Tensor {
    let words = ["a", "", "bb", "c\0d"];
    let rows = count as usize;
    let components = vec![
        Tensor::from_vec([rows], (0..count).collect()).unwrap(),
        Tensor::from_vec([rows], (0..rows).map(|at| TString::from(words[at % 4])).collect()).unwrap(),
        Tensor::from_vec([rows], (0..count).map(|number| number % 2 == 0).collect()).unwrap(),
        Tensor::from_vec([rows, 2], (0..count).flat_map(|number| [number as f32, 0.0 - number as f32]).collect())
            .unwrap(),
    ];
    let mut attrs = kept_attrs();
    attrs[0].0 = "Toutput_types";
    step.one("TensorSliceDataset", &attrs, components).unwrap()
}

/// The numbers of the elements of a dataset, up to an error; the other components are those that go with the number.
fn numbers(step: &InStep, dataset: &Tensor) -> Result<Vec<i64>> {
    let mut numbers = Vec::new();
    let iterator = step.one("AnonymousIteratorV3", &kept_attrs(), vec![])?;
    step.run("MakeIterator", &[], vec![dataset.clone(), iterator.clone()])?;
    loop {
        match step.run("IteratorGetNext", &kept_attrs(), vec![iterator.clone()]) {
            Ok(element) => {
                let number = element[0].to_scalar::<i64>()?;
                let word = ["a", "", "bb", "c\0d"][number as usize % 4];
                assert_eq!(element[1].to_scalar::<TString>()?, TString::from(word));
                assert_eq!(element[2].to_scalar::<bool>()?, number % 2 == 0);
                assert_eq!(element[3].as_slice::<f32>()?, [number as f32, 0.0 - number as f32]);
                numbers.push(number);
            }
            Err(error) if error.code() == Code::OutOfRange => return Ok(numbers),
            Err(error) => return Err(error),
        }
    }
}

/// The only folder or file in a folder.
fn only(folder: &Path) -> PathBuf {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let entries: Vec<_> = entries.filter(|path| path.file_name().unwrap() != "snapshot.metadata").collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.into_iter().next().unwrap()
}

fn save(step: &InStep, path: &Temporary, count: i64, compression: &str) -> Result<()> {
    let attrs = [
        ("compression", string(compression)),
        ("shard_func", AttrValue::Func(FuncAttr { name: "none".to_owned(), ..FuncAttr::default() })),
        ("use_shard_func", AttrValue::Bool(false)),
        ("Tshard_func_args", AttrValue::Types(Vec::new())),
    ];
    step.run("SaveDataset", &attrs, vec![kept(step, count), path.text()]).map(drop)
}

fn read(step: &InStep, shard: &Path, start: i64, compression: &str, version: i64) -> Result<Vec<i64>> {
    let own = [("compression", string(compression)), ("version", AttrValue::Int(version))];
    let attrs = [kept_attrs(), own.to_vec()].concat();
    numbers(step, &step.one("SnapshotDatasetReader", &attrs, vec![text(shard), Tensor::scalar(start)])?)
}

#[test]
fn shards_are_those_of_tensorflow() {
    let (step, path) = (InStep::new(1), Temporary::new("plain"));
    save(&step, &path, 3, "").unwrap();
    let written = std::fs::read(only(&path.0).join("00000000.shard/00000000.snapshot")).unwrap();
    let wanted = folder().join("files/kept/saved/run/00000000.shard/00000000.snapshot");
    assert_eq!(written, std::fs::read(wanted).unwrap());
}

#[test]
fn metadata_tells_the_run_and_how_many_elements_there_are() {
    let (step, path) = (InStep::new(1), Temporary::new("metadata"));
    save(&step, &path, 7, "").unwrap();
    let written = std::fs::read(path.0.join("snapshot.metadata")).unwrap();
    let run = only(&path.0).file_name().unwrap().to_str().unwrap().to_owned();
    let start = [b"\x12".as_slice(), &[run.len() as u8], run.as_bytes(), b"\x18"].concat();
    assert!(written.starts_with(&start), "{written:?}");
    assert!(written.ends_with(b"\x20\x02\x2a\x04\x09\x07\x0a\x01\x30\x07\xc0\x3e\x01"), "{written:?}");
}

#[test]
fn what_was_saved_is_read_again() {
    for compression in ["", "ZLIB", "GZIP", "SNAPPY", "OTHER"] {
        let (step, path) = (InStep::new(1), Temporary::new(compression));
        save(&step, &path, 9, compression).unwrap();
        let shard = only(&only(&path.0));
        assert_eq!(read(&step, &shard, 2, compression, 2).unwrap(), [2, 3, 4, 5, 6, 7, 8], "{compression}");
    }
}

#[test]
fn blocks_of_large_files_are_read_again() {
    let (step, path) = (InStep::new(1), Temporary::new("large"));
    save(&step, &path, 9000, "SNAPPY").unwrap();
    let shard = only(&only(&path.0));
    assert!(std::fs::metadata(shard.join("00000000.snapshot")).unwrap().len() > 4);
    assert_eq!(read(&step, &shard, 8997, "SNAPPY", 2).unwrap(), [8997, 8998, 8999]);
}

#[test]
fn shards_that_cannot_be_read_are_errors() {
    let (step, kept) = (InStep::new(1), folder().join("files/kept"));
    let shard = kept.join("saved/run/00000000.shard");
    let code = |shard: &Path, start, compression, version| {
        read(&step, shard, start, compression, version).map_err(|error| error.code())
    };
    assert_eq!(code(&shard, 3, "", 2), Ok(vec![]));
    assert_eq!(code(&shard, 0, "", 3), Err(Code::InvalidArgument));
    assert_eq!(code(&shard, 0, "GZIP", 2), Err(Code::DataLoss));
    assert_eq!(code(&kept, 0, "", 2), Err(Code::NotFound));
    let path = Temporary::new("damaged");
    std::fs::create_dir_all(&path.0).unwrap();
    let whole = std::fs::read(shard.join("00000000.snapshot")).unwrap();
    for length in [1, 5, 13, 20, whole.len() - 1] {
        std::fs::write(path.0.join("00000000.snapshot"), &whole[..length]).unwrap();
        let wanted = if length < 12 { Ok(vec![]) } else { Err(Code::DataLoss) };
        assert_eq!(code(&path.0, 0, "", 2), wanted, "{length} bytes");
    }
}

#[test]
fn folders_without_saved_elements_are_errors() {
    let (step, path) = (InStep::new(1), Temporary::new("none"));
    let function = AttrValue::Func(FuncAttr { name: "none".to_owned(), ..FuncAttr::default() });
    let own = [("reader_func", function), ("Treader_func_args", AttrValue::Types(Vec::new()))];
    let attrs = [kept_attrs(), own.to_vec()].concat();
    let code = |folder: Tensor| step.run("LoadDataset", &attrs, vec![folder]).map(drop).map_err(|error| error.code());
    assert_eq!(code(path.text()), Err(Code::NotFound));
    std::fs::create_dir_all(&path.0).unwrap();
    std::fs::write(path.0.join("snapshot.metadata"), "compression: \"SNAPPY\"").unwrap();
    assert_eq!(code(path.text()), Err(Code::DataLoss));
}

fn snapshot(step: &InStep, path: &Temporary, count: i64, more: &[(&'static str, AttrValue)]) -> Result<Vec<i64>> {
    let attrs = [kept_attrs(), vec![("snapshot_name", string("x"))], more.to_vec()].concat();
    numbers(step, &step.one("SnapshotDataset", &attrs, vec![kept(step, count), path.text()])?)
}

/// Goes through all elements once, so that a snapshot is written.
fn write_snapshot(step: &InStep, path: &Temporary, count: i64, more: &[(&'static str, AttrValue)]) -> Result<()> {
    let attrs = [kept_attrs(), vec![("snapshot_name", string("x"))], more.to_vec()].concat();
    let dataset = step.one("SnapshotDataset", &attrs, vec![kept(step, count), path.text()])?;
    let iterator = step.one("AnonymousIteratorV3", &kept_attrs(), vec![])?;
    step.run("MakeIterator", &[], vec![dataset, iterator.clone()])?;
    for _ in 0..count {
        step.run("IteratorGetNext", &kept_attrs(), vec![iterator.clone()])?;
    }
    let end = step.run("IteratorGetNext", &kept_attrs(), vec![iterator]).unwrap_err();
    assert_eq!(end.code(), Code::OutOfRange, "{end}");
    Ok(())
}

#[test]
fn snapshots_are_those_of_tensorflow() {
    for (name, compression) in [("plain", ""), ("snappy", "SNAPPY")] {
        let (step, path) = (InStep::new(1), Temporary::new(name));
        let own = [("compression", string(compression)), ("shard_size_bytes", AttrValue::Int(50))];
        write_snapshot(&step, &path, 7, &own).unwrap();
        let files = |folder: &Path| {
            let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            files.sort();
            files.iter().map(|file| std::fs::read(file).unwrap()).collect::<Vec<_>>()
        };
        let wanted = files(&folder().join(format!("files/kept/snapshots/custom-{name}/custom")));
        assert!(wanted.len() > 1, "{name}: {} files", wanted.len());
        assert_eq!(files(&path.0.join("custom-x/custom")), wanted, "{name}");
        // Others are expected, those that were written are given.
        assert_eq!(snapshot(&step, &path, 2, &own).unwrap(), [0, 1, 2, 3, 4, 5, 6], "{name}");
    }
}

#[test]
fn modes_of_snapshots() {
    let (step, path) = (InStep::new(1), Temporary::new("modes"));
    let mode = |mode: &str| [("mode", string(mode))];
    let code = |made: Result<Vec<i64>>| made.map_err(|error| error.code());
    assert_eq!(code(snapshot(&step, &path, 2, &mode("read"))), Err(Code::NotFound));
    assert_eq!(code(snapshot(&step, &path, 2, &mode("other"))), Err(Code::InvalidArgument));
    assert_eq!(code(snapshot(&step, &path, 2, &mode("passthrough"))), Ok(vec![0, 1]));
    assert!(!path.0.exists());
    write_snapshot(&step, &path, 2, &mode("auto")).unwrap();
    assert_eq!(code(snapshot(&step, &path, 3, &mode("passthrough"))), Ok(vec![0, 1, 2]));
    assert_eq!(code(snapshot(&step, &path, 2, &[("compression", string("ZLIB"))])), Err(Code::InvalidArgument));
    assert_eq!(code(snapshot(&step, &path, 2, &[("snapshot_name", string(""))])), Err(Code::FailedPrecondition));
}

#[test]
fn a_snapshot_that_did_not_end_is_left_alone_for_a_while() {
    let (step, path) = (InStep::new(1), Temporary::new("begun"));
    let inputs = vec![kept(&step, 3), path.text()];
    let attrs = [kept_attrs(), vec![("snapshot_name", string("x"))]].concat();
    let dataset = step.one("SnapshotDataset", &attrs, inputs).unwrap();
    step.run("GetElementAtIndex", &kept_attrs(), vec![dataset, Tensor::scalar(0i64)]).unwrap();
    let file = path.0.join("custom-x/custom/00000000.snapshot");
    let begun = std::fs::read(&file).unwrap();
    assert_eq!(snapshot(&step, &path, 2, &[]).unwrap(), [0, 1]);
    assert_eq!(std::fs::read(&file).unwrap(), begun);
}

#[test]
fn a_dataset_of_datasets_has_those_of_its_inputs() {
    let (step, attrs) = (InStep::new(1), declared(&[DType::Variant], &[&[]]));
    let inputs = [3, 5].map(|count| kept(&step, count)).to_vec();
    let nested = step.one("SnapshotNestedDatasetReader", &attrs, inputs).unwrap();
    let at = |index: i64| step.one("GetElementAtIndex", &attrs, vec![nested.clone(), Tensor::scalar(index)]);
    assert_eq!(numbers(&step, &at(0).unwrap()).unwrap(), [0, 1, 2]);
    assert_eq!(numbers(&step, &at(1).unwrap()).unwrap(), [0, 1, 2, 3, 4]);
    assert_eq!(at(2).unwrap_err().code(), Code::OutOfRange);
}

fn chunks(step: &InStep, path: &Path) -> Result<Vec<String>> {
    let attrs = declared(&[DType::String], &[&[]]);
    let dataset = step.one("ListSnapshotChunksDataset", &attrs, vec![text(path)])?;
    let mut names = Vec::new();
    loop {
        let inputs = vec![dataset.clone(), Tensor::scalar(names.len() as i64)];
        match step.one("GetElementAtIndex", &attrs, inputs) {
            Ok(name) => {
                let name = name.to_scalar::<TString>()?;
                let name = String::from_utf8_lossy(name.as_bytes()).into_owned();
                names.push(name.rsplit('/').next().unwrap_or_default().to_owned());
            }
            Err(error) if error.code() == Code::OutOfRange => return Ok(names),
            Err(error) => return Err(error),
        }
    }
}

#[test]
fn chunks_come_in_the_order_of_their_numbers() {
    let (step, path) = (InStep::new(1), Temporary::new("chunks"));
    std::fs::create_dir_all(path.0.join("chunks")).unwrap();
    for name in ["chunk_0_10_1", "chunk_1_0_5", "chunk_0_1_1", "chunk_0_0_2", "chunk_2_0_1.tmp", "bad"] {
        std::fs::write(path.0.join("chunks").join(name), "").unwrap();
    }
    std::fs::write(path.0.join("DONE"), "").unwrap();
    let wanted = ["bad", "chunk_0_0_2", "chunk_1_0_5", "chunk_0_1_1", "chunk_0_10_1"];
    assert_eq!(chunks(&step, &path.0).unwrap(), wanted);
    let error = |text: &str| {
        std::fs::write(path.0.join("ERROR"), text).unwrap();
        let error = chunks(&step, &path.0).unwrap_err();
        (error.code(), error.to_string())
    };
    let (code, text) = error("code: NOT_FOUND # the file\nmessage: \"it is\" ' g\\157\\x6e\\x65'\n");
    assert_eq!(code, Code::NotFound);
    assert!(text.contains("it is gone"), "{text}");
    assert_eq!(error("code: 8").0, Code::ResourceExhausted);
    assert_eq!(error("").0, Code::Internal);
    for text in ["code NOT_FOUND", "other: 1", "code: NONE", "message: \"a", "code:"] {
        assert_eq!(error(text).0, Code::DataLoss, "{text}");
    }
}

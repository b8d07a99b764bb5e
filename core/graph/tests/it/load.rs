//! Graphs from files: large constants stay there until they are read, and nothing else differs from bytes.

use std::fs;
use std::path::PathBuf;

use oplink_api::{AttrValue, Code, Tensor};
use oplink_graph::{Graph, MergeOptions};
use oplink_proto::attr_value::Value;
use oplink_proto::{AttrValue as AttrMessage, DataType, GraphDef, NodeDef, TensorProto, TensorShapeProto};
use oplink_proto::{Message, tensor_shape_proto::Dim};
use proptest::prelude::*;

use crate::fixture::registry;

/// A file of its own, which is gone when this is dropped.
struct TestFile(PathBuf);

impl TestFile {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("oplink-load-{}-{name}.pb", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn load(&self) -> oplink_api::Result<Graph> {
        Graph::load(&self.0, registry())
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn constant(name: &str, dtype: DataType, count: usize, width: usize) -> NodeDef {
    let byte = |at: usize| if dtype == DataType::DtBool { (at % 2) as u8 } else { (at * 7 % 113) as u8 };
    let tensor = TensorProto {
        dtype: dtype as i32,
        tensor_shape: Some(TensorShapeProto {
            dim: vec![Dim { size: count as i64, ..Dim::default() }],
            ..TensorShapeProto::default()
        }),
        tensor_content: (0..count * width).map(byte).collect::<Vec<u8>>().into(),
        ..TensorProto::default()
    };
    let attr = |value| AttrMessage { value: Some(value) };
    NodeDef {
        name: name.into(),
        op: "Const".into(),
        attr: [("value".to_owned(), attr(Value::Tensor(tensor))), ("dtype".into(), attr(Value::Type(dtype as i32)))]
            .into(),
        ..NodeDef::default()
    }
}

/// Constants of several dtypes at odd places; one is not written as export writes it.
fn def() -> GraphDef {
    let mut node = vec![
        constant("a", DataType::DtFloat, 300_000, 4),
        constant("small_", DataType::DtInt32, 3, 4),
        constant("bb", DataType::DtFloat, 20_001, 4),
        constant("flags", DataType::DtBool, 70_000, 1),
        constant("wide", DataType::DtDouble, 2_000_003, 8),
        constant("noncanonical", DataType::DtHalf, 50_000, 2),
    ];
    if let Some(Value::Tensor(tensor)) = &mut node[5].attr.get_mut("value").unwrap().value {
        tensor.version_number = 3;
    }
    GraphDef { node, ..GraphDef::default() }
}

fn value(graph: &Graph, name: &str) -> Tensor {
    let node = graph.nodes().iter().find(|node| node.name() == name).unwrap();
    match node.info().attrs.get("value") {
        Some(AttrValue::Tensor(value)) => value.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_gives_the_graph_of_its_bytes() {
    let def = def();
    let file = TestFile::new("same", &def.encode_to_vec());
    let graph = file.load().unwrap();
    for node in &def.node {
        let Some(Value::Tensor(tensor)) = &node.attr["value"].value else { panic!() };
        assert_eq!(value(&graph, &node.name).as_bytes().unwrap(), &*tensor.tensor_content, "{}", node.name);
    }
    assert!(graph.to_def().unwrap() == def);
}

#[test]
fn lent_bytes_give_the_same_graph() {
    let def = def();
    let mut graph = Graph::new(registry());
    graph.import_bytes(&def.encode_to_vec(), &MergeOptions::default()).unwrap();
    assert!(graph.to_def().unwrap().node == def.node);
}

#[test]
fn constants_are_read_when_they_are_needed() {
    let file = TestFile::new("deleted", &def().encode_to_vec());
    let graph = file.load().unwrap();
    drop(file);
    assert_eq!(value(&graph, "a").as_slice::<f32>().unwrap().len(), 300_000);
}

#[test]
fn a_file_that_was_written_to_is_told() {
    let bytes = def().encode_to_vec();
    let (cut, read) = (TestFile::new("cut", &bytes), TestFile::new("read", &bytes));
    let (graph, complete) = (cut.load().unwrap(), read.load().unwrap());
    value(&graph, "bb").as_bytes().unwrap();
    complete.read_constants().unwrap();
    for file in [&cut, &read] {
        fs::OpenOptions::new().write(true).open(&file.0).unwrap().set_len(5000).unwrap();
    }
    value(&graph, "bb").as_bytes().unwrap();
    value(&complete, "wide").as_bytes().unwrap();
    let error = value(&graph, "wide").as_bytes().unwrap_err();
    assert_eq!(error.code(), Code::DataLoss);
    assert!(error.to_string().contains("was written to after a graph was loaded from it"), "{error}");
    assert!(graph.to_def().is_err() && graph.read_constants().is_err());
    complete.to_def().unwrap();
}

#[test]
fn contents_that_do_not_fill_their_shape_are_refused() {
    let mut def = def();
    if let Some(Value::Tensor(tensor)) = &mut def.node[4].attr.get_mut("value").unwrap().value {
        tensor.tensor_shape.as_mut().unwrap().dim[0].size = 1 << 50;
    }
    let error = TestFile::new("shape", &def.encode_to_vec()).load().unwrap_err();
    assert!(error.to_string().contains("do not fill a constant"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Damage is found, or not, whether the message lies in a file or in memory.
    #[test]
    fn damaged_files_are_as_damaged_bytes(
        at in prop_oneof![0.0..1.0f64, 0.0..0.0001f64], byte in any::<u8>(), kept in prop_oneof![Just(1.0), 0.0..1.0f64]
    ) {
        let def = GraphDef { node: vec![
            constant("x", DataType::DtFloat, 200_000, 4),
            constant("y", DataType::DtHalf, 40_000, 2),
            constant("z", DataType::DtInt64, 30_000, 8),
        ], ..GraphDef::default() };
        let mut bytes = def.encode_to_vec();
        let len = bytes.len();
        bytes[(at * len as f64) as usize] = byte;
        bytes.truncate((kept * len as f64) as usize);
        let file = TestFile::new("damaged", &bytes);
        let of_file = file.load().and_then(|graph| graph.to_def());
        let mut lent = Graph::new(registry());
        let lent = lent.import_bytes(&bytes, &MergeOptions::default()).and_then(|_| lent.to_def());
        let of_bytes = Graph::from_bytes(bytes, registry()).and_then(|graph| graph.to_def());
        prop_assert!(of_file.is_ok() == of_bytes.is_ok() && lent.is_ok() == of_bytes.is_ok());
        prop_assert!(of_file.ok() == of_bytes.ok());
    }
}

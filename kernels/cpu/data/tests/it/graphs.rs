//! Datasets written as graphs and read again give the same elements; what has no graph says so.

use std::fmt::Write;

use oplink::call::Arg;
use oplink::prelude::*;
use oplink::{Code, Output};
use oplink_core::Registry;
use oplink_cpu_support::stepping::InStep;
use oplink_graph::{Graph, NewNode, Session, SessionOptions};

use crate::pipeline::{Pipeline, folder};
use crate::pipelines::names;

fn add(graph: &mut Graph, op: &str, name: &str, input: Output) -> Result<Output> {
    let new = NewNode { op, name, device: "", inputs: &[Arg::One(input)], control_inputs: &[], attrs: &[] };
    Ok(Output { node: graph.add(new)?, index: 0 })
}

/// Puts a dataset of the graph of a dataset in the dataset's place, before the iterator.
fn through_a_graph(graph: &mut Graph) -> Result<()> {
    let Some(iterator) = graph.nodes().iter().position(|node| node.op_name() == "MakeIterator") else {
        return Err(Error::unimplemented("the iterator makes its dataset itself"));
    };
    let dataset = graph.nodes()[iterator].inputs()[0];
    let written = add(graph, "DatasetToGraphV2", "written", dataset)?;
    let read = add(graph, "DatasetFromGraph", "read", written)?;
    graph.set_input(iterator as u32, 0, read)
}

#[test]
fn pipelines_of_graphs_give_the_elements_of_tensorflow() {
    let (mut same, mut without, mut failed) = (0, Vec::new(), String::new());
    for name in names() {
        let text = std::fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
        let wanted: Vec<&str> = text.lines().collect();
        match Pipeline::start_edited(&name, through_a_graph) {
            Ok(pipeline) => {
                let got = pipeline.take(wanted.len());
                same += usize::from(got == wanted);
                if got != wanted {
                    writeln!(failed, "{name}:\n  wanted {wanted:?}\n     got {got:?}").unwrap();
                }
            }
            Err(error) if matches!(error.code(), Code::FailedPrecondition | Code::Unimplemented) => {
                println!("{name}: {error}");
                without.push(name);
            }
            Err(error) => writeln!(failed, "{name}: {error}").unwrap(),
        }
    }
    println!("{same} are the same, {} have no graph: {without:?}", without.len());
    assert!(failed.is_empty(), "{failed}");
    assert!(same >= 98, "{same} pipelines went through a graph");
}

/// A session with the dataset of the graph that is fed, and how many elements it has.
fn cardinality_of_graphs() -> Result<Session> {
    let mut graph = Graph::new(Registry::global()?);
    let fed = graph.scope().placeholder("graph", DType::String, PartialShape::scalar())?;
    let dataset = add(&mut graph, "DatasetFromGraph", "dataset", fed)?;
    add(&mut graph, "DatasetCardinality", "cardinality", dataset)?;
    let number = add(&mut graph, "DatasetFingerprint", "number", dataset)?;
    add(&mut graph, "Identity", "fingerprint", number)?;
    Session::new(graph, SessionOptions::default())
}

/// The graph of a range, as a session writes it.
fn written_range() -> Result<Tensor> {
    let mut graph = Graph::new(Registry::global()?);
    let mut scope = graph.scope();
    let bounds = [("start", 0i64), ("stop", 7), ("step", 2)];
    let inputs = bounds.map(|(name, value)| Ok(Arg::One(scope.constant_named(name, Tensor::scalar(value))?)));
    let inputs = inputs.into_iter().collect::<Result<Vec<_>>>()?;
    let attrs = [
        ("output_types", AttrValue::Types(vec![DType::Int64])),
        ("output_shapes", AttrValue::Shapes(vec![PartialShape::scalar()])),
    ];
    let new =
        NewNode { op: "RangeDataset", name: "range", device: "", inputs: &inputs, control_inputs: &[], attrs: &attrs };
    let range = Output { node: graph.add(new)?, index: 0 };
    add(&mut graph, "DatasetToGraph", "written", range)?;
    Ok(Session::new(graph, SessionOptions::default())?.run(&[], &["written:0"], &[])?.swap_remove(0))
}

#[test]
fn bytes_that_are_no_graph_are_errors() {
    let session = cardinality_of_graphs().unwrap();
    let run = |bytes: &[u8]| session.run(&[("graph:0", Tensor::scalar(TString::new(bytes)))], &["cardinality:0"], &[]);
    let graph = written_range().unwrap().to_scalar::<TString>().unwrap();
    assert_eq!(run(graph.as_bytes()).unwrap()[0].to_scalar::<i64>().unwrap(), 4);
    let empty = run(b"").unwrap_err();
    assert!(empty.code() == Code::NotFound && empty.to_string().contains("_Retval"), "{empty}");
    for length in 1..graph.as_bytes().len() {
        let mut bytes = graph.as_bytes().to_vec();
        bytes[length] ^= 0x15;
        // What is another graph by chance may run; nothing else may happen.
        let _ = (run(&bytes), run(&bytes[..length]));
    }
}

#[test]
fn equal_graphs_have_one_fingerprint() {
    let (session, graph) = (cardinality_of_graphs().unwrap(), written_range().unwrap());
    let run = || session.run(&[("graph:0", graph.clone())], &["fingerprint:0"], &[]).unwrap()[0].to_scalar::<u64>();
    assert_eq!(run().unwrap(), run().unwrap());
}

#[test]
fn what_a_graph_cannot_hold_is_named() {
    let step = InStep::new(1);
    let declared = [
        ("output_types", AttrValue::Types(vec![DType::Int64])),
        ("output_shapes", AttrValue::Shapes(vec![PartialShape::scalar()])),
    ];
    let range = step.one("RangeDataset", &declared, [0, 3, 1].map(Tensor::scalar::<i64>).to_vec()).unwrap();
    let no_functions = step.one("DatasetToGraph", &[], vec![range.clone()]).unwrap_err();
    assert!(no_functions.to_string().contains("run the op in a session"), "{no_functions}");
}

//! Graphs that grow after they were imported: merged messages, edges that move, sessions that follow.

use oplink_api::{Output, PartialShape, Tensor};
use oplink_graph::{FeedShapes, Graph, InputMapping, MergeOptions};

use crate::fixture::session;
use crate::session::graph;

fn names(graph: &Graph) -> Vec<String> {
    graph.nodes().iter().map(|node| node.name().to_owned()).collect()
}

fn under(prefix: &str) -> MergeOptions {
    MergeOptions { prefix: prefix.to_owned(), ..MergeOptions::default() }
}

/// Each node comes after those that it waits for, which the message does not ask for.
#[test]
fn a_message_is_added_under_a_prefix_in_order() {
    let mut target = graph();
    let count = target.nodes().len();
    target.import_into(graph().to_def().unwrap(), &under("p")).unwrap();
    let new = &names(&target)[count..];
    assert_eq!(&new[..5], ["p/x", "p/one", "p/before", "p/read", "p/sum"]);
    assert_eq!(target.producer(), graph().producer());
}

#[test]
fn a_refused_message_changes_nothing() {
    let mut target = graph();
    let before = target.to_def().unwrap();
    let def = || graph().to_def().unwrap();
    let taken = target.import_into(def(), &MergeOptions::default()).unwrap_err();
    assert!(taken.to_string().contains("already has a node `x`"), "{taken}");
    let asked = MergeOptions { return_nodes: vec!["nowhere".to_owned()], ..under("p") };
    assert!(target.import_into(def(), &asked).unwrap_err().to_string().contains("nowhere"));
    let mut broken = def();
    broken.node.last_mut().unwrap().op = "NoSuchOp".to_owned();
    assert!(target.import_into(broken, &under("p")).is_err());
    assert_eq!(target.to_def().unwrap(), before);
    assert_eq!(target.position("p/x"), None);
    target.import_into(def(), &under("p")).unwrap();
}

#[test]
fn mapped_inputs_and_unique_names() {
    let mut target = graph();
    let to = target.output_named("neg").unwrap();
    let options = MergeOptions {
        uniquify_names: true,
        input_mappings: vec![
            InputMapping::Data { node: "x".to_owned(), index: 0, to },
            InputMapping::Data { node: "nowhere".to_owned(), index: 0, to },
        ],
        return_outputs: vec![("sum".to_owned(), 0), ("x".to_owned(), 0)],
        ..MergeOptions::default()
    };
    let merged = target.import_into(graph().to_def().unwrap(), &options).unwrap();
    assert_eq!(merged.unused_mappings, [1]);
    assert_eq!(merged.return_outputs[1], to);
    let sum = merged.return_outputs[0];
    assert_eq!(target.node(sum.node).unwrap().name(), "sum_1");
    let name = target.output_name(sum);
    let run = session(target).run(&[("x", Tensor::from_slice(&[2.0_f32]))], &[&name], &[]).unwrap();
    assert_eq!(run[0].as_slice::<f32>().unwrap(), [-2.0]);
}

#[test]
fn edges_move_unless_they_would_close_a_cycle() {
    let mut graph = graph();
    let [x, sum, neg] = ["x", "sum", "neg"].map(|name| graph.output_named(name).unwrap());
    let error = graph.set_input(sum.node, 0, neg).unwrap_err();
    assert!(error.to_string().contains("cycle"), "{error}");
    graph.set_input(neg.node, 0, x).unwrap();
    assert_eq!(graph.node(neg.node).unwrap().inputs(), [x]);
    assert!(graph.set_input(neg.node, 1, x).is_err());
    assert!(graph.add_control_input(x.node, neg.node).is_err());
    let other = graph.output_named("axis").unwrap();
    assert!(graph.set_input(neg.node, 0, other).unwrap_err().to_string().contains("float"));
}

#[test]
fn shapes_are_told_and_agree() {
    let mut graph = graph();
    let x = graph.output_named("x").unwrap();
    graph.set_shape(x, &PartialShape::new(&[Some(4)])).unwrap();
    assert_eq!(graph.shape(x), PartialShape::new(&[Some(4)]));
    assert!(graph.set_shape(x, &PartialShape::new(&[Some(5)])).is_err());
    assert!(graph.set_shape(Output { index: 1, ..x }, &PartialShape::unknown()).is_err());
}

/// A session goes on with what was added, and takes values of any shape where that is asked for.
#[test]
fn a_session_follows_its_graph() {
    let mut graph = graph();
    let session = session(graph.snapshot());
    let x = graph.output_named("x").unwrap();
    graph.import_into(self::graph().to_def().unwrap(), &under("p")).unwrap();
    let [px, sum] = ["p/x", "p/sum"].map(|name| graph.output_named(name).unwrap());
    assert!(session.prepare_outputs(&[px], &[sum], &[], FeedShapes::Static).is_err());
    session.extend(graph.snapshot()).unwrap();
    let matrix = Tensor::from_vec([1, 2], vec![1.0_f32, 2.0]).unwrap();
    let fixed = session.prepare_outputs(&[px], &[sum], &[], FeedShapes::Static).unwrap();
    assert!(fixed.run(std::slice::from_ref(&matrix)).is_err());
    let any = session.prepare_outputs(&[px], &[sum], &[], FeedShapes::Any).unwrap();
    assert_eq!(any.run(&[matrix]).unwrap()[0].as_slice::<f32>().unwrap(), [2.0, 3.0]);
    assert!(session.prepare_outputs(&[x, x], &[sum], &[], FeedShapes::Any).is_err());
    assert!(session.extend(Graph::new(graph.registry())).is_err());
}

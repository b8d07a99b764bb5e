//! Runs: feeds, fetches, targets, prepared calls.

use oplink_api::{DType, PartialShape, Tensor};
use oplink_graph::{Graph, Session, SessionOptions};

use crate::fixture::{TestDevice, import, session};

const GRAPH: &str = r#"
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: -1 } } } } }
    node { name: "one" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
           attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }
    node { name: "sum" op: "AddV2" input: "read" input: "one" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "read" op: "Identity" input: "x" input: "^before" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "before" op: "NoOp" }
    node { name: "neg" op: "Neg" input: "sum" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "out" op: "StopGradient" input: "neg" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "unrelated" op: "Abs" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "axis" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
           attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } }
    node { name: "split" op: "Split" input: "axis" input: "x" attr { key: "T" value { type: DT_FLOAT } } attr { key: "num_split" value { i: 2 } } }
    node { name: "both" op: "AddV2" input: "split" input: "split:1" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "default" op: "PlaceholderWithDefault" input: "one" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { } } } }
    node { name: "from_default" op: "Neg" input: "default" attr { key: "T" value { type: DT_FLOAT } } }
"#;

pub(crate) fn graph() -> Graph {
    import(GRAPH).unwrap()
}

fn floats(values: &[f32]) -> Tensor {
    Tensor::from_slice(values)
}

fn run(feeds: &[(&str, &[f32])], fetches: &[&str], targets: &[&str]) -> Vec<Vec<f32>> {
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, values)| (*name, floats(values))).collect();
    let fetched = session(graph()).run(&feeds, fetches, targets).unwrap();
    fetched.iter().map(|tensor| tensor.as_slice::<f32>().unwrap().to_vec()).collect()
}

#[test]
fn only_what_is_needed_runs() {
    let session = session(graph());
    let order = |feeds: &[&str], fetches: &[&str], targets: &[&str]| {
        let callable = session.prepare(feeds, fetches, targets).unwrap();
        callable.node_names().map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(order(&["x"], &["out"], &[]), "before sum neg");
    assert_eq!(order(&["x"], &["both"], &[]), "split both");
    assert_eq!(order(&["sum"], &["out"], &[]), "neg");
    assert_eq!(order(&["x"], &["one", "x"], &[]), "");
    assert_eq!(order(&["x"], &[], &["out"]), "before sum neg");
    assert_eq!(order(&["split:1", "x"], &["both"], &[]), "split both");
    assert_eq!(order(&["split:1", "split:0"], &["both"], &[]), "both");
}

#[test]
fn values_are_computed_and_fetched() {
    assert_eq!(run(&[("x", &[1.0, -3.0])], &["out"], &[]), [[-2.0, 2.0]]);
    assert_eq!(
        run(&[("x:0", &[1.0])], &["sum:0", "out", "sum", "x", "read"], &["before"]),
        [[2.0], [-2.0], [2.0], [1.0], [1.0]]
    );
    assert_eq!(run(&[("x", &[1.0, 2.0])], &["both", "split:1", "split:0"], &[]), [[3.0], [2.0], [1.0]]);
    assert_eq!(run(&[("x", &[1.0, 2.0]), ("split:1", &[10.0])], &["both", "split:1"], &[]), [[11.0], [10.0]]);
    assert_eq!(run(&[], &["one", "one"], &[]), [[1.0], [1.0]]);
    assert!(run(&[("x", &[1.0])], &[], &["out"]).is_empty());
}

#[test]
fn a_default_may_be_fed() {
    assert_eq!(run(&[], &["from_default"], &[]), [[-1.0]]);
    let session = session(graph());
    let fetched = session.run(&[("default", Tensor::scalar(5.0f32))], &["from_default"], &[]).unwrap();
    assert_eq!(fetched[0].to_scalar::<f32>().unwrap(), -5.0);
}

#[test]
fn fed_and_constant_memory_is_never_written() {
    let (session, x) = (session(graph()), floats(&[1.0, 2.0]));
    let one = session.run(&[], &["one"], &[]).unwrap().remove(0);
    for _ in 0..3 {
        assert_eq!(session.run(&[("x", x.clone())], &["sum"], &[]).unwrap()[0].as_slice::<f32>().unwrap(), [2.0, 3.0]);
    }
    assert_eq!(x.as_slice::<f32>().unwrap(), [1.0, 2.0]);
    assert_eq!(one.to_scalar::<f32>().unwrap(), 1.0);
}

#[test]
fn prepared_calls_run_without_names_and_outlive_the_session() {
    let callable = session(graph()).prepare(&["x"], &["out", "x"], &[]).unwrap();
    assert_eq!((callable.num_feeds(), callable.num_fetches()), (1, 2));
    let fetched = callable.run(&[floats(&[4.0])]).unwrap();
    assert_eq!(fetched[0].as_slice::<f32>().unwrap(), [-5.0]);
    let mut into = vec![fetched[1].clone()];
    callable.run_into([floats(&[6.0])], &mut into).unwrap();
    assert_eq!(into.iter().map(|t| t.as_slice::<f32>().unwrap()[0]).collect::<Vec<_>>(), [4.0, -7.0, 6.0]);
}

#[test]
fn a_bounded_number_of_plans_is_kept() {
    let options = SessionOptions { max_plans: 1, ..SessionOptions::default() };
    let session = Session::on_device(graph(), TestDevice::new(), options).unwrap();
    for _ in 0..3 {
        assert_eq!(session.run(&[("x", floats(&[1.0]))], &["sum"], &[]).unwrap()[0].as_slice::<f32>().unwrap(), [2.0]);
        assert_eq!(session.run(&[("x", floats(&[1.0]))], &["neg"], &[]).unwrap()[0].as_slice::<f32>().unwrap(), [-2.0]);
    }
}

#[test]
fn graphs_longer_than_any_stack() {
    let mut graph = Graph::new(crate::fixture::registry());
    let mut root = graph.scope();
    let mut value = root.placeholder("x", DType::Float, PartialShape::scalar()).unwrap();
    for _ in 0..50_000 {
        let inputs = smallvec::smallvec![oplink_api::call::Arg::One(value)];
        let call = oplink_api::call::Call { op: "Neg", name: None, device: None, inputs, attrs: Vec::new() };
        value = oplink_api::Scope::add(&mut root, call).unwrap().one(0).unwrap();
    }
    let name = graph.output_name(value);
    let copy = Graph::import(&graph.to_def().unwrap(), graph.registry()).unwrap();
    let fetched = session(copy).run(&[("x", Tensor::scalar(3.0f32))], &[&name], &[]).unwrap();
    assert_eq!(fetched[0].to_scalar::<f32>().unwrap(), 3.0);
}

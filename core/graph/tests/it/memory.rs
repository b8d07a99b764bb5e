//! Memory of a run: values go when their last reader has run, and readers reuse it.

use oplink_api::call::{Arg, Call};
use oplink_api::{DType, Output, PartialShape, Scope, Tensor};
use oplink_graph::{Graph, GraphScope, PassOptions, Session, SessionOptions};

use crate::fixture::{TestDevice, registry};

/// Bytes of the values below.
const VALUE: usize = 1 << 20;
/// What the allocator may add to a value.
const SLACK: usize = 1 << 16;

fn add(scope: &mut GraphScope<'_>, op: &'static str, inputs: &[Output]) -> Output {
    let inputs = inputs.iter().map(|&input| Arg::One(input)).collect();
    scope.add(Call { op, name: None, device: None, inputs, attrs: Vec::new() }).unwrap().one(0).unwrap()
}

/// The most memory that a run takes beside the fed value, in bytes.
fn peak(build: impl FnOnce(&mut GraphScope<'_>, Output) -> Output, give: bool) -> usize {
    let mut graph = Graph::new(registry());
    let mut root = graph.scope();
    let x = root.placeholder("x", DType::Float, PartialShape::unknown()).unwrap();
    let out = build(&mut root, x);
    let fetch = graph.output_name(out);
    let device = TestDevice::new();
    let options = SessionOptions { intra_op_threads: 1, passes: PassOptions::none(), ..SessionOptions::default() };
    let session = Session::on_device(graph, device.clone(), options).unwrap();
    let callable = session.prepare(&["x"], &[&fetch], &[]).unwrap();
    for _ in 0..2 {
        device.memory.reset_peaks();
        let x = Tensor::zeros(DType::Float, [VALUE / 4]).unwrap();
        let keep = if give { None } else { Some(x.clone()) };
        callable.run_into([x], &mut Vec::new()).unwrap();
        drop(keep);
        assert_eq!(device.memory.statistics().in_use, 0, "all memory came back");
    }
    device.memory.statistics().peak_in_use
}

#[track_caller]
fn takes(values: usize, peak: usize) {
    assert!((values * VALUE..=values * VALUE + SLACK * values).contains(&peak), "{peak} bytes for {values} values");
}

#[test]
fn a_chain_in_fresh_memory_holds_two_values() {
    let chain = |scope: &mut GraphScope<'_>, x| (0..20).fold(x, |value, _| add(scope, "Neg", &[value]));
    takes(2, peak(chain, false));
}

#[test]
fn a_chain_of_forwarding_kernels_holds_one_value() {
    let chain = |scope: &mut GraphScope<'_>, x| (0..20).fold(x, |value, _| add(scope, "Relu", &[value]));
    takes(1, peak(chain, false));
}

#[test]
fn a_value_that_is_given_away_is_reused() {
    let chain = |scope: &mut GraphScope<'_>, x| (0..20).fold(x, |value, _| add(scope, "Relu", &[value]));
    takes(0, peak(chain, true));
}

#[test]
fn nodes_that_hand_their_input_on_cost_nothing() {
    let chain = |scope: &mut GraphScope<'_>, x| {
        (0..20).fold(x, |value, _| {
            let value = add(scope, "Relu", &[value]);
            let value = add(scope, "Identity", &[value]);
            add(scope, "StopGradient", &[value])
        })
    };
    takes(1, peak(chain, false));
}

#[test]
fn a_residual_lives_until_it_is_added() {
    let blocks = |scope: &mut GraphScope<'_>, x| {
        (0..5).fold(x, |value, _| {
            let inner = add(scope, "Neg", &[value]);
            let inner = add(scope, "Relu", &[inner]);
            add(scope, "AddV2", &[inner, value])
        })
    };
    takes(2, peak(blocks, false));
}

#[test]
fn a_value_read_twice_by_one_node_is_not_overwritten() {
    let mut graph = Graph::new(registry());
    let mut root = graph.scope();
    let x = root.placeholder("x", DType::Float, PartialShape::unknown()).unwrap();
    let y = add(&mut root, "Neg", &[x]);
    let square = add(&mut root, "Mul", &[y, y]);
    let fetch = graph.output_name(square);
    let session = crate::fixture::session(graph);
    let fetched = session.run(&[("x", Tensor::from_slice(&[3.0f32, 4.0]))], &[&fetch], &[]).unwrap();
    assert_eq!(fetched[0].as_slice::<f32>().unwrap(), [9.0, 16.0]);
}

#[test]
fn branches_are_computed_where_they_are_needed() {
    let wide = |scope: &mut GraphScope<'_>, x| {
        let branches: Vec<Output> = (0..8).map(|_| add(scope, "Neg", &[x])).collect();
        branches.into_iter().reduce(|sum, branch| add(scope, "AddV2", &[sum, branch])).unwrap()
    };
    takes(2, peak(wide, false));
}

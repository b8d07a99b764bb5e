//! Runs on several threads: nodes that are worth it, asynchronous kernels, several callers.

use std::time::Duration;

use oplink_api::{DType, Output, PartialShape, Tensor};
use oplink_graph::{Graph, NewNode, RunMetadata, RunOptions, Session, TraceLevel};

use super::text::{LoopOptions, Text, attr_type, plain, run};
use crate::fixture::{TestDevice, registry};

/// As many branches as `width`, each of `depth` slow nodes, summed up.
fn wide(width: usize, depth: usize) -> Graph {
    let mut graph = Graph::new(registry());
    let x = graph.scope().placeholder("x", DType::Float, PartialShape::new(&[])).unwrap();
    let mut add = |op: &str, name: String, inputs: &[Output]| {
        let new = NewNode { op, name: &name, device: "", inputs: &[], control_inputs: &[], attrs: &[] };
        Output { node: graph.add_flat(new, inputs).unwrap(), index: 0 }
    };
    let ends: Vec<Output> = (0..width)
        .map(|branch| (0..depth).fold(x, |value, at| add("Sqrt", format!("slow{branch}_{at}"), &[value])))
        .collect();
    let sum =
        ends[1..].iter().enumerate().fold(ends[0], |sum, (at, &end)| add("AddV2", format!("sum{at}"), &[sum, end]));
    add("Neg", "y".to_owned(), &[sum]);
    graph
}

/// A device with a pool of its own, so that tests do not depend on the machine's number of cores.
fn with_threads(graph: Graph, threads: usize) -> Session {
    oplink_core::set_intra_op_threads(threads).unwrap();
    let session = Session::on_device(graph, TestDevice::new(), plain());
    oplink_core::set_intra_op_threads(0).unwrap();
    session.unwrap()
}

#[test]
fn a_wide_graph_comes_to_use_several_threads() {
    let session = with_threads(wide(4, 3), 4);
    let call = session.prepare(&["x"], &["y"], &[]).unwrap();
    let mut overlapping = 0;
    for run in 0..20 {
        let mut y = Vec::new();
        let metadata = call.run_with(&traced(), [Tensor::scalar(run as f32)], &mut y).unwrap();
        assert_eq!(y[0].to_scalar::<f32>().unwrap(), -4.0 * (run as f32 + 3.0));
        assert_eq!(metadata.nodes.len(), 4 * 3 + 3 + 1);
        overlapping += usize::from(overlap(&metadata, "Sqrt"));
    }
    assert!(overlapping > 0, "the branches never ran at the same time");
}

fn traced() -> RunOptions {
    RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() }
}

/// Whether nodes of the op ran at the same time.
fn overlap(metadata: &RunMetadata, op: &str) -> bool {
    let mut times: Vec<_> =
        metadata.nodes.iter().filter(|node| node.op == op).map(|n| (n.start, n.start + n.duration)).collect();
    times.sort();
    times.windows(2).any(|pair| pair[1].0 < pair[0].1)
}

#[test]
fn an_error_on_a_pool_thread_names_its_node() {
    let session = with_threads(wide(4, 3), 4);
    let call = session.prepare(&["x"], &["y"], &[]).unwrap();
    for run in 0..30 {
        let x = if run % 3 == 2 { -1.5 } else { 1.0 };
        match call.run(&[Tensor::scalar(x as f32)]) {
            Ok(y) => assert_eq!(y[0].to_scalar::<f32>().unwrap(), -16.0),
            Err(error) => {
                assert!(x < 0.0);
                let shown = error.to_string();
                assert!(shown.contains("-1.5 has no root") && shown.contains("_0` (op Sqrt)"), "{shown}");
            }
        }
    }
}

/// Slow nodes in the iterations of a loop that do not depend on one another run at the same time.
#[test]
fn iterations_run_at_the_same_time() {
    let mut text = Text::default();
    let limit = text.placeholder("limit");
    text.node("x", "Placeholder", &[], &attr_type("dtype", "DT_FLOAT"));
    let float = attr_type("T", "DT_FLOAT");
    let zero = text.constant("zero", 0, &[]);
    let inside = text.begin_loop(&[&zero], LoopOptions { parallel_iterations: 8 }, |text, inside| {
        let limit = text.bring_in(inside, &limit);
        text.node("less", "Less", &[&inside.values[0], &limit], "")
    });
    let enter = "attr { key: \"frame_name\" value { s: \"loop_1\" } } attr { key: \"is_constant\" value { b: true } }";
    text.node("x_inside", "Enter", &["x"], &format!("{float} {enter}"));
    text.node("slow", "Sqrt", &["x_inside", &format!("^{}", inside.pivot)], &float);
    let next = text.count_on(&inside);
    text.node("next", "Identity", &[&next], "");
    // The iteration's work has no reader; it runs because something at the end waits for it.
    text.node("work", "NoOp", &["^slow"], "");
    let exits = text.end_loop(&inside, &["next"]);
    let graph = text.import().unwrap();
    let session = with_threads(graph, 4);
    let call = session.prepare(&["limit", "x"], &[&exits[0]], &["work"]).unwrap();
    let mut overlapping = 0;
    for _ in 0..4 {
        let mut fetched = Vec::new();
        let feeds = [Tensor::scalar(20i32), Tensor::scalar(3.0f32)];
        let metadata = call.run_with(&traced(), feeds, &mut fetched).unwrap();
        assert_eq!(fetched[0].to_scalar::<i32>().unwrap(), 20);
        assert_eq!(metadata.nodes.iter().filter(|node| node.name == "slow").count(), 20);
        overlapping += usize::from(overlap(&metadata, "Sqrt"));
    }
    assert!(overlapping > 0, "the iterations never ran at the same time");
}

/// None of three kernels finishes before all have started.
#[test]
fn asynchronous_kernels_do_not_wait_for_one_another() {
    let mut text = Text::default();
    let float = attr_type("T", "DT_FLOAT");
    text.node("x", "Placeholder", &[], &attr_type("dtype", "DT_FLOAT"));
    for name in ["a", "b", "c"] {
        text.node(name, "Atan", &["x"], &float);
    }
    text.node("sum", "AddV2", &["a", "b"], &float);
    text.node("y", "AddV2", &["sum", "c"], &float);
    let session = text.session();
    let options = RunOptions { timeout: Some(Duration::from_secs(30)), ..RunOptions::default() };
    for x in [1.0f32, 2.0, 3.0] {
        let (y, _) = session.run_with(&options, &[("x", Tensor::scalar(x))], &["y"], &[]).unwrap();
        assert_eq!(y[0].to_scalar::<f32>().unwrap(), 3.0 * x);
    }
}

#[test]
fn asynchronous_kernels_finish_in_any_order() {
    let mut text = Text::default();
    let float = attr_type("T", "DT_FLOAT");
    let delays = [20.0f32, 10.0, 15.0, 0.0, 5.0];
    for at in 0..delays.len() {
        text.node(&format!("x{at}"), "Placeholder", &[], &attr_type("dtype", "DT_FLOAT"));
        text.node(&format!("later{at}"), "Exp", &[&format!("x{at}")], &float);
        text.node(&format!("y{at}"), "Neg", &[&format!("later{at}")], &float);
    }
    let session = text.session();
    let names: Vec<String> = (0..delays.len()).map(|at| format!("x{at}")).collect();
    let feeds: Vec<(&str, Tensor)> =
        names.iter().zip(delays).map(|(name, delay)| (name.as_str(), Tensor::scalar(delay))).collect();
    let fetches: Vec<String> = (0..delays.len()).map(|at| format!("y{at}")).collect();
    let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
    for _ in 0..3 {
        let (values, metadata) = session.run_with(&traced(), &feeds, &fetches, &[]).unwrap();
        let values: Vec<f32> = values.iter().map(|value| value.to_scalar().unwrap()).collect();
        assert_eq!(values, delays.map(|delay| -delay));
        assert_eq!(metadata.nodes.len(), 10);
    }
}

/// An asynchronous kernel in each iteration.
#[test]
fn asynchronous_kernels_in_a_loop() {
    let mut text = Text::default();
    let float = attr_type("T", "DT_FLOAT");
    let limit = text.placeholder("limit");
    text.node("x", "Placeholder", &[], &attr_type("dtype", "DT_FLOAT"));
    let zero = text.constant("zero", 0, &[]);
    let inside = text.begin_loop(&[&zero], LoopOptions { parallel_iterations: 4 }, |text, inside| {
        let limit = text.bring_in(inside, &limit);
        text.node("less", "Less", &[&inside.values[0], &limit], "")
    });
    let enter = "attr { key: \"frame_name\" value { s: \"loop_1\" } } attr { key: \"is_constant\" value { b: true } }";
    text.node("x_inside", "Enter", &["x"], &format!("{float} {enter}"));
    text.node("later", "Exp", &["x_inside", &format!("^{}", inside.pivot)], &float);
    let next = text.count_on(&inside);
    text.node("next", "Identity", &[&next, "^later"], "");
    let exits = text.end_loop(&inside, &["next"]);
    let session = text.session();
    let feeds = [("limit", Tensor::scalar(12i32)), ("x", Tensor::scalar(0.5f32))];
    for _ in 0..3 {
        assert_eq!(session.run(&feeds, &[&exits[0]], &[]).unwrap()[0].to_scalar::<i32>().unwrap(), 12);
    }
}

#[test]
fn eight_callers_of_one_session() {
    let mut text = Text::default();
    for name in ["limit", "start", "step"] {
        text.placeholder(name);
    }
    let exits = text.counting_loop("limit", "start", "step", LoopOptions::default());
    text.node("checked", "Abs", &[&exits[1]], "");
    let session = text.session();
    std::thread::scope(|threads| {
        for caller in 0..8 {
            let session = &session;
            threads.spawn(move || {
                for round in 0..300 {
                    let (limit, start) = ((caller * 7 + round) % 40, round - 150);
                    let feeds = [("limit", limit), ("start", start), ("step", caller)];
                    let expected = start + limit * caller;
                    match run(session, &feeds, &["checked"]) {
                        Ok(values) => assert_eq!(values, [expected]),
                        Err(error) => assert!(expected < 0, "{error}"),
                    }
                }
            });
        }
    });
}

#[test]
fn eight_callers_of_a_wide_graph() {
    let session = with_threads(wide(3, 2), 3);
    let call = session.prepare(&["x"], &["y"], &[]).unwrap();
    std::thread::scope(|threads| {
        for caller in 0..8 {
            let call = &call;
            threads.spawn(move || {
                for round in 0..12 {
                    let x = (caller * 100 + round) as f32;
                    let y = call.run(&[Tensor::scalar(x)]).unwrap();
                    assert_eq!(y[0].to_scalar::<f32>().unwrap(), -3.0 * (x + 2.0));
                }
            });
        }
    });
}

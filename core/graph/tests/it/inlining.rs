//! Calls of functions put in the place of their bodies: how much, how fast, and until when.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use oplink_api::{Cancellation, Code, Error, ErrorKind, Tensor};
use oplink_graph::{Graph, PassOptions, RunOptions, Session, SessionOptions};

use crate::fixture::{TestDevice, def, registry};

/// What the second call of a body takes.
#[derive(Clone, Copy)]
enum Second {
    /// What the first took: both return the same.
    Same,
    /// What the first returned.
    Result,
}

/// Functions `f_0`, `f_1`, … of which each calls the next twice and adds what comes back; the last negates.
fn doubling(depth: usize, second: Second) -> String {
    let takes = if matches!(second, Second::Same) { "x" } else { "a:y:0" };
    let mut text = String::from("library {");
    for at in 0..depth {
        let next = at + 1;
        let (nodes, result) = match next < depth {
            true => (
                format!(
                    r#"node_def {{ name: "a" op: "f_{next}" input: "x" }}
                       node_def {{ name: "b" op: "f_{next}" input: "{takes}" }}
                       node_def {{ name: "s" op: "AddV2" input: "a:y:0" input: "b:y:0"
                                   attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}"#
                ),
                "s:z:0",
            ),
            false => (
                r#"node_def { name: "n" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }"#.to_owned(),
                "n:y:0",
            ),
        };
        let _ = write!(
            text,
            r#"function {{ signature {{ name: "f_{at}" input_arg {{ name: "x" type: DT_FLOAT }}
                                        output_arg {{ name: "y" type: DT_FLOAT }} }}
                           {nodes} ret {{ key: "y" value: "{result}" }} }}"#
        );
    }
    text + r#"}
        node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
               attr { key: "shape" value { shape { dim { size: 2 } } } } }
        node { name: "call" op: "f_0" input: "x" }"#
}

fn session(depth: usize, second: Second, options: SessionOptions) -> Session {
    let graph = Graph::import(&def(&doubling(depth, second)), registry()).unwrap();
    Session::on_device(graph, TestDevice::new(), options).unwrap()
}

fn feeds() -> [(&'static str, Tensor); 1] {
    [("x", Tensor::from([1.0f32, 2.0]))]
}

fn call(session: &Session) -> Vec<f32> {
    session.run(&feeds(), &["call"], &[]).unwrap()[0].as_slice::<f32>().unwrap().to_vec()
}

#[test]
fn equal_calls_are_one() {
    for (depth, factor) in [(12, 2048.0), (40, 549_755_813_888.0)] {
        let session = session(depth, Second::Same, SessionOptions::default());
        assert_eq!(call(&session), [-factor, -2.0 * factor]);
        let call = session.prepare(&["x"], &["call"], &[]).unwrap();
        assert_eq!(call.node_names().count(), depth);
    }
}

/// What `doubling` with [`Second::Result`] makes of `x`.
fn expected(depth: usize, x: f32) -> f32 {
    if depth == 1 {
        return -x;
    }
    let first = expected(depth - 1, x);
    first + expected(depth - 1, first)
}

#[test]
fn values_are_the_same_whatever_is_inlined() {
    let wanted = [expected(8, 1.0), expected(8, 2.0)];
    for (nodes, depth) in [(0, 64), (1, 64), (10, 64), (100, 64), (usize::MAX, 64), (usize::MAX, 3), (usize::MAX, 0)] {
        let passes = PassOptions::default().with_inlining_limits(nodes, depth);
        let session = session(8, Second::Result, SessionOptions { passes, ..SessionOptions::default() });
        assert_eq!(call(&session), wanted, "{nodes} nodes, {depth} deep");
    }
}

#[test]
fn limits_bound_what_comes_in() {
    let nodes_of = |nodes: usize, depth: usize| {
        let graph = Graph::import(&def(&doubling(20, Second::Result)), registry()).unwrap();
        let passes = PassOptions::none().with("function_inlining").unwrap().with_inlining_limits(nodes, depth);
        graph.optimized(&["x"], &["call"], &[], &passes).unwrap().graph.nodes().len()
    };
    assert!(nodes_of(1000, 64) <= 1002);
    assert_eq!(nodes_of(0, 64), 2);
    // A placeholder, and of three levels the sums, and the calls that are left.
    assert_eq!(nodes_of(100_000, 3), 1 + 7 + 8);
}

#[test]
fn functions_say_whether_they_are_inlined() {
    let attr = |name: &str| format!(r#"attr {{ key: "{name}" value {{ b: true }} }}"#);
    let is_called = |attrs: String| {
        let text = doubling(1, Second::Same).replacen(r#"ret { key"#, &format!("{attrs} ret {{ key"), 1);
        let passes = PassOptions::none().with("function_inlining").unwrap();
        let graph = Graph::import(&def(&text), registry()).unwrap();
        let optimized = graph.optimized(&["x"], &["call"], &[], &passes).unwrap();
        optimized.graph.nodes().iter().any(|node| node.op_name() == "f_0")
    };
    assert!(!is_called(String::new()));
    assert!(is_called(attr("_noinline")));
    assert!(!is_called(attr("_noinline") + &attr("_XlaMustCompile")));
}

#[test]
fn a_deadline_ends_the_making_of_a_plan() {
    for timeout in [Duration::ZERO, Duration::from_millis(50), Duration::from_millis(400)] {
        let session = session(40, Second::Result, SessionOptions::default());
        let options = RunOptions { timeout: Some(timeout), ..RunOptions::default() };
        let started = Instant::now();
        let error = session.run_with(&options, &feeds(), &["call"], &[]).unwrap_err();
        let late = started.elapsed().saturating_sub(timeout);
        assert_eq!((error.code(), error.kind()), (Code::DeadlineExceeded, ErrorKind::Cancelled), "{error}");
        assert!(late < Duration::from_secs(2), "{late:?} late");
    }
}

#[test]
fn a_handle_ends_the_making_of_a_plan() {
    let session = session(40, Second::Result, SessionOptions::default());
    let handle = Cancellation::default();
    let options = RunOptions { cancellation: Some(handle.clone()), ..RunOptions::default() };
    std::thread::scope(|threads| {
        threads.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            handle.cancel(Error::new(Code::Cancelled, ErrorKind::Cancelled, "enough of it"));
        });
        let error = session.run_with(&options, &feeds(), &["call"], &[]).unwrap_err();
        assert_eq!((error.code(), error.message()), (Code::Cancelled, "enough of it"));
    });
}

#[test]
fn calls_nested_deeper_than_the_session_allows_are_refused() {
    let passes = PassOptions::default().with_inlining_limits(0, 0);
    let session = session(12, Second::Same, SessionOptions { passes, max_call_depth: 5, ..SessionOptions::default() });
    let error = session.run(&feeds(), &["call"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted, "{error}");
    assert!(error.message().contains("inside 5 calls"), "{error}");
}

/// Prints how long a first run takes; a tool for measuring.
#[test]
fn first_runs_of_deep_calls_take_no_time() {
    for (depth, second) in [(12, Second::Same), (40, Second::Same), (12, Second::Result), (15, Second::Result)] {
        let text = def(&doubling(depth, second));
        let started = Instant::now();
        let graph = Graph::import(&text, registry()).unwrap();
        let imported = started.elapsed();
        let session = Session::on_device(graph, TestDevice::new(), SessionOptions::default()).unwrap();
        let started = Instant::now();
        call(&session);
        println!("{depth} deep: import {imported:?}, first run {:?}", started.elapsed());
    }
}

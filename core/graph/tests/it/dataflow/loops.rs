//! Loops with one frame.

use super::text::{LoopOptions, Text, run};

const PARALLEL: [i64; 3] = [1, 10, 32];

fn counting(parallel_iterations: i64) -> (Text, Vec<String>) {
    let mut text = Text::default();
    let limit = text.placeholder("limit");
    let start = text.placeholder("start");
    let step = text.placeholder("step");
    let exits = text.counting_loop(&limit, &start, &step, LoopOptions { parallel_iterations });
    (text, exits)
}

#[test]
fn a_loop_runs_as_often_as_it_says() {
    for parallel in PARALLEL {
        let (text, exits) = counting(parallel);
        let session = text.session();
        for limit in [0, 1, 2, 33, 1000] {
            let feeds = [("limit", limit), ("start", 7), ("step", 3)];
            let values = run(&session, &feeds, &[&exits[0], &exits[1]]).unwrap();
            assert_eq!(values, [limit, 7 + 3 * limit], "{limit} iterations, {parallel} of them in parallel");
        }
    }
}

#[test]
fn only_one_exit_may_be_fetched() {
    let (text, exits) = counting(10);
    assert_eq!(text.run(&[("limit", 5), ("start", 7), ("step", 3)], &[&exits[0]]), [5]);
}

#[test]
fn values_outside_of_the_loop_are_used_around_it() {
    let (mut text, exits) = counting(4);
    let twice = text.node("twice", "AddV2", &[&exits[1], &exits[1]], "");
    let more = text.node("more", "AddV2", &[&twice, "start"], "");
    let values = text.run(&[("limit", 5), ("start", 7), ("step", 3)], &[&more, "start", &exits[1]]);
    assert_eq!(values, [51, 7, 22]);
}

/// The inner one of a pair of loops reads what the outer one gave.
#[test]
fn one_loop_after_the_other() {
    let (mut text, exits) = counting(3);
    let second = text.counting_loop("limit", &exits[1], "step", LoopOptions::default());
    let both = text.node("both", "AddV2", &[&second[1], &exits[1]], "");
    assert_eq!(text.run(&[("limit", 5), ("start", 7), ("step", 3)], &[&both]), [37 + 22]);
}

/// A value that the loop does not change comes out as it went in.
#[test]
fn an_invariant_is_forwarded() {
    let mut text = Text::default();
    let x = text.placeholder("x");
    let inside = text.begin_loop(&[&x, &x], LoopOptions::default(), |text, inside| {
        let ten = text.constant("ten", 10, &[&inside.pivot]);
        text.node("less", "Less", &[&inside.values[0], &ten], "")
    });
    let next = text.count_on(&inside);
    let kept = text.bring_in(&inside, &x);
    // Without the control edge it would begin the next iteration whatever the condition says.
    let kept = text.node("kept", "Identity", &[&kept, &format!("^{}", inside.pivot)], "");
    let exits = text.end_loop(&inside, &[&next, &kept]);
    assert_eq!(text.run(&[("x", 4)], &[&exits[0], &exits[1]]), [10, 4]);
    assert_eq!(text.run(&[("x", 12)], &[&exits[0], &exits[1]]), [12, 12]);
}

/// Nodes that depend on invariants alone run in each iteration.
#[test]
fn work_on_invariants_alone() {
    let mut text = Text::default();
    let (x, limit) = (text.placeholder("x"), text.placeholder("limit"));
    let zero = text.constant("zero", 0, &[]);
    let inside = text.begin_loop(&[&zero, &zero], LoopOptions { parallel_iterations: 2 }, |text, inside| {
        let limit = text.bring_in(inside, &limit);
        text.node("less", "Less", &[&inside.values[0], &limit], "")
    });
    let next = text.count_on(&inside);
    let kept = text.bring_in(&inside, &x);
    let twice = text.node("twice", "AddV2", &[&kept, &kept], "");
    let sum = text.node("sum", "AddV2", &[&inside.values[1], &twice], "");
    let exits = text.end_loop(&inside, &[&next, &sum]);
    for limit in [0, 1, 5] {
        assert_eq!(text.run(&[("x", 4), ("limit", limit)], &[&exits[1]]), [8 * limit]);
    }
}

/// An effect in the loop's body happens once an iteration, in order where control edges say so.
#[test]
fn effects_and_control_edges() {
    let mut text = Text::default();
    let shape = "attr { key: \"dtype\" value { type: DT_INT32 } } attr { key: \"shape\" value { shape { } } }";
    text.node("v", "VariableV2", &[], shape);
    let (zero, one) = (text.constant("zero", 0, &[]), text.constant("one", 1, &[]));
    text.node("init", "Assign", &["v", &zero], "");
    let limit = text.placeholder("limit");
    let inside = text.begin_loop(&[&zero, &zero], LoopOptions::default(), |text, inside| {
        let limit = text.bring_in(inside, &limit);
        text.node("less", "Less", &[&inside.values[0], &limit], "")
    });
    let reference =
        "attr { key: \"frame_name\" value { s: \"loop_1\" } } attr { key: \"is_constant\" value { b: true } }";
    text.node("v_inside", "RefEnter", &["v"], reference);
    let one = text.bring_in(&inside, &one);
    text.node("add", "AssignAdd", &["v_inside", &one, &format!("^{}", inside.pivot)], "");
    // What is read after the addition is the number of iterations so far.
    text.node("read", "Identity", &["v_inside", "^add"], "");
    let next = text.count_on(&inside);
    let sum = text.node("sum", "AddV2", &[&inside.values[1], "read"], "");
    let exits = text.end_loop(&inside, &[&next, &sum]);
    let session = text.session();
    for limit in [0, 1, 4] {
        session.run(&[], &[], &["init"]).unwrap();
        let sum = run(&session, &[("limit", limit)], &[&exits[1]]).unwrap()[0];
        assert!(sum >= limit * (limit + 1) / 2, "{sum} after {limit} iterations");
        assert_eq!(run(&session, &[], &["v"]).unwrap(), [limit]);
    }
}

#[test]
fn memory_of_iterations_is_reused() {
    let (text, exits) = counting(10);
    let session = text.session();
    let callable = session.prepare(&["limit", "start", "step"], &[&exits[1]], &[]).unwrap();
    for limit in [1, 10_000, 3] {
        let feeds = [limit, 0, 1].map(oplink_api::Tensor::scalar::<i32>);
        assert_eq!(callable.run(&feeds).unwrap()[0].to_scalar::<i32>().unwrap(), limit);
    }
}

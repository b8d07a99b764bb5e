//! Loops made of Switch and Merge whose bodies run on a device.

use std::sync::atomic::Ordering;
use std::time::Duration;

use oplink_api::{Code, Tensor};
use oplink_graph::RunOptions;

use super::{constant, floats, node, with_fake};

/// `while x < limit { x = x + step * step }`, compared on the host, computed on the device.
fn text(parallel: i64) -> String {
    let enter = |name: &str, value: &str, constant: bool| {
        let attrs = format!(
            "attr {{ key: \"frame_name\" value {{ s: \"loop\" }} }} attr {{ key: \"is_constant\" value {{ b: {constant} }} }}
             attr {{ key: \"parallel_iterations\" value {{ i: {parallel} }} }}"
        );
        node(name, "Enter", "", &[value], &attrs)
    };
    node("x", "Placeholder", "", &[], "")
        + &node("limit", "Placeholder", "", &[], "")
        + &node("step", "Placeholder", "", &[], "")
        + &enter("enter", "x", false)
        + &enter("limited", "limit", true)
        + &enter("stepped", "step", true)
        + &node("merge", "Merge", "", &["enter", "next"], "attr { key: \"N\" value { i: 2 } }")
        + &node("greater", "Greater", "", &["limited", "merge"], "")
        + &node("cond", "LoopCond", "", &["greater"], "")
        + &node("switch", "Switch", "", &["merge", "cond"], "")
        + &node("body", "Identity", "", &["switch:1"], "")
        + &constant("half", 0.5, &["^body"])
        + &node("square", "Mul", "", &["stepped", "stepped"], "")
        + &node("twice", "Mul", "", &["square", "half"], "")
        + &node("sum", "AddV2", "", &["body", "twice"], "")
        + &node("next", "NextIteration", "", &["sum"], "")
        + &node("exit", "Exit", "", &["switch"], "")
}

#[test]
fn the_values_of_a_loop_stay_on_the_device() {
    for parallel in [1, 10] {
        let (fake, session) = with_fake(&text(parallel));
        let call = session.prepare(&["x", "limit", "step"], &["exit"], &[]).unwrap();
        fake.counters.take();
        for iterations in [0, 1, 7] {
            let limit = 2.0 * iterations as f32;
            let values = call.run(&[Tensor::scalar(0.0f32), Tensor::scalar(limit), Tensor::scalar(2.0f32)]);
            assert_eq!(floats(values), [[limit]]);
            // The start and the step come over; each comparison reads a value, and the last one is fetched. What works
            // on invariants alone runs once more than the rest.
            assert_eq!(fake.counters.take(), [2, iterations + 2, 3 * iterations + 1], "{iterations} iterations");
        }
    }
}

#[test]
fn a_copy_that_never_ends_does_not_hold_the_loop() {
    let (fake, session) = with_fake(&text(10));
    let feeds = [("x", 0.0f32), ("limit", 6.0), ("step", 2.0)].map(|(name, value)| (name, Tensor::scalar(value)));
    let options = RunOptions { timeout: Some(Duration::from_millis(30)), ..RunOptions::default() };
    fake.counters.hangs.store(true, Ordering::SeqCst);
    let error = session.run_with(&options, &feeds, &["exit"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
    fake.counters.hangs.store(false, Ordering::SeqCst);
    fake.counters.fail_to_host.store(true, Ordering::SeqCst);
    let error = session.run(&feeds, &["exit"], &[]).unwrap_err();
    assert!(error.to_string().starts_with("the copy to the host broke\n  node `merge/to_CPU_0`"), "{error}");
    assert_eq!(floats(session.run(&feeds, &["exit"], &[])), [[6.0]]);
}

#[test]
fn what_is_decided_on_the_device_is_read_on_the_host() {
    let text = node("x", "Placeholder", "", &[], "")
        + &node("y", "Neg", "", &["x"], "")
        + &constant("zero", 0.0, &[])
        + &node("positive", "Greater", "", &["x", "zero"], "")
        + &node("switch", "Switch", "", &["y", "positive"], "")
        + &node("minus", "Neg", "", &["switch"], "")
        + &node("plus", "Relu", "", &["switch:1"], "")
        + &node("merge", "Merge", "", &["minus", "plus"], "attr { key: \"N\" value { i: 2 } }");
    let (_, session) = with_fake(&text);
    for (x, wanted) in [(3.0f32, 0.0), (-2.0, -2.0)] {
        assert_eq!(floats(session.run(&[("x", Tensor::scalar(x))], &["merge"], &[])), [[wanted]]);
    }
}

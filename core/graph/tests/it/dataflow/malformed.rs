//! Loops that make no sense are refused before anything runs, with the nodes' names.

use expect_test::{Expect, expect};
use oplink_api::ErrorKind;

use super::text::{LoopOptions, Text};

#[track_caller]
fn refused(write: impl FnOnce(&mut Text) -> String, message: Expect) {
    let mut text = Text::default();
    text.placeholder("x");
    text.placeholder("y");
    let fetch = write(&mut text);
    let error = text.session().prepare(&["x", "y"], &[&fetch], &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidGraph);
    message.assert_eq(&error.to_string());
}

#[test]
fn inputs_from_different_frames() {
    refused(
        |text| {
            let enter = text.enter("enter", "x", "a", false, 10);
            text.node("sum", "AddV2", &[&enter, "y"], "");
            text.node("exit", "Exit", &["sum"], "")
        },
        expect![
            "node `sum` (op AddV2) has inputs from different frames: `y` (op Placeholder) is from outside of all loops, `enter` (op Enter) is from the frame `a`; a value comes into a loop through an Enter and out through an Exit"
        ],
    );
    refused(
        |text| {
            let (a, b) = (text.enter("a", "x", "one", false, 10), text.enter("b", "y", "two", false, 10));
            text.node("sum", "AddV2", &[&a, &b], "");
            text.node("exit", "Exit", &["sum"], "")
        },
        expect![
            "node `sum` (op AddV2) has inputs from different frames: `a` (op Enter) is from the frame `one`, `b` (op Enter) is from the frame `two`; a value comes into a loop through an Enter and out through an Exit"
        ],
    );
    refused(
        |text| {
            let enter = text.enter("enter", "x", "a", false, 10);
            text.constant("outside", 1, &[]);
            text.node("sum", "AddV2", &[&enter, "outside"], "");
            text.node("exit", "Exit", &["sum"], "")
        },
        expect![
            "node `sum` (op AddV2) has inputs from different frames: `enter` (op Enter) is from the frame `a`, `outside` (op Const) is from outside of all loops; a value comes into a loop through an Enter and out through an Exit"
        ],
    );
    refused(
        |text| {
            text.enter("enter", "x", "a", false, 10);
            text.node("sum", "AddV2", &["x", "y", "^enter"], "")
        },
        expect![
            "node `sum` (op AddV2) has inputs from different frames: `x` (op Placeholder) is from outside of all loops, `enter` (op Enter) is from the frame `a`; a value comes into a loop through an Enter and out through an Exit"
        ],
    );
}

#[test]
fn outside_of_all_loops() {
    refused(
        |text| text.node("exit", "Exit", &["x"], ""),
        expect!["node `exit` (op Exit) is in no loop: its input comes from no Enter"],
    );
    refused(
        |text| {
            text.node("next", "NextIteration", &["sum"], "");
            text.merge(&["x", "next"]);
            text.node("sum", "AddV2", &["merge_1", "y"], "")
        },
        expect!["node `next` (op NextIteration) is in no loop: its input comes from no Enter"],
    );
}

#[test]
fn iterations_that_lead_nowhere() {
    let mut text = Text::default();
    let enter = text.enter("enter", "x", "a", false, 10);
    text.placeholder("x");
    text.node("next", "NextIteration", &[&enter], "");
    let error = text.session().prepare(&["x"], &[], &["next"]).unwrap_err();
    expect!["node `next` (op NextIteration) leads nowhere: it must lead to a Merge of its loop"]
        .assert_eq(&error.to_string());
    refused(
        |text| {
            let enter = text.enter("enter", "x", "a", false, 10);
            let next = text.node("next", "NextIteration", &[&enter], "");
            text.node("copy", "Identity", &[&next], "");
            text.node("exit", "Exit", &["copy"], "")
        },
        expect![
            "node `next` (op NextIteration) leads to `copy` (op Identity): it must lead to a Merge, which also has a value for the first iteration"
        ],
    );
    refused(
        |text| {
            let (a, b) = (text.enter("a", "x", "one", false, 10), text.enter("b", "y", "two", false, 10));
            text.node("next", "NextIteration", &[&a], "");
            let merge = text.merge(&[&b, "next"]);
            text.node("exit", "Exit", &[&merge], "")
        },
        expect![
            "node `next` (op NextIteration) is from the frame `one`, but leads to `merge_1` (op Merge) in the frame `two`"
        ],
    );
}

#[test]
fn one_name_for_two_loops() {
    refused(
        |text| {
            let a = text.enter("a", "x", "one", false, 10);
            let b = text.enter("b", &a, "two", false, 10);
            let c = text.enter("c", "y", "two", false, 10);
            text.node("sum", "AddV2", &[&b, &c], "");
            let exit = text.node("exit", "Exit", &["sum"], "");
            text.node("exit2", "Exit", &[&exit], "")
        },
        expect![
            "node `c` (op Enter) enters the frame `two` from outside of all loops, others enter it from the frame `one`: give each loop a frame name of its own"
        ],
    );
    refused(
        |text| {
            let a = text.enter("a", "x", "one", false, 0);
            text.node("exit", "Exit", &[&a], "")
        },
        expect!["node `a` (op Enter) allows 0 parallel iterations: it must be at least 1"],
    );
}

#[test]
fn a_fetch_from_inside() {
    refused(
        |text| {
            text.counting_loop("x", "y", "y", LoopOptions::default());
            "loop_2/body0".to_owned()
        },
        expect![
            "`loop_2/body0` is inside the frame `loop_2`, where it has many values: fetch what an Exit gives of it"
        ],
    );
}

/// What is fed comes from outside, and cuts off what it replaces.
#[test]
fn feeding_into_a_loop() {
    let mut text = Text::default();
    for name in ["x", "y"] {
        text.placeholder(name);
    }
    let exits = text.counting_loop("x", "y", "y", LoopOptions::default());
    let session = text.session();
    let error = session.prepare(&["x", "y", "loop_2/body1"], &[&exits[1]], &[]).unwrap_err();
    assert!(error.to_string().contains("has inputs from different frames"), "{error}");
    assert!(session.prepare(&[&exits[1]], &[&exits[1]], &[]).is_ok());
}

/// What is not needed may be malformed.
#[test]
fn only_what_runs_is_checked() {
    let mut text = Text::default();
    text.placeholder("x");
    text.node("exit", "Exit", &["x"], "");
    text.node("sum", "AddV2", &["x", "x"], "");
    assert_eq!(text.run(&[("x", 2)], &["sum"]), [4]);
}

//! References to variables: read where a value is wanted, forwarded where a reference is.

use oplink_api::{Code, Tensor};
use oplink_graph::{Session, SessionOptions};

use super::text::{Text, attr_type, plain, run};
use crate::fixture::TestDevice;

fn variable() -> Text {
    let mut text = Text::default();
    let shape = "attr { key: \"shape\" value { shape { } } }";
    text.node("v", "VariableV2", &[], &format!("{} {shape}", attr_type("dtype", "DT_INT32")));
    text.placeholder("x");
    text.node("assign", "Assign", &["v", "x"], "");
    text.node("add", "AssignAdd", &["v", "x"], "");
    text.node("read", "Identity", &["v"], "");
    text.node("read_after", "Identity", &["v", "^add"], "");
    text.node("twice", "AddV2", &["v", "v"], "");
    text
}

/// Sessions over graphs that run by a plan and as dataflow.
fn sessions() -> [Session; 2] {
    let mut branches = variable();
    branches.node("trigger", "ControlTrigger", &[], "");
    branches.node("less", "Less", &["x", "x"], "");
    // Both of a value and of a reference.
    branches.node("switch", "Switch", &["v", "less"], "");
    branches.node("ref_switch", "RefSwitch", &["v", "less"], "");
    branches.node("ref_merge", "RefMerge", &["ref_switch", "ref_switch:1"], "attr { key: \"N\" value { i: 2 } }");
    branches.node("add_to_merged", "AssignAdd", &["ref_merge", "x"], "");
    branches.constant("one", 1, &[]);
    branches.node("select", "RefSelect", &["one", "v", "v"], "attr { key: \"N\" value { i: 2 } }");
    [variable().session(), branches.session()]
}

#[test]
fn values_and_references() {
    for session in sessions() {
        assert_eq!(run(&session, &[("x", 5)], &["assign"]).unwrap(), [5]);
        assert_eq!(run(&session, &[], &["v", "read", "twice"]).unwrap(), [5, 5, 10]);
        assert_eq!(run(&session, &[("x", 2)], &["add"]).unwrap(), [7]);
        assert_eq!(run(&session, &[("x", 1)], &["read_after"]).unwrap(), [8]);
        assert_eq!(run(&session, &[("v", 70)], &["twice", "read"]).unwrap(), [140, 70]);
        assert_eq!(run(&session, &[], &["v"]).unwrap(), [8]);
    }
}

#[test]
fn control_flow_hands_references_on() {
    let [_, session] = sessions();
    run(&session, &[("x", 5)], &["assign"]).unwrap();
    assert_eq!(run(&session, &[("x", 5)], &["switch", "ref_switch", "ref_merge", "select"]).unwrap(), [5; 4]);
    assert_eq!(run(&session, &[("x", 3)], &["add_to_merged"]).unwrap(), [8]);
    assert_eq!(run(&session, &[], &["v"]).unwrap(), [8]);
}

#[test]
fn a_variable_without_a_value() {
    for session in sessions() {
        for fetch in ["v", "read", "twice"] {
            let error = run(&session, &[], &[fetch]).unwrap_err();
            assert!(error.to_string().contains("has no value yet"), "{error}");
        }
        let error = run(&session, &[], &["twice"]).unwrap_err();
        assert!(error.to_string().contains("`twice`"), "{error}");
        session.resources().clear();
        assert_eq!(run(&session, &[("x", 5)], &["assign"]).unwrap(), [5]);
        let names: Vec<String> = session.resources().resources().into_iter().map(|(_, _, name)| name).collect();
        assert_eq!(names, ["v"]);
    }
}

/// Variables belong to their session.
#[test]
fn sessions_share_nothing() {
    let graph = std::sync::Arc::new(variable().import().unwrap());
    let session = || Session::on_device(graph.clone(), TestDevice::new(), plain()).unwrap();
    let (one, other) = (session(), session());
    run(&one, &[("x", 5)], &["assign"]).unwrap();
    assert_eq!(run(&one, &[], &["v"]).unwrap(), [5]);
    assert_eq!(run(&other, &[], &["v"]).unwrap_err().code(), Code::InvalidArgument);
}

/// A kernel's own state goes on whatever is fetched beside it.
#[test]
fn kernels_with_state_belong_to_the_session() {
    let mut text = Text::default();
    text.placeholder("x");
    text.node("count", "Timestamp", &[], "");
    let session = Session::on_device(text.import().unwrap(), TestDevice::new(), SessionOptions::default()).unwrap();
    let count = |fetches: &[&str]| {
        let fetched = session.run(&[("x", Tensor::scalar(1i32))], fetches, &[]).unwrap();
        fetched[0].to_scalar::<f64>().unwrap()
    };
    assert_eq!([count(&["count"]), count(&["count", "x"]), count(&["count"])], [0.0, 1.0, 2.0]);
}

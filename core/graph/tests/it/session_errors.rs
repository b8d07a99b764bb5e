//! What goes wrong in a session, and that it stays usable.

use expect_test::{Expect, expect};
use oplink_api::{ErrorKind, Tensor};
use oplink_graph::{Session, SessionOptions};

use crate::fixture::{TestDevice, import, session};
use crate::session::graph;

#[track_caller]
fn refused(feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str], message: Expect) {
    message.assert_eq(&session(graph()).run(feeds, fetches, targets).unwrap_err().to_string());
}

fn x() -> (&'static str, Tensor) {
    ("x", Tensor::from_slice(&[1.0f32, 2.0]))
}

#[test]
fn names() {
    refused(
        &[x()],
        &["summ"],
        &[],
        expect![[r#"
        the graph has no node `summ`; did you mean `sum`?
          fetch `summ`"#]],
    );
    refused(
        &[x()],
        &["sum:1"],
        &[],
        expect![[r#"
        node `sum` (op AddV2) has 1 output, there is no `sum:1`
          fetch `sum:1`"#]],
    );
    refused(
        &[x()],
        &["^sum"],
        &[],
        expect![[r#"
        `^sum` is no tensor: write `sum` or `sum:0` for an output, or make `sum` a target
          fetch `^sum`"#]],
    );
    refused(
        &[x()],
        &[],
        &["sum:0"],
        expect![[r#"
        `sum:0` is a tensor; a target is a node: write `sum`
          target `sum:0`"#]],
    );
    refused(
        &[("xx", x().1)],
        &["sum"],
        &[],
        expect![[r#"
        the graph has no node `xx`
          feed `xx`"#]],
    );
    refused(&[x(), ("x:0", x().1)], &["sum"], &[], expect!["`x` is fed twice"]);
    refused(&[x()], &[], &[], expect!["nothing to run: give at least one fetch or target"]);
}

#[test]
fn feeds() {
    refused(&[], &["sum"], &[], expect!["the placeholder `x` (float [?]) must be fed"]);
    refused(
        &[("x", Tensor::from_slice(&[1i32]))],
        &["sum"],
        &[],
        expect![[r#"
        `x` is of float, the value fed is of int32
          feed `x`"#]],
    );
    refused(
        &[("x", Tensor::scalar(1.0f32))],
        &["sum"],
        &[],
        expect![[r#"
        `x` has shape [?], the value fed has shape []
          feed `x`"#]],
    );
    let callable = session(graph()).prepare(&["x"], &["sum"], &[]).unwrap();
    expect!["0 values are fed, 1 are needed"].assert_eq(&callable.run(&[]).unwrap_err().to_string());
}

#[test]
fn an_error_of_a_kernel_tells_all_of_the_node() {
    let session = session(graph());
    let error = session.run(&[x()], &["unrelated"], &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::KernelFailed);
    expect![[r#"
        no good
          node `unrelated` (op Abs) on /job:localhost/replica:0/task:0/device:CPU:0
          input 0 `x`: float [2]"#]]
    .assert_eq(&error.to_string());
    assert!(session.run(&[x()], &["sum"], &[]).is_ok());
}

#[test]
fn after_a_panic_the_same_call_works_again() {
    let graph = import(
        r#"node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
           node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
           node { name: "bad" op: "Sign" input: "y" attr { key: "T" value { type: DT_FLOAT } } }"#,
    );
    let session = session(graph.unwrap());
    for _ in 0..2 {
        let error = session.run(&[x()], &["y", "bad"], &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::KernelPanicked);
        assert!(error.to_string().contains("`bad`") && error.to_string().contains("went wrong"), "{error}");
        let bad = session.run(&[x(), ("bad", x().1)], &["y", "bad"], &[]).unwrap();
        assert_eq!(bad[0].as_slice::<f32>().unwrap(), [-1.0, -2.0]);
    }
}

#[test]
fn nodes_without_kernels_are_told_together() {
    let graph = import(
        r#"node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_DOUBLE } } }
           node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_DOUBLE } } }
           node { name: "z" op: "Softmax" input: "y" attr { key: "T" value { type: DT_DOUBLE } } }"#,
    );
    let session = session(graph.unwrap());
    let error = session.prepare(&["x"], &["z"], &[]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoMatchingKernel);
    let text = error.to_string();
    assert!(
        text.starts_with("2 nodes of the graph cannot run:") && text.contains("`y`") && text.contains("`z`"),
        "{text}"
    );
}

#[test]
fn devices() {
    let graph = || {
        import(
            r#"node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
               node { name: "y" op: "Neg" input: "x" device: "/device:GPU:0" attr { key: "T" value { type: DT_FLOAT } } }"#,
        )
        .unwrap()
    };
    assert!(session(graph()).run(&[x()], &["y"], &[]).is_ok());
    let options = SessionOptions { allow_soft_placement: false, ..SessionOptions::default() };
    let strict = Session::on_device(graph(), TestDevice::new(), options).unwrap();
    expect![[r#"
        the node asks for the device `/device:GPU:0`, the session runs on /job:localhost/replica:0/task:0/device:CPU:0; allow soft placement or change the node's device
          node `y` (op Neg)"#]].assert_eq(&strict.run(&[x()], &["y"], &[]).unwrap_err().to_string());
    let nowhere = SessionOptions { device_type: "TPU".to_owned(), ..SessionOptions::default() };
    assert_eq!(Session::new(graph(), nowhere).unwrap_err().kind(), ErrorKind::NotLinked);
}

//! Where nodes run. The tables of two CPUs are what TensorFlow does with `device_count {"CPU": 2}`, messages apart.

use expect_test::{Expect, expect};

use super::{cpus, node, where_run, with_fake, x};

#[track_caller]
fn placed(text: &str, soft: bool, fetches: &[&str], targets: &[&str], ran: Expect) {
    ran.assert_eq(&where_run(&cpus(text, soft), &[x()], fetches, targets));
}

fn asking(device: &str) -> String {
    node("x", "Placeholder", "", &[], "") + &node("y", "Neg", device, &["x"], "")
}

#[test]
fn explicit_and_partial_names() {
    for soft in [false, true] {
        for device in ["/cpu:1", "/device:CPU:1", "/job:localhost/task:0/cpu:1", "CPU:1", "/CPU:01"] {
            placed(&asking(device), soft, &["y"], &[], expect!["y CPU:1"]);
        }
        for device in ["", "/job:localhost", "cpu", "/device:CPU:*"] {
            placed(&asking(device), soft, &["y"], &[], expect!["y CPU:0"]);
        }
    }
}

#[test]
fn a_device_that_there_is_not() {
    for device in ["/device:CPU:5", "/gpu:0", "/device:XYZ:0"] {
        placed(&asking(device), true, &["y"], &[], expect!["y CPU:0"]);
        let refused = where_run(&cpus(&asking(device), false), &[x()], &["y"], &[]);
        assert!(refused.starts_with("InvalidArgument: the node asks for the device"), "{refused}");
    }
    placed(
        &asking("/gpu:0"),
        false,
        &["y"],
        &[],
        expect![[r#"
            InvalidArgument: the node asks for the device `/gpu:0`, which the session does not have; it has /job:localhost/replica:0/task:0/device:CPU:0, /job:localhost/replica:0/task:0/device:CPU:1: ask for one of them, or allow soft placement
              node `y` (op Neg)"#]],
    );
    for (device, soft) in
        [("/job:worker", false), ("/job:worker", true), ("/job:localhost/task:3", true), ("/a b", true)]
    {
        let refused = where_run(&cpus(&asking(device), soft), &[x()], &["y"], &[]);
        assert!(refused.starts_with("InvalidArgument: ") && refused.contains("node `y` (op Neg)"), "{refused}");
    }
}

fn colocated(of_a: &str, of_b: &str) -> String {
    let class = r#"attr { key: "_class" value { list { s: "loc:@a" } } }"#;
    node("x", "Placeholder", "", &[], "") + &node("a", "Neg", of_a, &["x"], "") + &node("b", "Neg", of_b, &["a"], class)
}

#[test]
fn colocation() {
    for soft in [false, true] {
        placed(&colocated("/cpu:1", ""), soft, &["b"], &[], expect!["a CPU:1, b CPU:1"]);
        placed(&colocated("", "/cpu:1"), soft, &["b"], &[], expect!["a CPU:1, b CPU:1"]);
    }
    for of_b in ["/cpu:0", "/gpu:0", "/cpu:5"] {
        placed(&colocated("/cpu:1", of_b), true, &["b"], &[], expect!["a CPU:0, b CPU:0"]);
    }
    placed(&colocated("/cpu:5", ""), true, &["b"], &[], expect!["a CPU:0, b CPU:0"]);
    placed(
        &colocated("/cpu:1", "/cpu:0"),
        false,
        &["b"],
        &[],
        expect![[r#"
            InvalidArgument: the node asks for the device `/cpu:0` and to be placed with `a`, whose group asks for another (`/cpu:1`); change one of them or allow soft placement
              node `b` (op Neg)"#]],
    );
    let unknown = colocated("/cpu:1", "").replace("loc:@a", "loc:@nobody");
    placed(&unknown, false, &["b"], &[], expect!["a CPU:1, b CPU:0"]);
}

fn variable(of_handle: &str, of_assign: &str) -> String {
    node("x", "Placeholder", "", &[], "")
        + &node("v", "VarHandleOp", of_handle, &[], r#"attr { key: "shape" value { shape { } } }"#)
        + &node("assign", "AssignVariableOp", of_assign, &["v", "x"], "")
        + &node("read", "ReadVariableOp", "", &["v", "^assign"], "")
}

#[test]
fn resources() {
    for soft in [false, true] {
        for (of_handle, of_assign) in [("/cpu:1", ""), ("", "/cpu:1"), ("/cpu", "/cpu:1"), ("/cpu:1", "/gpu:0")] {
            placed(&variable(of_handle, of_assign), soft, &["read"], &[], expect!["assign CPU:1, read CPU:1, v CPU:1"]);
        }
        placed(&variable("/cpu:0", "/cpu:1"), soft, &["read"], &[], expect!["assign CPU:0, read CPU:0, v CPU:0"]);
    }
    placed(&variable("/gpu:0", "/cpu:1"), true, &["read"], &[], expect!["assign CPU:0, read CPU:0, v CPU:0"]);
    let refused = where_run(&cpus(&variable("/gpu:0", "/cpu:1"), false), &[x()], &["read"], &[]);
    assert!(refused.starts_with("InvalidArgument: "), "{refused}");
}

#[test]
fn a_node_goes_to_the_first_device_with_a_kernel() {
    let text = node("x", "Placeholder", "", &[], "")
        + &node("y", "Neg", "", &["x"], "")
        + &node("z", "Relu", "", &["y"], "")
        + &node("w", "Neg", "/cpu:0", &["z"], "");
    let (_, session) = with_fake(&text);
    expect!["w CPU:0, x/to_FAKE_0 FAKE:0, y FAKE:0, y/to_CPU_0 CPU:0, z CPU:0"].assert_eq(&where_run(
        &session,
        &[x()],
        &["w"],
        &[],
    ));
}

#[test]
fn a_group_goes_where_all_of_it_can_run() {
    // The fake device has no kernel of AssignAddVariableOp.
    let text = variable("", "") + &node("more", "AssignAddVariableOp", "", &["v", "x"], "");
    let (_, session) = with_fake(&text);
    expect!["assign CPU:0, read CPU:0, v CPU:0, x/to_CPU_0 CPU:0"].assert_eq(&where_run(
        &session,
        &[x()],
        &["read"],
        &[],
    ));
    let (_, session) = with_fake(&variable("", ""));
    expect!["assign FAKE:0, read FAKE:0, read/to_CPU_0 CPU:0, v FAKE:0, x/to_FAKE_0 FAKE:0"].assert_eq(&where_run(
        &session,
        &[x()],
        &["read"],
        &[],
    ));
}

#[test]
fn a_device_without_the_kernel() {
    let text = node("x", "Placeholder", "", &[], "") + &node("y", "Relu", "/device:FAKE:0", &["x"], "");
    let (_, session) = with_fake(&text);
    expect![[r#"
        InvalidArgument: no device can run the node as it is asked for (device asked for: `/device:FAKE:0`); devices that could: /job:localhost/replica:0/task:0/device:CPU:0; ask for one of them or allow soft placement
          node `y` (op Relu)
          FAKE: op `Relu` has no kernel for device FAKE, T=float; the nearest are
          device CPU, T in {float}: the device differs, at kernels.rs:1 (tests 0.1.0)"#]]
    .assert_eq(&where_run(&session, &[x()], &["y"], &[]));
}

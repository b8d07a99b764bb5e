//! Copies that fail or never end, and that the session goes on after them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use expect_test::expect;
use oplink_api::{Code, Tensor};
use oplink_graph::RunOptions;

use super::{constant, floats, node, with_fake, x};

fn text() -> String {
    node("x", "Placeholder", "", &[], "")
        + &constant("one", 1.0, &[])
        + &node("y", "AddV2", "", &["x", "one"], "")
        + &node("z", "Relu", "", &["y"], "")
}

#[test]
fn a_copy_that_fails() {
    let (fake, session) = with_fake(&text());
    let call = session.prepare(&["x"], &["z"], &[]).unwrap();
    fake.counters.fail_to_host.store(true, Ordering::SeqCst);
    expect![[r#"
        the copy to the host broke
          node `y/to_CPU_0` (op _DeviceCopy) on /job:localhost/replica:0/task:0/device:CPU:0
          input 0 `input`: float [2] in the memory of /job:localhost/replica:0/task:0/device:FAKE:0"#]]
    .assert_eq(&call.run(&[x().1]).unwrap_err().to_string());
    assert_eq!(floats(call.run(&[x().1])), [[2.0, 3.0]]);
    fake.counters.fail_to_device.store(true, Ordering::SeqCst);
    expect![[r#"
        the copy to the device broke
          node `x/to_FAKE_0` (op _DeviceCopy) on /job:localhost/replica:0/task:0/device:FAKE:0
          input 0 `input`: float [2]"#]]
    .assert_eq(&call.run(&[x().1]).unwrap_err().to_string());
    assert_eq!(floats(call.run(&[x().1])), [[2.0, 3.0]]);
}

#[test]
fn a_constant_that_cannot_be_copied() {
    let (fake, session) = with_fake(&text());
    fake.counters.fail_to_device.store(true, Ordering::SeqCst);
    expect![[r#"
        the copy to the device broke
          copying the constant `one` to /job:localhost/replica:0/task:0/device:FAKE:0"#]]
    .assert_eq(&session.prepare(&["x"], &["z"], &[]).unwrap_err().to_string());
    assert_eq!(floats(session.run(&[x()], &["z"], &[])), [[2.0, 3.0]]);
}

#[test]
fn a_copy_that_never_ends_is_cancelled() {
    let (fake, session) = with_fake(&text());
    let call = session.prepare(&["x"], &["z"], &[]).unwrap();
    fake.counters.hangs.store(true, Ordering::SeqCst);
    let options = RunOptions { timeout: Some(Duration::from_millis(30)), ..RunOptions::default() };
    let run = |x: Tensor| {
        let mut fetched = Vec::new();
        call.run_with(&options, [x], &mut fetched).map(|_| fetched)
    };
    assert_eq!(run(x().1).unwrap_err().code(), Code::DeadlineExceeded);
    fake.counters.hangs.store(false, Ordering::SeqCst);
    assert_eq!(floats(call.run(&[x().1])), [[2.0, 3.0]]);
}

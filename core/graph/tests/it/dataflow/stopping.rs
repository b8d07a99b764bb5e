//! Steps that are cancelled, run out of time, or whose session closes.

use std::time::{Duration, Instant};

use oplink_api::{Cancellation, Code, Error, ErrorKind, Tensor};
use oplink_graph::{RunOptions, Session};

use super::text::{LoopOptions, Text, attr_type};

/// Graphs that never end by themselves: a loop, a kernel that looks at the step, one that finishes later, one that
/// never does.
fn endless() -> Vec<(&'static str, Session, String)> {
    let mut all = Vec::new();
    let mut text = Text::default();
    let (zero, one) = (text.constant("zero", 0, &[]), text.constant("one", 1, &[]));
    text.node("x", "Placeholder", &[], &attr_type("dtype", "DT_FLOAT"));
    let inside = text.begin_loop(&[&zero], LoopOptions::default(), |text, inside| {
        let one = text.bring_in(inside, &one);
        text.node("less", "Less", &[&inside.values[0], &one], "")
    });
    let exits = text.end_loop(&inside, &[&inside.values[0]]);
    all.push(("loop", text.session(), exits[0].clone()));
    for (what, op) in [("kernel", "Sin"), ("later", "Log"), ("never", "Cos")] {
        let mut text = Text::default();
        text.node("x", "Placeholder", &[], &attr_type("dtype", "DT_FLOAT"));
        text.node("y", op, &["x"], &attr_type("T", "DT_FLOAT"));
        all.push((what, text.session(), "y".to_owned()));
    }
    all
}

fn run(session: &Session, fetch: &str, options: &RunOptions) -> Error {
    let started = Instant::now();
    let x = Tensor::scalar(1.0f32);
    let error = session.run_with(options, &[("x", x)], &[fetch], &[]).unwrap_err();
    assert!(started.elapsed() < Duration::from_secs(20));
    error
}

#[test]
fn a_deadline_ends_everything() {
    for (what, session, fetch) in endless() {
        let timeout = Duration::from_millis(30);
        for _ in 0..2 {
            let started = Instant::now();
            let error = run(&session, &fetch, &RunOptions { timeout: Some(timeout), ..RunOptions::default() });
            assert!(started.elapsed() >= timeout);
            assert_eq!((error.code(), error.kind()), (Code::DeadlineExceeded, ErrorKind::Cancelled), "{what}: {error}");
        }
    }
}

#[test]
fn time_that_suffices_changes_nothing() {
    let mut text = Text::default();
    text.placeholder("x");
    let exits = text.counting_loop("x", "x", "x", LoopOptions::default());
    let session = text.session();
    let options = RunOptions { timeout: Some(Duration::from_mins(1)), ..RunOptions::default() };
    for step in 1..4 {
        let (values, metadata) = session.run_with(&options, &[("x", Tensor::scalar(5i32))], &[&exits[1]], &[]).unwrap();
        assert_eq!(values[0].to_scalar::<i32>().unwrap(), 30);
        assert_eq!((metadata.step_id, metadata.nodes.len()), (step, 0));
    }
}

#[test]
fn a_handle_cancels_from_another_thread() {
    for (what, session, fetch) in endless() {
        let handle = Cancellation::default();
        let options = RunOptions { cancellation: Some(handle.clone()), ..RunOptions::default() };
        std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                handle.cancel(Error::new(Code::Cancelled, ErrorKind::Cancelled, "enough of it"));
            });
            let error = run(&session, &fetch, &options);
            assert_eq!((error.code(), error.message()), (Code::Cancelled, "enough of it"), "{what}");
        });
        // A handle that is cancelled stops what begins later too.
        assert_eq!(run(&session, &fetch, &options).message(), "enough of it");
    }
}

#[test]
fn a_closed_session_runs_nothing() {
    for (what, session, fetch) in endless() {
        let call = session.prepare(&["x"], &[&fetch], &[]).unwrap();
        std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                session.close();
            });
            let error = run(&session, &fetch, &RunOptions::default());
            assert_eq!(error.code(), Code::Cancelled, "{what}: {error}");
            assert!(error.to_string().contains("the session is closed"), "{error}");
        });
        assert!(run(&session, &fetch, &RunOptions::default()).to_string().contains("the session is closed"));
        assert!(call.run(&[Tensor::scalar(1.0f32)]).unwrap_err().to_string().contains("the session is closed"));
    }
}

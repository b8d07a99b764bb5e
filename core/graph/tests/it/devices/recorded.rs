//! Work of a device that is recorded: results stay those of nodes that run one by one.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use oplink_api::Tensor;
use oplink_core::Device;
use oplink_graph::{RunOptions, Session, SessionOptions, TraceLevel};

use super::fake::FakeDevice;
use super::{constant, node, options};
use crate::fixture::{TestDevice, import};

/// `-(x + x) + 1`, then sums with itself: nodes enough to be recorded.
fn chain(length: usize) -> String {
    let mut text = node("x", "Placeholder", "", &[], "") + &constant("one", 1.0, &[]);
    text += &node("n0", "AddV2", "", &["x", "x"], "");
    text += &node("n1", "Neg", "", &["n0"], "");
    text += &node("n2", "AddV2", "", &["n1", "one"], "");
    for at in 3..length {
        text += &node(&format!("n{at}"), "AddV2", "", &[&format!("n{}", at - 1), "one"], "");
    }
    text
}

fn expected(x: &[f32], length: usize) -> Vec<f32> {
    x.iter().map(|x| -2.0 * x + (length - 2) as f32).collect()
}

fn session(text: &str, options: SessionOptions) -> (Arc<FakeDevice>, Session) {
    let fake = FakeDevice::new(0);
    fake.counters.records.store(true, SeqCst);
    let devices: Vec<Arc<dyn Device>> = vec![fake.clone(), TestDevice::new()];
    (fake, Session::on_devices(import(text).unwrap(), devices, options).unwrap())
}

fn floats(fetched: &[Tensor]) -> Vec<f32> {
    fetched[0].as_slice::<f32>().unwrap().to_vec()
}

/// Recordings, and their launches.
fn recorded(fake: &FakeDevice) -> [usize; 2] {
    [&fake.counters.recordings, &fake.counters.launches].map(|counter| counter.load(SeqCst))
}

#[test]
fn the_fourth_run_is_recorded_and_launched_from_then_on() {
    let (fake, session) = session(&chain(10), options(false));
    let call = session.prepare(&["x"], &["n9"], &[]).unwrap();
    for run in 0..10 {
        let x = [run as f32, 0.5, -3.0];
        assert_eq!(floats(&call.run(&[Tensor::from_slice(&x)]).unwrap()), expected(&x, 10), "run {run}");
        assert_eq!(recorded(&fake), if run < 3 { [0, 0] } else { [1, run - 2] });
    }
    assert_eq!(call.node_names().count(), 12, "ten nodes and two copies");
    drop((call, session));
    assert!(fake.counters.holds_nothing(), "all memory is given back");
}

#[test]
fn other_shapes_are_run_node_by_node_until_they_are_usual() {
    let (fake, session) = session(&chain(10), options(false));
    let run = |count: usize| {
        let x: Vec<f32> = (0..count).map(|i| i as f32).collect();
        let fetched = session.run(&[("x", Tensor::from_slice(&x))], &["n9"], &[]).unwrap();
        assert_eq!(floats(&fetched), expected(&x, 10));
    };
    (0..5).for_each(|_| run(3));
    assert_eq!(recorded(&fake), [1, 2]);
    run(4);
    run(3);
    assert_eq!(recorded(&fake), [1, 3]);
    (0..24).for_each(|_| run(5));
    assert_eq!(recorded(&fake)[0], 2);
    run(3);
}

#[test]
fn a_value_in_host_memory_is_the_one_that_was_recorded_or_nothing_is_launched() {
    let text = chain(9)
        + &node("dims", "Placeholder", "/device:CPU:0", &[], "").replace("DT_FLOAT", "DT_INT32")
        + &node("n9", "Reshape", "", &["n8", "dims"], "");
    let (fake, session) = session(&text, options(false));
    let x = [1.0, 2.0, 3.0, 4.0];
    for (run, dims) in [[2, 2], [2, 2], [2, 2], [2, 2], [1, 4], [2, 2], [4, 1]].iter().enumerate() {
        let feeds = [("x", Tensor::from_slice(&x)), ("dims", Tensor::from_slice(dims))];
        let fetched = session.run(&feeds, &["n9"], &[]).unwrap();
        assert_eq!(fetched[0].shape().iter().map(|&dim| dim as i32).collect::<Vec<_>>(), dims, "run {run}");
        assert_eq!(floats(&fetched), expected(&x, 9));
    }
    assert_eq!(recorded(&fake), [1, 2]);
}

#[test]
fn shapes_and_forwarded_constants_are_parts_of_the_work() {
    let text = chain(9)
        + &node("same", "Identity", "", &["one"], "")
        + &node("n9", "Mul", "", &["n8", "same"], "")
        + &node("dims", "Shape", "", &["n3"], "")
        + &node("n10", "Reshape", "", &["n9", "dims"], "")
        + &node("nothing", "NoOp", "", &[], "")
        + &node("n11", "AddV2", "", &["n10", "same", "^nothing"], "");
    let (fake, session) = session(&text, options(false));
    for run in 0..6 {
        let x = [run as f32, 1.0];
        let fetched = session.run(&[("x", Tensor::from_slice(&x))], &["n11"], &[]).unwrap();
        assert_eq!(floats(&fetched), expected(&x, 10), "run {run}");
    }
    assert_eq!(recorded(&fake), [1, 3]);
}

#[test]
fn work_that_waits_for_the_host_in_between_is_not_recorded() {
    let text = chain(10) + &node("host", "Relu", "/device:CPU:0", &["n9"], "") + &node("y", "Neg", "", &["host"], "");
    let (fake, session) = session(&text, options(false));
    for _ in 0..6 {
        let fetched = session.run(&[("x", Tensor::from_slice(&[1.0_f32]))], &["y"], &[]).unwrap();
        assert_eq!(floats(&fetched), [-6.0]);
    }
    assert_eq!(recorded(&fake), [0, 0]);
}

#[test]
fn values_that_are_fetched_from_every_part_come_back() {
    let text = chain(10) + &node("host", "Relu", "/device:CPU:0", &["x"], "");
    let (fake, session) = session(&text, options(false));
    for run in 0..6 {
        let x = [run as f32, -1.0];
        let fetched = session.run(&[("x", Tensor::from_slice(&x))], &["n9", "x", "host", "n4", "one", "n9"], &[]);
        let fetched: Vec<Vec<f32>> = fetched.unwrap().iter().map(|value| floats(std::slice::from_ref(value))).collect();
        let host = vec![run as f32, 0.0];
        let last = expected(&x, 10);
        assert_eq!(fetched, [last.clone(), x.to_vec(), host, expected(&x, 5), vec![1.0], last]);
    }
    assert_eq!(recorded(&fake)[0], 1);
}

#[test]
fn runs_at_once_and_traced_runs_have_results_of_their_own() {
    let (fake, session) = session(&chain(10), options(false));
    let call = session.prepare(&["x"], &["n9"], &[]).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let call = &call;
            scope.spawn(move || {
                for run in 0..25 {
                    let x = [thread as f32, run as f32];
                    assert_eq!(floats(&call.run(&[Tensor::from_slice(&x)]).unwrap()), expected(&x, 10));
                }
            });
        }
    });
    assert_eq!(recorded(&fake)[0], 1);
    let traced = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    let mut fetched = Vec::new();
    let metadata = call.run_with(&traced, [Tensor::from_slice(&[2.0_f32])], &mut fetched).unwrap();
    assert_eq!((floats(&fetched), metadata.nodes.len()), (expected(&[2.0], 10), 12));
}

#[test]
fn nothing_is_recorded_where_the_options_say_so_or_the_device_does_not() {
    let (fake, session) = session(&chain(10), SessionOptions { record_device_work: false, ..options(false) });
    let (other, on_other) = super::with_fake(&chain(10));
    for session in [&session, &on_other] {
        for _ in 0..6 {
            session.run(&[("x", Tensor::from_slice(&[1.0_f32]))], &["n9"], &[]).unwrap();
        }
    }
    assert_eq!((recorded(&fake), recorded(&other)), ([0, 0], [0, 0]));
}

#[test]
fn few_nodes_are_launched_one_by_one() {
    let (fake, session) = session(&chain(6), options(false));
    for _ in 0..6 {
        session.run(&[("x", Tensor::from_slice(&[1.0_f32]))], &["n5"], &[]).unwrap();
    }
    assert_eq!(recorded(&fake), [0, 0]);
}

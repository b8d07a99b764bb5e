//! A stream that hangs: a run with a time of its own ends with an error that says what it waits for, and the session
//! goes on when the stream does.

use std::time::{Duration, Instant};

use oplink::graph::eager::EagerContext;
use oplink::graph::{Graph, RunOptions, Session, SessionOptions};
use oplink::runtime::{Registry, host_device};
use oplink::{Code, Tensor};
use oplink_device_tests::{devices_of_type, sim};

const GRAPH: &str = r#"
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "y" op: "Tanh" input: "x" device: "/device:SIM:0" attr { key: "T" value { type: DT_FLOAT } } }
"#;

#[test]
fn a_run_ends_at_its_deadline_and_the_session_goes_on_when_the_stream_does() {
    let _alone = sim::alone();
    let mut devices = devices_of_type(sim::SIM).unwrap();
    devices.push(host_device().unwrap());
    let graph = Graph::from_text(GRAPH, Registry::global().unwrap()).unwrap();
    let session = Session::on_devices(graph, devices, SessionOptions::default()).unwrap();
    let feeds = [("x", Tensor::from_slice(&[0.5_f32]))];
    sim::set_fault("StreamHangs", 0, 0);
    for _ in 0..2 {
        let options = RunOptions { timeout: Some(Duration::from_millis(50)), ..RunOptions::default() };
        let start = Instant::now();
        let error = session.run_with(&options, &feeds, &["y"], &[]).unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
        for part in ["y", "SIM:0", "deadline"] {
            assert!(error.to_string().contains(part), "{part} is not in: {error}");
        }
    }
    sim::clear_faults();
    for _ in 0..3 {
        let fetched = session.run(&feeds, &["y"], &[]).unwrap();
        assert_eq!(fetched[0].as_slice::<f32>().unwrap(), [0.5_f32.tanh()]);
    }
}

#[test]
fn an_eager_value_is_waited_for_as_long_as_the_caller_says() {
    let _alone = sim::alone();
    let device = devices_of_type(sim::SIM).unwrap()[0].clone();
    let context = EagerContext::new(Registry::global().unwrap().clone(), device.clone());
    let x = Tensor::from_slice(&[0.5_f32, -2.0]);
    sim::set_fault("StreamHangs", 0, 0);
    let y = context.call_on(&device, "Relu", &[&x], &[]).unwrap().one(0).unwrap();
    let error = context.to_host_within(&y, Duration::from_millis(50)).unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
    assert!(error.to_string().contains("SIM:0") && error.to_string().contains("float"), "{error}");
    sim::clear_faults();
    assert_eq!(context.to_host(&y).unwrap().as_slice::<f32>().unwrap(), [0.5, 0.0]);
}

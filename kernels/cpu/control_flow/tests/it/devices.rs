//! A session on two devices: calls on one of them, values sent from one to the other, collectives of both.

use std::sync::Arc;

use oplink_core::Device;
use oplink_device_cpu::CpuDevice;
use oplink_graph::{Session, SessionOptions};

use super::*;

fn run(graph: Graph, fetches: &[Output], targets: &[Output]) -> Result<Vec<Tensor>> {
    let name = |output: &Output| graph.output_name(*output);
    let fetches: Vec<String> = fetches.iter().map(name).collect();
    let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
    let targets: Vec<String> = targets.iter().map(name).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let devices = [0, 1].map(|index| Arc::new(CpuDevice::new(index).unwrap()) as Arc<dyn Device>);
    Session::on_devices(graph, devices.to_vec(), SessionOptions::default())?.run(&[], &fetches, &targets)
}

fn constant(graph: &mut Graph, value: impl Into<Tensor>) -> Output {
    graph.scope().constant(value.into()).unwrap()
}

/// Where the body of a function runs that is called with this target.
fn called_on(target: &str) -> Result<String> {
    let mut graph = graph();
    add_function(&mut graph, "f", |graph, x| add(graph, None, "GetSessionHandle", vec![Arg::One(x)], Vec::new())[0]);
    let x = constant(&mut graph, Tensor::scalar(1f32));
    let target = constant(&mut graph, Tensor::scalar(TString::from(target)));
    let attrs = vec![("Tout", AttrValue::Types(vec![DType::String])), ("f", named("f").into())];
    let handle = add(&mut graph, Some("/cpu:0"), "RemoteCall", vec![Arg::One(target), Arg::List(vec![x])], attrs)[0];
    let handle = run(graph, &[handle], &[])?[0].to_scalar::<TString>()?;
    let handle = String::from_utf8_lossy(handle.as_bytes()).into_owned();
    Ok(handle.rsplit(';').next().unwrap_or_default().to_owned())
}

#[test]
fn a_function_is_called_on_the_device_that_an_input_names() {
    for (target, wanted) in [("/cpu:1", "CPU:1"), ("/device:CPU:0", "CPU:0"), ("", "CPU:0"), ("CPU", "CPU:0")] {
        let device = called_on(target).unwrap();
        assert!(device.ends_with(wanted), "{target}: {device}");
    }
    for target in ["/cpu:2", "/gpu:0", "no device", "/job:other/device:CPU:0"] {
        let error = called_on(target).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument, "{target}: {error}");
    }
}

#[test]
fn a_value_is_sent_to_the_other_device() {
    let mut graph = graph();
    let device = |number: usize| format!("/job:localhost/replica:0/task:0/device:CPU:{number}");
    let attrs = || {
        vec![
            ("tensor_name", "a".into()),
            ("send_device", device(0).as_str().into()),
            ("send_device_incarnation", 1i64.into()),
            ("recv_device", device(1).as_str().into()),
        ]
    };
    let x = constant(&mut graph, [1f32, 2.0]);
    let before = graph.nodes().len() as u32;
    add(&mut graph, Some("/cpu:0"), "Send", vec![Arg::One(x)], attrs());
    let sent = Output { node: before, index: 0 };
    let received = [attrs(), vec![("tensor_type", DType::Float.into())]].concat();
    let y = add(&mut graph, Some("/cpu:1"), "Recv", vec![], received)[0];
    let sent_name = graph.nodes()[sent.node as usize].name().to_owned();
    let y_name = graph.output_name(y);
    let devices = [0, 1].map(|index| Arc::new(CpuDevice::new(index).unwrap()) as Arc<dyn Device>);
    let session = Session::on_devices(graph, devices.to_vec(), SessionOptions::default()).unwrap();
    for _ in 0..2 {
        let values = session.run(&[], &[&y_name], &[&sent_name]).unwrap();
        assert_eq!(values[0].as_slice::<f32>().unwrap(), [1.0, 2.0]);
    }
}

#[test]
fn nodes_of_both_devices_meet() {
    let mut graph = graph();
    let mut sums = Vec::new();
    for device in ["/cpu:0", "/cpu:1"] {
        let x = constant(&mut graph, [1f32, sums.len() as f32]);
        let keys = [2i32, 1, 1].map(|key| Arg::One(constant(&mut graph, Tensor::scalar(key))));
        let inputs = std::iter::once(Arg::One(x)).chain(keys).chain([Arg::List(Vec::new())]).collect();
        let attrs = vec![("merge_op", "Add".into()), ("final_op", "Id".into())];
        sums.push(add(&mut graph, Some(device), "CollectiveReduceV2", inputs, attrs)[0]);
    }
    for sum in run(graph, &sums, &[]).unwrap() {
        assert_eq!(sum.as_slice::<f32>().unwrap(), [2.0, 1.0]);
    }
}

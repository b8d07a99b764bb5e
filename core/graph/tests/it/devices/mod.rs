//! Sessions on several devices: where nodes run, what is copied, and what goes wrong.

mod copies;
mod eager;
mod failures;
mod fake;
mod functions;
mod kernels;
mod loops;
mod placement;
mod recorded;

use std::sync::Arc;

use oplink_api::{Result, Tensor};
use oplink_core::Device;
use oplink_graph::{Graph, PassOptions, RunOptions, Session, SessionOptions, TraceLevel};

use crate::fixture::{TestDevice, import};
use fake::FakeDevice;
pub(crate) use kernels::KERNELS;

/// No passes: what is tested is where nodes run, as they are written.
fn options(soft: bool) -> SessionOptions {
    SessionOptions { passes: PassOptions::none(), allow_soft_placement: soft, ..SessionOptions::default() }
}

/// A node of floats, with further attrs as text.
fn node(name: &str, op: &str, device: &str, inputs: &[&str], attrs: &str) -> String {
    let inputs: String = inputs.iter().map(|input| format!(" input: {input:?}")).collect();
    let typed = match op {
        "Placeholder" | "VarHandleOp" | "AssignVariableOp" | "ReadVariableOp" | "AssignAddVariableOp" => {
            attr_type("dtype")
        }
        "NoOp" | "Const" | "LoopCond" | "While" | "StatefulPartitionedCall" => String::new(),
        _ => attr_type("T"),
    };
    format!("node {{ name: {name:?} op: {op:?}{inputs} device: {device:?} {typed} {attrs} }}\n")
}

fn attr_type(name: &str) -> String {
    format!("attr {{ key: {name:?} value {{ type: DT_FLOAT }} }}")
}

fn constant(name: &str, value: f32, control: &[&str]) -> String {
    let attrs = format!(
        "{} attr {{ key: \"value\" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ }} float_val: {value} }} }} }}",
        attr_type("dtype")
    );
    node(name, "Const", "", control, &attrs)
}

/// Two CPUs.
fn cpus(text: &str, soft: bool) -> Session {
    let devices: Vec<Arc<dyn Device>> = vec![TestDevice::new(), TestDevice::numbered(1)];
    Session::on_devices(import(text).unwrap(), devices, options(soft)).unwrap()
}

/// The fake device, which comes first, and a CPU.
fn with_fake(text: &str) -> (Arc<FakeDevice>, Session) {
    let fake = FakeDevice::new(0);
    let devices: Vec<Arc<dyn Device>> = vec![fake.clone(), TestDevice::new()];
    (fake, Session::on_devices(import(text).unwrap(), devices, options(false)).unwrap())
}

/// A session on the fake device, which comes first, and a CPU.
pub(crate) fn session_of(graph: Graph, options: SessionOptions) -> Session {
    let devices: Vec<Arc<dyn Device>> = vec![FakeDevice::new(0), TestDevice::new()];
    Session::on_devices(graph, devices, options).unwrap()
}

/// The nodes that ran with the short names of their devices, sorted, or the error.
fn where_run(session: &Session, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) -> String {
    let traced = RunOptions { trace: TraceLevel::Nodes, ..RunOptions::default() };
    match session.run_with(&traced, feeds, fetches, targets) {
        Err(error) => format!("{:?}: {error}", error.code()),
        Ok((_, metadata)) => {
            let short =
                |device: &str| device.rsplit_once("device:").map_or(String::new(), |(_, short)| short.to_owned());
            let mut ran: Vec<String> =
                metadata.nodes.iter().map(|node| format!("{} {}", node.name, short(&node.device))).collect();
            ran.sort();
            ran.join(", ")
        }
    }
}

fn floats(values: Result<Vec<Tensor>>) -> Vec<Vec<f32>> {
    values.unwrap().iter().map(|value| value.as_slice::<f32>().unwrap().to_vec()).collect()
}

fn x() -> (&'static str, Tensor) {
    ("x", Tensor::from_slice(&[1.0f32, 2.0]))
}

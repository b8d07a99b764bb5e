//! Contexts that are the only task of a cluster, and clusters that are refused.

use std::ffi::{CStr, c_int};
use std::ptr;

use oplink_abi::*;
use oplink_capi::description::TF_SetDevice;
use oplink_capi::eager::cluster::*;
use oplink_capi::eager::execute::TFE_Execute;
use oplink_capi::eager::functions::TFE_ContextAddFunction;
use oplink_capi::eager::handle::*;
use oplink_capi::eager::inputs::TFE_OpAddInput;
use oplink_capi::eager::op::*;
use oplink_capi::functions::TF_DeleteFunction;
use oplink_capi::functions::from_graph::TF_GraphToFunction;

use crate::client::*;
use crate::eager::{Context, floats, handle};

const HOST: &CStr = c"/job:worker/replica:0/task:3/device:CPU:0";

/// A serialized field of bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
}

/// The ServerDef of a task in a cluster of a job with these tasks.
fn server(tasks: &[u8], task: u8) -> Vec<u8> {
    let entry = |&task: &u8| field(2, &[&[8, task][..], &field(2, b"localhost:1")].concat());
    let job = [field(1, b"worker"), tasks.iter().flat_map(entry).collect()].concat();
    [field(1, &field(1, &job)), field(2, b"worker"), vec![0x18, task]].concat()
}

fn join(context: &Context, server: &[u8]) -> Status {
    let status = Status::new();
    unsafe { TFE_ContextSetServerDef(context.0, 60, server.as_ptr().cast(), server.len(), status.0) };
    status
}

#[test]
fn clusters_of_several_tasks_are_refused() {
    let context = Context::new();
    join(&context, &server(&[0, 1], 0)).is(code::UNIMPLEMENTED);
    join(&context, &server(&[0], 1)).is(code::INVALID_ARGUMENT);
    join(&context, &server(&[], 0)).is(code::NOT_FOUND);
    join(&context, b"\xff").is(code::INVALID_ARGUMENT);
    let status = Status::new();
    assert!(unsafe { TFE_ContextCheckAlive(context.0, c"/job:localhost/replica:0/task:0".as_ptr(), status.0) });
    assert!(!unsafe { TFE_ContextCheckAlive(context.0, c"/job:worker/replica:0/task:3".as_ptr(), status.0) });
    status.is(code::INVALID_ARGUMENT);
}

/// A function whose node asks for a device by its full name.
fn add_function(context: &Context) {
    let (graph, status) = (Graph::new(), Status::new());
    let x = graph.placeholder("x", FLOAT, None);
    let node = graph.begin("Neg", "y");
    unsafe {
        oplink_capi::description::TF_AddInput(node, x);
        TF_SetDevice(node, HOST.as_ptr());
        let y = TF_Output { oper: oplink_capi::description::TF_FinishOperation(node, status.0), index: 0 };
        let (none, no_options) = (ptr::null(), ptr::null());
        let (name, no_names, no_text) = (c"negated".as_ptr(), ptr::null(), ptr::null());
        let made = TF_GraphToFunction(
            graph.0,
            name,
            0,
            -1,
            none,
            1,
            &raw const x,
            1,
            &raw const y,
            no_names,
            no_options,
            no_text,
            status.0,
        );
        status.ok();
        TFE_ContextAddFunction(context.0, made, status.0);
        TF_DeleteFunction(made);
    }
    status.ok();
}

#[test]
fn the_only_task_of_a_cluster_names_its_devices_so() {
    let context = Context::new();
    join(&context, &server(&[3], 3)).ok();
    add_function(&context);
    for op in ["Neg", "negated"] {
        let (op, input, status) = (context.op(op), handle(&[2.0]), Status::new());
        let (mut result, mut count) = (ptr::null_mut(), 1 as c_int);
        unsafe {
            TFE_OpSetDevice(op, HOST.as_ptr(), status.0);
            TFE_OpAddInput(op, input, status.0);
            TFE_Execute(op, &raw mut result, &raw mut count, status.0);
            status.ok();
            assert_eq!(CStr::from_ptr(TFE_TensorHandleDeviceName(result, status.0)), HOST);
            TFE_DeleteTensorHandle(input);
            TFE_DeleteOp(op);
        }
        assert_eq!(floats(result), [-2.0]);
    }
}

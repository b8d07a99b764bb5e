//! Eager calls.

use std::ffi::{CStr, c_int};
use std::ptr;

use oplink_abi::*;
use oplink_capi::eager::context::*;
use oplink_capi::eager::context_options::*;
use oplink_capi::eager::execute::TFE_Execute;
use oplink_capi::eager::handle::*;
use oplink_capi::eager::inputs::*;
use oplink_capi::eager::op::*;
use oplink_capi::host::tensor::TF_DeleteTensor;
use oplink_capi::set_attrs::scalars::*;

use crate::client::*;

/// A context that is freed.
pub(crate) struct Context(pub(crate) *mut TFE_Context);

impl Context {
    pub(crate) fn new() -> Self {
        Self::with(false)
    }

    /// One that queues calls, or not.
    pub(crate) fn with(is_async: bool) -> Self {
        let (status, options) = (Status::new(), TFE_NewContextOptions());
        unsafe { TFE_ContextOptionsSetAsync(options, u8::from(is_async)) };
        let context = unsafe { TFE_NewContext(options, status.0) };
        unsafe { TFE_DeleteContextOptions(options) };
        status.ok();
        Self(context)
    }

    pub(crate) fn op(&self, name: &str) -> *mut TFE_Op {
        let status = Status::new();
        let op = unsafe { TFE_NewOp(self.0, c(name).as_ptr(), status.0) };
        status.ok();
        op
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        unsafe { TFE_DeleteContext(self.0) }
    }
}

pub(crate) fn handle(values: &[f32]) -> *mut TFE_TensorHandle {
    let status = Status::new();
    let tensor = tensor(&[values.len() as i64], values);
    let handle = unsafe { TFE_NewTensorHandle(tensor, status.0) };
    unsafe { TF_DeleteTensor(tensor) };
    status.ok();
    handle
}

pub(crate) fn floats(handle: *mut TFE_TensorHandle) -> Vec<f32> {
    let status = Status::new();
    let values = take(unsafe { TFE_TensorHandleResolve(handle, status.0) });
    unsafe { TFE_DeleteTensorHandle(handle) };
    values
}

fn execute(op: *mut TFE_Op, room: usize) -> Result<Vec<Vec<f32>>, TF_Code> {
    let status = Status::new();
    let (mut results, mut count) = (vec![ptr::null_mut(); room], room as c_int);
    unsafe { TFE_Execute(op, results.as_mut_ptr(), &raw mut count, status.0) };
    match status.code() {
        code::OK => Ok(results.into_iter().take(count as usize).map(floats).collect()),
        code => Err(code),
    }
}

/// A call gives its inputs away and keeps its attrs.
#[test]
fn a_call_is_made_again_with_new_inputs() {
    let context = Context::new();
    let (op, status) = (context.op("Cast"), Status::new());
    unsafe { TFE_OpSetAttrType(op, c"DstT".as_ptr(), FLOAT) };
    for value in [1.0, 2.0] {
        let input = handle(&[value]);
        unsafe {
            TFE_OpAddInput(op, input, status.0);
            TFE_DeleteTensorHandle(input);
        }
        assert_eq!(execute(op, 1), Ok(vec![vec![value]]));
    }
    assert_eq!(execute(op, 1), Err(code::INVALID_ARGUMENT));
    unsafe { TFE_DeleteOp(op) };
}

#[test]
fn lists_say_how_many_they_are() {
    let context = Context::new();
    let (op, status) = (context.op("Pack"), Status::new());
    let mut inputs = [handle(&[1.0]), handle(&[2.0])];
    unsafe {
        TFE_OpAddInputList(op, inputs.as_mut_ptr(), 2, status.0);
        assert_eq!(TFE_OpGetInputLength(op, c"values".as_ptr(), status.0), 2);
        assert_eq!(TFE_OpGetOutputLength(op, c"output".as_ptr(), status.0), 1);
    }
    status.ok();
    assert_eq!(execute(op, 1), Ok(vec![vec![1.0, 2.0]]));
    unsafe {
        inputs.iter().for_each(|&input| TFE_DeleteTensorHandle(input));
        TFE_DeleteOp(op);
    }
}

#[test]
fn errors_are_told() {
    let context = Context::new();
    let status = Status::new();
    assert!(unsafe { TFE_NewOp(context.0, c"NoSuchOp".as_ptr(), status.0) }.is_null());
    status.is(code::NOT_FOUND);
    let op = context.op("AddV2");
    assert_eq!(execute(op, 1), Err(code::INVALID_ARGUMENT), "no inputs");
    let input = handle(&[1.0]);
    for _ in 0..2 {
        unsafe { TFE_OpAddInput(op, input, status.0) };
    }
    assert_eq!(execute(op, 0), Err(code::INVALID_ARGUMENT), "no room");
    unsafe { TFE_OpSetAttrType(op, c"T".as_ptr(), 9999) };
    assert_eq!(execute(op, 1), Err(code::INVALID_ARGUMENT), "a dtype that is none");
    let op_on = |device: &std::ffi::CStr| {
        let op = context.op("Neg");
        unsafe { TFE_OpAddInput(op, input, status.0) };
        unsafe { TFE_OpSetDevice(op, device.as_ptr(), status.0) };
        op
    };
    let elsewhere = op_on(c"/device:GPU:3");
    status.ok();
    assert_eq!(execute(elsewhere, 1), Err(code::INVALID_ARGUMENT), "a device that is not there");
    let nowhere = op_on(c"/device:");
    status.is(code::INVALID_ARGUMENT);
    unsafe {
        TFE_DeleteTensorHandle(input);
        [op, elsewhere, nowhere].into_iter().for_each(|op| TFE_DeleteOp(op));
    }
}

#[test]
fn handles_outlive_their_context() {
    let context = Context::new();
    let (op, status, input) = (context.op("Neg"), Status::new(), handle(&[1.0]));
    let (mut result, mut count) = (ptr::null_mut(), 1);
    unsafe {
        TFE_OpAddInput(op, input, status.0);
        TFE_Execute(op, &raw mut result, &raw mut count, status.0);
        TFE_DeleteOp(op);
        TFE_DeleteTensorHandle(input);
    }
    drop(context);
    let name = unsafe { CStr::from_ptr(TFE_TensorHandleDeviceName(result, status.0)) };
    assert!(name.to_string_lossy().ends_with("CPU:0"));
    assert_eq!(floats(result), [-1.0]);
}

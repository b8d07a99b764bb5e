//! Queued eager calls, their executors, and handles that several owners share.

use std::ffi::c_int;
use std::ptr;

use oplink_abi::*;
use oplink_capi::eager::execute::TFE_Execute;
use oplink_capi::eager::executors::*;
use oplink_capi::eager::functions::TFE_ContextAddFunction;
use oplink_capi::eager::handle::*;
use oplink_capi::eager::inputs::*;
use oplink_capi::eager::op::*;
use oplink_capi::eager::packed::TFE_CreatePackedTensorHandle;
use oplink_capi::eager::run_metadata::*;
use oplink_capi::functions::TF_DeleteFunction;
use oplink_capi::functions::from_graph::TF_GraphToFunction;

use crate::client::*;
use crate::eager::{Context, floats, handle};

/// Runs or queues an op on handles, which stay the caller's.
fn call(context: &Context, op: &str, inputs: &[*mut TFE_TensorHandle]) -> Result<*mut TFE_TensorHandle, TF_Code> {
    let (op, status) = (context.op(op), Status::new());
    let (mut result, mut count) = (ptr::null_mut(), 1);
    unsafe {
        inputs.iter().for_each(|&input| TFE_OpAddInput(op, input, status.0));
        TFE_Execute(op, &raw mut result, &raw mut count, status.0);
        TFE_DeleteOp(op);
    }
    match status.code() {
        code::OK => Ok(result),
        code => Err(code),
    }
}

/// One more than a handle's tensor; the handle is deleted.
fn plus(context: &Context, of: *mut TFE_TensorHandle, more: &[f32]) -> Result<*mut TFE_TensorHandle, TF_Code> {
    let more = handle(more);
    let sum = call(context, "AddV2", &[of, more]);
    unsafe {
        TFE_DeleteTensorHandle(of);
        TFE_DeleteTensorHandle(more);
    }
    sum
}

fn rank(handle: *mut TFE_TensorHandle) -> Result<c_int, TF_Code> {
    let status = Status::new();
    let rank = unsafe { TFE_TensorHandleNumDims(handle, status.0) };
    if status.code() == code::OK { Ok(rank) } else { Err(status.code()) }
}

#[test]
fn queued_calls_are_done_when_their_context_is_gone() {
    let context = Context::with(true);
    let last = (0..300).fold(handle(&[0.0]), |sum, _| plus(&context, sum, &[1.0]).unwrap());
    drop(context);
    assert_eq!(floats(last), [300.0]);
}

#[test]
fn each_thread_has_the_executor_that_it_chose() {
    let context = Context::new();
    let shared = context.0 as usize;
    let threads: Vec<_> = (0..8)
        .map(|index| {
            std::thread::spawn(move || {
                let context = std::mem::ManuallyDrop::new(Context(shared as *mut TFE_Context));
                let executor = TFE_NewExecutor(index % 2 == 0, true, index % 3);
                unsafe { TFE_ContextSetExecutorForThread(context.0, executor) };
                let sum = (0..50).fold(handle(&[index as f32]), |sum, _| plus(&context, sum, &[2.0]).unwrap());
                let failing = plus(&context, handle(&[1.0, 2.0]), &[1.0, 2.0, 3.0]);
                let told = failing.and_then(rank);
                unsafe { TFE_DeleteExecutor(executor) };
                assert_eq!(told, Err(code::INVALID_ARGUMENT));
                assert_eq!(floats(sum), [index as f32 + 100.0]);
                assert_eq!(floats(plus(&context, handle(&[1.0]), &[1.0]).unwrap()), [2.0], "on the context's own");
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn an_executor_refuses_calls_until_its_error_is_cleared() {
    let (context, status) = (Context::with(true), Status::new());
    let failing = plus(&context, handle(&[1.0, 2.0]), &[1.0, 2.0, 3.0]).unwrap();
    let executor = unsafe { TFE_ContextGetExecutorForThread(context.0) };
    unsafe { TFE_ExecutorWaitForAllPendingNodes(executor, status.0) };
    status.is(code::INVALID_ARGUMENT);
    assert!(status.message().contains("takes calls again when its error is cleared"), "{}", status.message());
    assert_eq!(plus(&context, handle(&[1.0]), &[1.0]).err(), Some(code::INVALID_ARGUMENT));
    unsafe { TFE_ExecutorClearError(executor) };
    assert_eq!(floats(plus(&context, handle(&[1.0]), &[1.0]).unwrap()), [2.0]);
    assert_eq!(rank(failing), Err(code::INVALID_ARGUMENT));
    unsafe {
        TFE_DeleteTensorHandle(failing);
        TFE_DeleteExecutor(executor);
    }
}

#[test]
fn calls_of_an_executor_that_is_gone_are_refused() {
    let (context, status) = (Context::new(), Status::new());
    let executor = TFE_NewExecutor(true, true, 0);
    unsafe { TFE_ContextSetExecutorForThread(context.0, executor) };
    let (op, input) = (context.op("Neg"), handle(&[1.0]));
    unsafe {
        TFE_DeleteExecutor(executor);
        TFE_OpAddInput(op, input, status.0);
        let (mut result, mut count) = (ptr::null_mut(), 1);
        TFE_Execute(op, &raw mut result, &raw mut count, status.0);
        status.is(code::FAILED_PRECONDITION);
        TFE_DeleteOp(op);
        TFE_DeleteTensorHandle(input);
    }
    assert_eq!(floats(plus(&context, handle(&[1.0]), &[1.0]).unwrap()), [2.0]);
}

#[test]
fn inputs_of_a_call_are_the_clients_handles() {
    let (context, status) = (Context::new(), Status::new());
    let (op, input) = (context.op("Neg"), handle(&[1.0]));
    unsafe {
        TFE_OpAddInput(op, input, status.0);
        assert_eq!(TFE_OpGetFlatInput(op, 0, status.0), input);
        TFE_DeleteTensorHandle(input);
        assert_eq!(rank(TFE_OpGetFlatInput(op, 0, status.0)), Ok(1), "the call keeps it");
        TFE_DeleteOp(op);
    }
    status.ok();
}

#[test]
fn a_call_takes_of_a_packed_handle_the_one_on_its_device() {
    let (context, status) = (Context::new(), Status::new());
    let (mut handles, count) = ([handle(&[1.0, 2.0]), handle(&[3.0, 4.0])], 2);
    let packed = unsafe {
        TFE_CreatePackedTensorHandle(context.0, handles.as_mut_ptr(), (&raw const count).cast_mut(), status.0)
    };
    status.ok();
    handles.iter().for_each(|&handle| unsafe { TFE_DeleteTensorHandle(handle) });
    assert_eq!(rank(packed), Ok(1));
    assert_eq!(floats(call(&context, "Neg", &[packed]).unwrap()), [-1.0, -2.0]);
    assert!(unsafe { TFE_TensorHandleResolve(packed, status.0) }.is_null());
    status.is(code::INVALID_ARGUMENT);
    unsafe { TFE_DeleteTensorHandle(packed) };
}

#[test]
fn graphs_of_functions_are_collected_once() {
    let (context, graph, status) = (Context::new(), Graph::new(), Status::new());
    let x = graph.placeholder("x", FLOAT, None);
    let y = graph.op("Neg", "negation", &[x]);
    unsafe {
        let function = TF_GraphToFunction(
            graph.0,
            c"negated".as_ptr(),
            0,
            -1,
            ptr::null(),
            1,
            &raw const x,
            1,
            &raw const y,
            ptr::null(),
            ptr::null(),
            ptr::null(),
            status.0,
        );
        TFE_ContextAddFunction(context.0, function, status.0);
        TF_DeleteFunction(function);
        TFE_ContextEnableGraphCollection(context.0);
    }
    status.ok();
    let collected = || {
        let input = handle(&[1.0]);
        assert_eq!(floats(call(&context, "negated", &[input]).unwrap()), [-1.0]);
        unsafe { TFE_DeleteTensorHandle(input) };
        let metadata = filled(|buffer, status| unsafe { TFE_ContextExportRunMetadata(context.0, buffer, status) });
        metadata.windows(8).filter(|bytes| bytes == b"negation").count()
    };
    assert!(collected() > 0);
    assert_eq!(collected(), 0);
}

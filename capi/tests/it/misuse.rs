//! Sizes and indexes that no client should pass: a status, never a crash.

use std::ptr;

use oplink_abi::*;
use oplink_capi::attrs::lists::*;
use oplink_capi::attrs::names::*;
use oplink_capi::attrs::scalars::*;
use oplink_capi::description::*;
use oplink_capi::graph::edges::*;
use oplink_capi::graph::operation::*;
use oplink_capi::graph::shapes::*;
use oplink_capi::session::devices::*;
use oplink_capi::session::run::TF_SessionRun;
use oplink_capi::set_attrs::lists::*;
use oplink_capi::set_attrs::protos::*;
use oplink_capi::set_attrs::scalars::*;

use crate::client::*;

/// Each setter with an argument that is wrong: the operation is refused.
#[test]
fn setters_with_wrong_sizes() {
    type Setter = fn(*mut TF_OperationDescription);
    let name = c"a".as_ptr();
    let _ = name;
    let setters: &[(&str, Setter)] = &[
        ("string", |d| unsafe { TF_SetAttrString(d, c"a".as_ptr(), ptr::null(), 5) }),
        ("huge string", |d| unsafe { TF_SetAttrString(d, c"a".as_ptr(), c"x".as_ptr().cast(), usize::MAX) }),
        ("strings", |d| unsafe { TF_SetAttrStringList(d, c"a".as_ptr(), ptr::null(), ptr::null(), -1) }),
        ("ints", |d| unsafe { TF_SetAttrIntList(d, c"a".as_ptr(), ptr::null(), 3) }),
        ("negative ints", |d| unsafe { TF_SetAttrIntList(d, c"a".as_ptr(), [1].as_ptr(), -3) }),
        ("floats", |d| unsafe { TF_SetAttrFloatList(d, c"a".as_ptr(), ptr::null(), 3) }),
        ("bools", |d| unsafe { TF_SetAttrBoolList(d, c"a".as_ptr(), ptr::null(), 3) }),
        ("types", |d| unsafe { TF_SetAttrTypeList(d, c"a".as_ptr(), [77].as_ptr(), 1) }),
        ("type", |d| unsafe { TF_SetAttrType(d, c"a".as_ptr(), -1) }),
        ("shape", |d| unsafe { TF_SetAttrShape(d, c"a".as_ptr(), ptr::null(), 1) }),
        ("shapes", |d| unsafe { TF_SetAttrShapeList(d, c"a".as_ptr(), ptr::null(), ptr::null(), 2) }),
        ("placeholder", |d| unsafe { TF_SetAttrPlaceholder(d, c"a".as_ptr(), ptr::null()) }),
        ("function", |d| unsafe { TF_SetAttrFuncName(d, c"a".as_ptr(), ptr::null(), 3) }),
        ("no name", |d| unsafe { TF_SetAttrInt(d, ptr::null(), 3) }),
        ("input", |d| unsafe { TF_AddInput(d, TF_Output { oper: ptr::null_mut(), index: 0 }) }),
        ("inputs", |d| unsafe { TF_AddInputList(d, ptr::null(), 4) }),
        ("negative inputs", |d| unsafe { TF_AddInputList(d, ptr::null(), -4) }),
        ("control input", |d| unsafe { TF_AddControlInput(d, ptr::null_mut()) }),
        ("colocation", |d| unsafe { TF_ColocateWith(d, ptr::null_mut()) }),
        ("device", |d| unsafe { TF_SetDevice(d, ptr::null()) }),
    ];
    for (what, set) in setters {
        let (graph, status) = (Graph::new(), Status::new());
        let description = graph.begin("NoOp", "n");
        set(description);
        assert!(unsafe { TF_FinishOperation(description, status.0) }.is_null(), "{what}");
        assert_eq!(status.code(), code::INVALID_ARGUMENT, "{what}: {}", status.message());
    }
}

#[test]
fn setters_of_messages_tell_at_once() {
    let (graph, status) = (Graph::new(), Status::new());
    let description = graph.begin("NoOp", "n");
    let (name, garbage) = (c"a".as_ptr(), [0xff_u8; 3]);
    let data = garbage.as_ptr().cast();
    unsafe {
        TF_SetAttrValueProto(description, name, data, 3, status.0);
        status.is(code::INVALID_ARGUMENT);
        TF_SetAttrTensorShapeProto(description, name, data, 3, status.0);
        status.is(code::INVALID_ARGUMENT);
        TF_SetAttrTensorShapeProtoList(description, name, &raw const data, [3].as_ptr(), -2, status.0);
        status.is(code::INVALID_ARGUMENT);
        TF_SetAttrTensor(description, name, ptr::null_mut(), status.0);
        status.is(code::INVALID_ARGUMENT);
        TF_SetAttrTensorList(description, name, ptr::null(), 2, status.0);
        status.is(code::INVALID_ARGUMENT);
        TF_FinishOperation(description, status.0);
    }
    status.ok();
}

#[test]
fn getters_with_wrong_sizes() {
    let (graph, status) = (Graph::new(), Status::new());
    let x = graph.placeholder("x", FLOAT, Some(&[2, 3]));
    let name = c"shape".as_ptr();
    let mut dims = [9_i64; 2];
    unsafe {
        TF_OperationGetAttrShape(x.oper, name, dims.as_mut_ptr(), -1, status.0);
        status.ok();
        assert_eq!(dims, [9, 9], "nothing fits into less than nothing");
        TF_OperationGetAttrShape(x.oper, name, ptr::null_mut(), 2, status.0);
        status.is(code::INVALID_ARGUMENT);
        TF_OperationGetAttrIntList(x.oper, name, dims.as_mut_ptr(), 2, status.0);
        status.is(code::INVALID_ARGUMENT);
        TF_OperationGetAttrInt(x.oper, c"dtype".as_ptr(), ptr::null_mut(), status.0);
        status.is(code::INVALID_ARGUMENT);
        TF_OperationGetAttrName(x.oper, 99, ptr::null_mut(), status.0);
        status.is(code::OUT_OF_RANGE);
        TF_OperationGetAttrName(x.oper, -1, ptr::null_mut(), status.0);
        status.is(code::OUT_OF_RANGE);
        assert_eq!(TF_OperationGetAttrNameLength(x.oper, -1), 0);
        TF_GraphGetTensorShape(graph.0, x, dims.as_mut_ptr(), 5, status.0);
        status.is(code::INVALID_ARGUMENT);
        TF_GraphGetTensorNumDims(graph.0, TF_Output { index: 7, ..x }, status.0);
        status.is(code::OUT_OF_RANGE);
        TF_GraphGetTensorNumDims(graph.0, TF_Output { index: -1, ..x }, status.0);
        status.is(code::INVALID_ARGUMENT);
        assert_eq!(TF_OperationOutputType(TF_Output { index: 3, ..x }), 0);
        assert_eq!(TF_OperationInputType(TF_Input { oper: x.oper, index: -3 }), 0);
        assert!(TF_OperationInput(TF_Input { oper: x.oper, index: 0 }).oper.is_null());
        assert_eq!(TF_OperationOutputNumConsumers(TF_Output { index: -9, ..x }), 0);
        assert_eq!(TF_OperationGetControlInputs(x.oper, ptr::null_mut(), 8), 0);
    }
}

#[test]
fn runs_with_wrong_sizes() {
    let graph = Graph::new();
    let x = graph.placeholder("x", FLOAT, None);
    let session = Session::new(&graph);
    let value = tensor(&[], &[1.0]);
    let mut slot = ptr::null_mut();
    let run = |inputs, values, ninputs, outputs, slots, noutputs, targets, ntargets| {
        let (status, none) = (Status::new(), ptr::null());
        let metadata = ptr::null_mut();
        let (s, st) = (session.0, status.0);
        unsafe {
            TF_SessionRun(s, none, inputs, values, ninputs, outputs, slots, noutputs, targets, ntargets, metadata, st);
        };
        status.code()
    };
    let (input, values): (*const TF_Output, *const *mut TF_Tensor) = (&raw const x, &raw const value);
    let (slots, none): (*mut *mut TF_Tensor, _) = (&raw mut slot, ptr::null());
    assert_eq!(run(input, values, -1, input, slots, 1, none, 0), code::INVALID_ARGUMENT);
    assert_eq!(run(ptr::null(), values, 1, input, slots, 1, none, 0), code::INVALID_ARGUMENT);
    assert_eq!(run(input, ptr::null(), 1, input, slots, 1, none, 0), code::INVALID_ARGUMENT);
    assert_eq!(run(input, &ptr::null_mut(), 1, input, slots, 1, none, 0), code::INVALID_ARGUMENT);
    assert_eq!(run(input, values, 1, ptr::null(), slots, 1, none, 0), code::INVALID_ARGUMENT);
    assert_eq!(run(input, values, 1, input, ptr::null_mut(), 1, none, 0), code::INVALID_ARGUMENT);
    assert_eq!(run(input, values, 1, input, slots, -5, none, 0), code::INVALID_ARGUMENT);
    assert_eq!(run(input, values, 1, input, slots, 1, none, 3), code::INVALID_ARGUMENT);
    assert_eq!(run(input, values, 1, ptr::null(), ptr::null_mut(), 0, &ptr::null(), 1), code::INVALID_ARGUMENT);
    unsafe { oplink_capi::host::tensor::TF_DeleteTensor(value) };
}

#[test]
fn devices_out_of_the_list() {
    let (graph, status) = (Graph::new(), Status::new());
    let session = Session::new(&graph);
    unsafe {
        let list = TF_SessionListDevices(session.0, status.0);
        assert!(TF_DeviceListCount(list) >= 1);
        for index in [-1, 99, i32::MAX, i32::MIN] {
            assert!(TF_DeviceListName(list, index, status.0).is_null());
            status.is(code::INVALID_ARGUMENT);
            TF_DeviceListMemoryBytes(list, index, status.0);
            status.is(code::INVALID_ARGUMENT);
        }
        TF_DeleteDeviceList(list);
    }
}

/// Bytes that are no truth values count as true where a client feeds them; its own memory stays as it was.
#[test]
fn truth_values_of_any_bytes() {
    use oplink_capi::host::tensor::{TF_AllocateTensor, TF_DeleteTensor, TF_TensorData};
    const BOOL: i32 = 10;
    let graph = Graph::new();
    let x = graph.placeholder("x", BOOL, Some(&[4]));
    let y = graph.op("LogicalNot", "y", &[x]);
    let (session, status) = (Session::new(&graph), Status::new());
    unsafe {
        let fed = TF_AllocateTensor(BOOL, [4].as_ptr(), 1, 4);
        let bytes = TF_TensorData(fed).cast::<[u8; 4]>();
        bytes.write([0, 1, 7, 255]);
        let (mut fetched, none) = (ptr::null_mut(), ptr::null());
        let (slot, x, fed_at, y) = (&raw mut fetched, &raw const x, &raw const fed, &raw const y);
        TF_SessionRun(session.0, none, x, fed_at, 1, y, slot, 1, ptr::null(), 0, ptr::null_mut(), status.0);
        status.ok();
        assert_eq!(TF_TensorData(fetched).cast::<[u8; 4]>().read(), [1, 0, 0, 0]);
        assert_eq!(bytes.read(), [0, 1, 7, 255]);
        TF_DeleteTensor(fetched);
        TF_DeleteTensor(fed);
    }
}

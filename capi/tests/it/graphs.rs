//! Graphs and operations: handles that stay, edges, attrs.

use std::ffi::{CStr, c_int};
use std::ptr;

use oplink_abi::*;
use oplink_capi::attrs::metadata::TF_OperationGetAttrMetadata;
use oplink_capi::description::*;
use oplink_capi::graph::changes::TF_UpdateEdge;
use oplink_capi::graph::edges::*;
use oplink_capi::graph::listing::*;
use oplink_capi::graph::operation::*;
use oplink_capi::set_attrs::lists::{TF_SetAttrShapeList, TF_SetAttrStringList, TF_SetAttrTypeList};
use oplink_capi::set_attrs::scalars::TF_SetAttrType;

use crate::client::*;

/// Handles of operations do not move while the graph grows.
#[test]
fn operations_stay_where_they_are() {
    let graph = Graph::new();
    let first = graph.placeholder("x", FLOAT, None);
    let more: Vec<TF_Output> = (0..1000).map(|at| graph.op("Neg", &format!("n{at}"), &[first])).collect();
    assert_eq!(name(first.oper), "x");
    assert_eq!(unsafe { TF_GraphOperationByName(graph.0, c"x".as_ptr()) }, first.oper);
    let mut position = 0;
    let all: Vec<_> = std::iter::from_fn(|| {
        let oper = unsafe { TF_GraphNextOperation(graph.0, &raw mut position) };
        (!oper.is_null()).then_some(oper)
    })
    .collect();
    assert_eq!(all.len(), 1001);
    assert_eq!(all[1..], more.iter().map(|output| output.oper).collect::<Vec<_>>()[..]);
}

#[test]
fn consumers_are_found_after_edges_move() {
    let graph = Graph::new();
    let (x, y) = (graph.placeholder("x", FLOAT, None), graph.placeholder("y", FLOAT, None));
    let neg = graph.op("Neg", "neg", &[x]);
    let count = |output| unsafe { TF_OperationOutputNumConsumers(output) };
    assert_eq!((count(x), count(y)), (1, 0));
    let status = Status::new();
    unsafe { TF_UpdateEdge(graph.0, y, TF_Input { oper: neg.oper, index: 0 }, status.0) };
    status.ok();
    assert_eq!((count(x), count(y)), (0, 1));
    assert_eq!(unsafe { TF_OperationInput(TF_Input { oper: neg.oper, index: 0 }) }, y);
    unsafe { TF_UpdateEdge(graph.0, neg, TF_Input { oper: neg.oper, index: 0 }, status.0) };
    status.is(code::INVALID_ARGUMENT);
    assert_eq!(count(y), 1, "an edge that would close a cycle changes nothing");
}

/// A node that cannot be added leaves its name free and the graph as it was.
#[test]
fn a_refused_operation_leaves_the_graph_as_it_was() {
    let graph = Graph::new();
    let x = graph.placeholder("x", FLOAT, Some(&[2, 3]));
    let before = filled(|buffer, status| unsafe { TF_GraphToGraphDef(graph.0, buffer, status) });
    let status = Status::new();
    let description = graph.begin("MatMul", "m");
    unsafe {
        TF_AddInput(description, x);
        TF_AddInput(description, x);
        assert!(TF_FinishOperation(description, status.0).is_null());
    }
    status.is(code::INVALID_ARGUMENT);
    assert!(status.message().contains('m'), "{}", status.message());
    let after = filled(|buffer, status| unsafe { TF_GraphToGraphDef(graph.0, buffer, status) });
    assert_eq!(before, after);
    graph.op("Neg", "m", &[x]);
}

/// What a setter without a status is given wrong is reported at the end, by name.
#[test]
fn wrong_arguments_of_setters_are_told_at_the_end() {
    let graph = Graph::new();
    let status = Status::new();
    let description = graph.begin("Placeholder", "p");
    unsafe {
        TF_SetAttrType(description, c"dtype".as_ptr(), 9999);
        TF_FinishOperation(description, status.0);
    }
    status.is(code::INVALID_ARGUMENT);
    assert!(status.message().contains("9999"), "{}", status.message());
}

#[test]
fn operations_of_another_graph_are_refused() {
    let (graph, other) = (Graph::new(), Graph::new());
    let x = other.placeholder("x", FLOAT, None);
    let status = Status::new();
    let description = graph.begin("Neg", "n");
    unsafe {
        TF_AddInput(description, x);
        TF_FinishOperation(description, status.0);
    }
    status.is(code::INVALID_ARGUMENT);
    assert!(status.message().contains("another graph"), "{}", status.message());
}

#[test]
fn lists_of_strings_shapes_and_types() {
    let graph = Graph::new();
    let status = Status::new();
    let description = graph.begin("RandomShuffleQueue", "q");
    let dims = [4_i64, -1];
    unsafe {
        TF_SetAttrTypeList(description, c"component_types".as_ptr(), [FLOAT, INT32].as_ptr(), 2);
        let shapes = [ptr::null(), dims.as_ptr()];
        TF_SetAttrShapeList(description, c"shapes".as_ptr(), shapes.as_ptr(), [-1, 2].as_ptr(), 2);
        let oper = TF_FinishOperation(description, status.0);
        status.ok();
        let metadata = TF_OperationGetAttrMetadata(oper, c"shapes".as_ptr(), status.0);
        assert_eq!((metadata.list_size, metadata.total_size, metadata.kind), (2, 2, attr_type::SHAPE));
        let (mut at, mut ranks, mut storage) = ([ptr::null_mut(); 2], [0; 2], [0_i64; 2]);
        oplink_capi::attrs::lists::TF_OperationGetAttrShapeList(
            oper,
            c"shapes".as_ptr(),
            at.as_mut_ptr(),
            ranks.as_mut_ptr(),
            2,
            storage.as_mut_ptr(),
            2,
            status.0,
        );
        status.ok();
        assert_eq!((ranks, storage), ([-1, 2], [4, -1]));
        assert_eq!(*at[1], 4);
    }
    let x = graph.placeholder("x", FLOAT, None);
    let description = graph.begin("TensorSummary", "s");
    unsafe {
        TF_AddInput(description, x);
        let (values, lengths) = ([c"ab".as_ptr().cast(), c"c".as_ptr().cast()], [2, 1]);
        TF_SetAttrStringList(description, c"labels".as_ptr(), values.as_ptr(), lengths.as_ptr(), 2);
        let oper = TF_FinishOperation(description, status.0);
        status.ok();
        let (mut at, mut lengths, mut storage) = ([ptr::null_mut(); 2], [0; 2], [0_u8; 3]);
        let get = oplink_capi::attrs::lists::TF_OperationGetAttrStringList;
        let name = c"labels".as_ptr();
        get(oper, name, at.as_mut_ptr(), lengths.as_mut_ptr(), 2, storage.as_mut_ptr().cast(), 3, status.0);
        status.ok();
        assert_eq!((lengths, &storage), ([2, 1], b"abc"));
        get(oper, name, at.as_mut_ptr(), lengths.as_mut_ptr(), 2, storage.as_mut_ptr().cast(), 2, status.0);
        status.is(code::INVALID_ARGUMENT);
    }
}

#[test]
fn colocation_and_devices() {
    let graph = Graph::new();
    let a = graph.op("NoOp", "a", &[]);
    let status = Status::new();
    let description = graph.begin("NoOp", "b");
    let oper = unsafe {
        TF_ColocateWith(description, a.oper);
        TF_SetDevice(description, c"/device:CPU:0".as_ptr());
        TF_AddControlInput(description, a.oper);
        TF_FinishOperation(description, status.0)
    };
    status.ok();
    assert_eq!(unsafe { CStr::from_ptr(TF_OperationDevice(oper)) }, c"/device:CPU:0");
    let mut before = [ptr::null_mut(); 1];
    let count: c_int = unsafe { TF_OperationGetControlInputs(oper, before.as_mut_ptr(), 1) };
    assert_eq!((count, before[0]), (1, a.oper));
    let metadata = unsafe { TF_OperationGetAttrMetadata(oper, c"_class".as_ptr(), status.0) };
    assert_eq!((metadata.list_size, metadata.total_size), (1, "loc:@a".len() as i64));
}

/// Every declared op is in the list: link-time collection survives the archive that the library is linked from.
#[test]
fn all_ops_are_listed() {
    use oplink_proto::OpList;
    let buffer = oplink_capi::listing::TF_GetAllOpList();
    let bytes = unsafe { std::slice::from_raw_parts((*buffer).data.cast::<u8>(), (*buffer).length).to_vec() };
    let list: OpList = oplink_proto::from_bytes(bytes).expect("a message");
    unsafe { oplink_capi::host::buffer::TF_DeleteBuffer(buffer) };
    let registry = oplink_core::Registry::global().expect("no conflicts");
    assert_eq!(list.op.len(), registry.ops().count());
    assert!(list.op.len() > 400, "{}", list.op.len());
}

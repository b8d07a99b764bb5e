//! Functions made of graphs and called in others.

use std::ptr;

use oplink_abi::*;
use oplink_capi::functions::from_graph::TF_GraphToFunction;
use oplink_capi::functions::library::*;
use oplink_capi::functions::*;

use crate::client::*;

fn doubled(append_hash: u8) -> *mut TF_Function {
    let graph = Graph::new();
    let x = graph.placeholder("x", FLOAT, None);
    let y = graph.op("Add", "y", &[x, x]);
    let status = Status::new();
    let function = unsafe {
        TF_GraphToFunction(
            graph.0,
            c"Doubled".as_ptr(),
            append_hash,
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
        )
    };
    status.ok();
    function
}

#[test]
fn a_function_runs_in_another_graph_and_in_a_session_that_was_there_before() {
    let function = doubled(0);
    let graph = Graph::new();
    let session = Session::new(&graph);
    let status = Status::new();
    unsafe {
        TF_GraphCopyFunction(graph.0, function, ptr::null(), status.0);
        TF_DeleteFunction(function);
    }
    status.ok();
    let x = graph.placeholder("x", FLOAT, None);
    let y = graph.op("Doubled", "call", &[x]);
    assert_eq!(session.run(&[(x, tensor(&[2], &[1.0, 4.0]))], &[y]), [[2.0, 8.0]]);
    assert_eq!(unsafe { TF_GraphNumFunctions(graph.0) }, 1);
    unsafe { TF_GraphRemoveFunction(graph.0, c"Doubled".as_ptr(), status.0) };
    status.ok();
    assert_eq!(unsafe { TF_GraphNumFunctions(graph.0) }, 0);
}

#[test]
fn a_hash_tells_bodies_apart() {
    let (plain, hashed) = (doubled(0), doubled(1));
    let name = |function| unsafe { std::ffi::CStr::from_ptr(TF_FunctionName(function)) }.to_string_lossy().into_owned();
    assert_eq!(name(plain), "Doubled");
    assert!(name(hashed).starts_with("Doubled_"), "{}", name(hashed));
    unsafe {
        TF_DeleteFunction(plain);
        TF_DeleteFunction(hashed);
    }
}

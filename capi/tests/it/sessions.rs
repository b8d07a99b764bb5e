//! Sessions: growing graphs, any shapes, metadata, partial runs, sessions by names.

use std::ffi::{c_char, c_int};
use std::ptr;

use oplink_abi::*;
use oplink_capi::graph::TF_DeleteGraph;
use oplink_capi::graph::listing::TF_GraphToGraphDef;
use oplink_capi::host::tensor::TF_DeleteTensor;
use oplink_capi::session::deprecated::*;
use oplink_capi::session::lifetime::*;
use oplink_capi::session::options::*;
use oplink_capi::session::partial_api::*;
use oplink_capi::session::run::TF_SessionRun;

use crate::client::*;

#[test]
fn a_session_sees_what_is_added_to_its_graph() {
    let graph = Graph::new();
    let session = Session::new(&graph);
    let x = graph.placeholder("x", FLOAT, None);
    let mut last = x;
    for step in 1..=5_u8 {
        last = graph.op("Add", &format!("add{step}"), &[last, x]);
        assert_eq!(session.run(&[(x, tensor(&[], &[2.0]))], &[last]), [[2.0 * (f32::from(step) + 1.0)]]);
    }
}

/// TensorFlow takes fed values of any shape; a later run with the right one is as before.
#[test]
fn fed_values_may_contradict_the_graph() {
    let graph = Graph::new();
    let x = graph.placeholder("x", FLOAT, Some(&[]));
    let two = graph.constant("two", &[1], &[2.0]);
    let y = graph.op("Mul", "y", &[x, two]);
    let session = Session::new(&graph);
    for _ in 0..2 {
        assert_eq!(session.run(&[(x, tensor(&[2], &[1.0, 3.0]))], &[y]), [[2.0, 6.0]]);
        assert_eq!(session.run(&[(x, tensor(&[], &[4.0]))], &[y]), [[8.0]]);
    }
}

#[test]
fn a_session_outlives_the_graph_s_handle() {
    let graph = Graph::new();
    let x = graph.constant("x", &[], &[7.0]);
    let session = Session::new(&graph);
    drop(graph);
    assert_eq!(session.run(&[], &[x]), [[7.0]]);
    unsafe { TF_DeleteGraph(ptr::null_mut()) };
}

#[test]
fn metadata_tell_the_nodes() {
    let graph = Graph::new();
    let x = graph.placeholder("x", FLOAT, None);
    let y = graph.op("Neg", "negated", &[x]);
    let session = Session::new(&graph);
    let value = tensor(&[1], &[1.0]);
    let told = filled(|metadata, status| unsafe {
        let (options, mut result) = (buffer(&[8, 3]), ptr::null_mut());
        let run = TF_SessionRun;
        run(
            session.0,
            options,
            &raw const x,
            &raw const value,
            1,
            &raw const y,
            &raw mut result,
            1,
            ptr::null(),
            0,
            metadata,
            status,
        );
        TF_DeleteTensor(result);
        oplink_capi::host::buffer::TF_DeleteBuffer(options);
    });
    assert!(told.windows(7).any(|part| part == b"negated"), "{told:?}");
    unsafe { TF_DeleteTensor(value) };
}

#[test]
fn options_are_read() {
    let status = Status::new();
    let options = TF_NewSessionOptions();
    let config = [0x10_u8, 1, 0x28, 2, 0x38, 1, 0x9a, 0x3f, 1, 0];
    unsafe { TF_SetConfig(options, config.as_ptr().cast(), config.len(), status.0) };
    status.ok();
    unsafe { TF_SetConfig(options, [0xff_u8, 0xff].as_ptr().cast(), 2, status.0) };
    status.is(code::INVALID_ARGUMENT);
    unsafe { TF_SetTarget(options, c"grpc://elsewhere:1".as_ptr()) };
    let graph = Graph::new();
    assert!(unsafe { TF_NewSession(graph.0, options, status.0) }.is_null());
    status.is(code::NOT_FOUND);
    unsafe { TF_DeleteSessionOptions(options) };
}

#[test]
fn partial_runs() {
    let graph = Graph::new();
    let (a, b) = (graph.placeholder("a", FLOAT, None), graph.placeholder("b", FLOAT, None));
    let p = graph.op("Add", "p", &[a, a]);
    let q = graph.op("Mul", "q", &[p, b]);
    let session = Session::new(&graph);
    let status = Status::new();
    let mut handle: *const c_char = ptr::null();
    unsafe {
        TF_SessionPRunSetup(
            session.0,
            [a, b].as_ptr(),
            2,
            [p, q].as_ptr(),
            2,
            ptr::null(),
            0,
            &raw mut handle,
            status.0,
        );
        status.ok();
        let step = |feed: TF_Output, value: f32, fetch: TF_Output| {
            let status = Status::new();
            let (value, mut result) = (tensor(&[], &[value]), ptr::null_mut());
            TF_SessionPRun(
                session.0,
                handle,
                &raw const feed,
                &raw const value,
                1,
                &raw const fetch,
                &raw mut result,
                1,
                ptr::null(),
                0,
                status.0,
            );
            TF_DeleteTensor(value);
            if status.code() == code::OK { Ok(take(result)) } else { Err(status.code()) }
        };
        assert_eq!(step(b, 3.0, q), Err(code::INVALID_ARGUMENT), "what it needs was not fed");
        assert_eq!(step(a, 2.0, p), Ok(vec![4.0]));
        assert_eq!(step(a, 2.0, q), Err(code::INVALID_ARGUMENT), "fed already");
        assert_eq!(step(b, 3.0, q), Ok(vec![12.0]));
        assert_eq!(step(b, 3.0, q), Err(code::INVALID_ARGUMENT), "all is done");
        TF_DeletePRunHandle(handle);
    }
}

#[test]
fn sessions_by_names() {
    let graph = Graph::new();
    let x = graph.placeholder("x", FLOAT, None);
    graph.op("Neg", "y", &[x]);
    let def = filled(|buffer, status| unsafe { TF_GraphToGraphDef(graph.0, buffer, status) });
    let status = Status::new();
    unsafe {
        let options = TF_NewSessionOptions();
        let session = TF_NewDeprecatedSession(options, status.0);
        TF_ExtendGraph(session, def.as_ptr().cast(), def.len(), status.0);
        status.ok();
        let (mut input, mut output) = ([c"x".as_ptr()], [c"y:0".as_ptr()]);
        let (mut value, mut result) = ([tensor(&[1], &[5.0])], [ptr::null_mut()]);
        let none: c_int = 0;
        TF_Run(
            session,
            ptr::null(),
            input.as_mut_ptr(),
            value.as_mut_ptr(),
            1,
            output.as_mut_ptr(),
            result.as_mut_ptr(),
            1,
            ptr::null_mut(),
            none,
            ptr::null_mut(),
            status.0,
        );
        status.ok();
        assert_eq!(take(result[0]), [-5.0]);
        TF_DeleteTensor(value[0]);
        TF_CloseDeprecatedSession(session, status.0);
        TF_DeleteDeprecatedSession(session, status.0);
        TF_DeleteSessionOptions(options);
    }
    status.ok();
}

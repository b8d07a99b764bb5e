//! While loops.

use std::ptr;

use oplink_abi::*;
use oplink_capi::description::{TF_AddInput, TF_FinishOperation, TF_NewOperation};
use oplink_capi::graph::listing::TF_GraphToGraphDef;
use oplink_capi::set_attrs::scalars::{TF_SetAttrTensor, TF_SetAttrType};
use oplink_capi::while_loop::*;

use crate::client::*;

fn constant(graph: *mut TF_Graph, name: &str, value: f32) -> TF_Output {
    let status = Status::new();
    unsafe {
        let description = TF_NewOperation(graph, c"Const".as_ptr(), c(name).as_ptr());
        let value = tensor(&[], &[value]);
        TF_SetAttrTensor(description, c"value".as_ptr(), value, status.0);
        oplink_capi::host::tensor::TF_DeleteTensor(value);
        TF_SetAttrType(description, c"dtype".as_ptr(), FLOAT);
        TF_Output { oper: TF_FinishOperation(description, status.0), index: 0 }
    }
}

fn op(graph: *mut TF_Graph, op: &str, name: &str, inputs: &[TF_Output]) -> TF_Output {
    let status = Status::new();
    unsafe {
        let description = TF_NewOperation(graph, c(op).as_ptr(), c(name).as_ptr());
        inputs.iter().for_each(|&input| TF_AddInput(description, input));
        let oper = TF_FinishOperation(description, status.0);
        status.ok();
        TF_Output { oper, index: 0 }
    }
}

/// Doubles the first variable until it passes 100, and counts.
fn add_loop(graph: &Graph, name: &std::ffi::CStr, inputs: &mut [TF_Output; 2]) -> ([TF_Output; 2], Status) {
    let status = Status::new();
    let nothing = TF_Output { oper: ptr::null_mut(), index: -1 };
    let mut outputs = [nothing; 2];
    unsafe {
        let mut params = TF_NewWhile(graph.0, inputs.as_mut_ptr(), 2, status.0);
        status.ok();
        let hundred = constant(params.cond_graph, "hundred", 100.0);
        params.cond_output = op(params.cond_graph, "Less", "less", &[*params.cond_inputs, hundred]);
        let (two, one) = (constant(params.body_graph, "two", 2.0), constant(params.body_graph, "one", 1.0));
        *params.body_outputs = op(params.body_graph, "Mul", "mul", &[*params.body_inputs, two]);
        *params.body_outputs.add(1) = op(params.body_graph, "Add", "add", &[*params.body_inputs.add(1), one]);
        params.name = name.as_ptr();
        TF_FinishWhile(&raw const params, status.0, outputs.as_mut_ptr());
    }
    (outputs, status)
}

#[test]
fn a_loop_runs() {
    let graph = Graph::new();
    let (x, zero) = (graph.placeholder("x", FLOAT, Some(&[])), graph.constant("zero", &[], &[0.0]));
    let (outputs, status) = add_loop(&graph, c"double", &mut [x, zero]);
    status.ok();
    let session = Session::new(&graph);
    assert_eq!(session.run(&[(x, tensor(&[], &[3.0]))], &outputs), [[192.0], [6.0]]);
    assert_eq!(session.run(&[(x, tensor(&[], &[200.0]))], &outputs), [[200.0], [0.0]]);
    let (_, status) = add_loop(&graph, c"double", &mut [outputs[1], zero]);
    status.is(code::INVALID_ARGUMENT);
    let (second, status) = add_loop(&graph, c"again", &mut [outputs[1], zero]);
    status.ok();
    assert_eq!(session.run(&[(x, tensor(&[], &[3.0]))], &second), [[192.0], [5.0]]);
}

/// A loop whose body does not fit leaves the graph as it was.
#[test]
fn a_refused_loop_leaves_the_graph_as_it_was() {
    let graph = Graph::new();
    let mut x = graph.placeholder("x", FLOAT, Some(&[]));
    let before = filled(|buffer, status| unsafe { TF_GraphToGraphDef(graph.0, buffer, status) });
    let status = Status::new();
    unsafe {
        let mut params = TF_NewWhile(graph.0, &raw mut x, 1, status.0);
        params.cond_output = *params.cond_inputs;
        let zero = constant(params.body_graph, "zero", 0.0);
        *params.body_outputs = op(params.body_graph, "Less", "less", &[*params.body_inputs, zero]);
        params.name = c"bad".as_ptr();
        let mut output = x;
        TF_FinishWhile(&raw const params, status.0, &raw mut output);
    }
    status.is(code::INVALID_ARGUMENT);
    let after = filled(|buffer, status| unsafe { TF_GraphToGraphDef(graph.0, buffer, status) });
    assert_eq!(before, after);
}

#[test]
fn a_loop_without_variables_is_refused_and_one_may_be_given_up() {
    let graph = Graph::new();
    let mut x = graph.placeholder("x", FLOAT, Some(&[]));
    let status = Status::new();
    let none = unsafe { TF_NewWhile(graph.0, ptr::null_mut(), 0, status.0) };
    status.is(code::INVALID_ARGUMENT);
    assert!(none.cond_graph.is_null());
    unsafe {
        let params = TF_NewWhile(graph.0, &raw mut x, 1, status.0);
        status.ok();
        TF_AbortWhile(&raw const params);
    }
}

//! Models of stock TensorFlow that a client trains: it adds gradients and updates to the loaded graph.

use std::ptr;

use oplink_abi::*;
use oplink_api::Tensor;
use oplink_capi::attrs::scalars::TF_OperationGetAttrString;
use oplink_capi::description::{TF_AddControlInput, TF_AddInput, TF_FinishOperation};
use oplink_capi::gradients::TF_AddGradients;
use oplink_capi::graph::listing::TF_GraphNextOperation;
use oplink_capi::graph::operation::TF_OperationOpType;
use oplink_capi::set_attrs::scalars::TF_SetAttrType;
use oplink_saved_model::MetaGraph;

use crate::client::*;
use crate::expected::{LEARNING_RATE, assert_close, model, steps};
use crate::saved_model::{fetch, load_into, output};

/// The handle of each variable, with the name that it is shared by.
fn variables(graph: &Graph) -> Vec<(String, TF_Output)> {
    let (mut position, mut found) = (0, Vec::new());
    loop {
        let oper = unsafe { TF_GraphNextOperation(graph.0, &raw mut position) };
        if oper.is_null() {
            return found;
        }
        if unsafe { std::ffi::CStr::from_ptr(TF_OperationOpType(oper)) } != c"VarHandleOp" {
            continue;
        }
        let (status, mut name) = (Status::new(), vec![0u8; 64]);
        let start = name.as_mut_ptr().cast();
        unsafe { TF_OperationGetAttrString(oper, c"shared_name".as_ptr(), start, name.len(), status.0) };
        status.ok();
        let length = name.iter().position(|&byte| byte == 0).expect("a name that fits");
        found.push((String::from_utf8(name[..length].to_vec()).expect("UTF-8"), TF_Output { oper, index: 0 }));
    }
}

/// An operation after others have run.
fn op_after(
    graph: &Graph,
    op: &str,
    name: &str,
    inputs: &[TF_Output],
    after: &[*mut TF_Operation],
    dtype: Option<i32>,
) -> TF_Output {
    let (status, description) = (Status::new(), graph.begin(op, name));
    unsafe {
        inputs.iter().for_each(|&input| TF_AddInput(description, input));
        after.iter().for_each(|&oper| TF_AddControlInput(description, oper));
        if let Some(dtype) = dtype {
            TF_SetAttrType(description, c"dtype".as_ptr(), dtype);
        }
        let oper = TF_FinishOperation(description, status.0);
        status.ok();
        TF_Output { oper, index: 0 }
    }
}

/// The gradients of the loss, where there is one.
fn gradients(graph: &Graph, loss: TF_Output, variables: &[(String, TF_Output)]) -> Vec<TF_Output> {
    let (mut loss, status) = (loss, Status::new());
    let mut xs: Vec<TF_Output> = variables.iter().map(|(_, handle)| *handle).collect();
    let mut found = vec![TF_Output { oper: ptr::null_mut(), index: 0 }; xs.len()];
    let (y, x, count) = (&raw mut loss, xs.as_mut_ptr(), i32::try_from(xs.len()).expect("a few"));
    unsafe { TF_AddGradients(graph.0, y, 1, x, count, ptr::null_mut(), status.0, found.as_mut_ptr()) };
    status.ok();
    found
}

fn check(name: &str) {
    let (graph, status, folder) = (Graph::new(), Status::new(), model(name));
    let session = Session(load_into(&graph, &folder.to_string_lossy(), ptr::null_mut(), &status));
    status.ok();
    let signatures = MetaGraph::read(&folder, &["serve"]).expect("a model").signatures().expect("signatures");
    let signature = signatures.iter().find(|signature| signature.name == "loss").expect("a signature `loss`");
    let (loss, variables) = (output(&graph, &signature.outputs[0]), variables(&graph));
    let found = gradients(&graph, loss, &variables);
    let there = || variables.iter().zip(&found).filter(|(_, gradient)| !gradient.oper.is_null());
    // No variable changes before all gradients are there, and is read again once all have changed.
    let gradients: Vec<*mut TF_Operation> = there().map(|(_, gradient)| gradient.oper).collect();
    let rate = graph.constant("rate", &[], &[LEARNING_RATE]);
    let update = |((name, handle), gradient): (&(String, TF_Output), &TF_Output)| {
        let (op, name) = ("ResourceApplyGradientDescent", format!("train/{name}"));
        op_after(&graph, op, &name, &[*handle, rate, *gradient], &gradients, None).oper
    };
    let updates: Vec<*mut TF_Operation> = there().map(update).collect();
    let read = |(name, handle): &(String, TF_Output)| {
        op_after(&graph, "ReadVariableOp", &format!("trained/{name}"), &[*handle], &updates, Some(FLOAT))
    };
    let fetches: Vec<TF_Output> = [loss].into_iter().chain(variables.iter().map(read)).collect();
    let names: Vec<&str> = ["loss"].into_iter().chain(variables.iter().map(|(name, _)| name.as_str())).collect();
    for (number, step) in steps(name).expect("recorded steps").iter().enumerate() {
        let values: Vec<Tensor> = fetch(&graph, &session, &signature.inputs, step, &fetches);
        assert_eq!(values.len(), step.outputs.len(), "{name}");
        for (output, have) in names.iter().zip(&values) {
            let (_, wanted) = step.outputs.iter().find(|(name, _)| name == output).expect("a recorded value");
            assert_close(&format!("{name}, step {number}, {output}"), have, wanted).expect("tensors");
        }
    }
}

#[test]
fn a_recurrent_language_model() {
    check("language_model");
}

#[test]
fn parsed_examples() {
    check("wide_and_deep");
}

#[test]
fn a_sparse_factorization() {
    check("sparse_factorization");
}

#[test]
fn a_gaussian_process() {
    check("gaussian_process");
}

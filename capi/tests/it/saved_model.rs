//! SavedModels: those of stock TensorFlow have its results, others are refused.

use std::ffi::c_int;
use std::ptr;

use oplink_abi::*;
use oplink_api::Tensor;
use oplink_capi::graph::listing::TF_GraphOperationByName;
use oplink_capi::host::tensor::{TF_DeleteTensor, into_handle, value_of_handle};
use oplink_capi::session::options::*;
use oplink_capi::session::run::TF_SessionRun;
use oplink_capi::session::saved_model::TF_LoadSessionFromSavedModel;
use oplink_saved_model::{MetaGraph, SignatureInfo, TensorInfo};

use crate::client::*;
use crate::expected::{self, assert_close, model, models};

/// Loads the graph for serving.
pub(crate) fn load_into(graph: &Graph, folder: &str, meta_graph: *mut TF_Buffer, status: &Status) -> *mut TF_Session {
    let (folder, tags, options) = (c(folder), [c"serve".as_ptr()], TF_NewSessionOptions());
    let session = unsafe {
        TF_LoadSessionFromSavedModel(
            options,
            ptr::null(),
            folder.as_ptr(),
            tags.as_ptr(),
            1,
            graph.0,
            meta_graph,
            status.0,
        )
    };
    unsafe { TF_DeleteSessionOptions(options) };
    session
}

/// The status of a load that fails.
fn load(folder: &str) -> Status {
    let (graph, status) = (Graph::new(), Status::new());
    assert!(load_into(&graph, folder, ptr::null_mut(), &status).is_null());
    status
}

/// The output that a signature names.
pub(crate) fn output(graph: &Graph, tensor: &TensorInfo) -> TF_Output {
    let (node, index) = tensor.tensor.split_once(':').expect("node:index");
    let oper = unsafe { TF_GraphOperationByName(graph.0, c(node).as_ptr()) };
    assert!(!oper.is_null(), "{node}");
    TF_Output { oper, index: index.parse().expect("an index") }
}

/// Runs a call of a signature; the values in the order of its outputs.
fn call(graph: &Graph, session: &Session, signature: &SignatureInfo, call: &expected::Call) -> Vec<Tensor> {
    let fetches: Vec<TF_Output> = signature.outputs.iter().map(|tensor| output(graph, tensor)).collect();
    fetch(graph, session, &signature.inputs, call, &fetches)
}

/// Runs tensors of the graph with the inputs of a call.
pub(crate) fn fetch(
    graph: &Graph,
    session: &Session,
    inputs: &[TensorInfo],
    call: &expected::Call,
    fetches: &[TF_Output],
) -> Vec<Tensor> {
    let given = |input: &TensorInfo| {
        let value = call.inputs.iter().find(|(name, _)| *name == input.name).map(|(_, value)| value.clone());
        into_handle(value.expect("every input is given"))
    };
    let values: Vec<*mut TF_Tensor> = inputs.iter().map(given).collect();
    let inputs: Vec<TF_Output> = inputs.iter().map(|input| output(graph, input)).collect();
    let (status, mut results) = (Status::new(), vec![ptr::null_mut(); fetches.len()]);
    unsafe {
        TF_SessionRun(
            session.0,
            ptr::null(),
            inputs.as_ptr(),
            values.as_ptr(),
            inputs.len() as c_int,
            fetches.as_ptr(),
            results.as_mut_ptr(),
            fetches.len() as c_int,
            ptr::null(),
            0,
            ptr::null_mut(),
            status.0,
        );
        status.ok();
        values.into_iter().for_each(|value| TF_DeleteTensor(value));
        let take = |result: *mut TF_Tensor| {
            let value = value_of_handle(result, "take", "result").expect("a tensor");
            TF_DeleteTensor(result);
            value
        };
        results.into_iter().map(take).collect()
    }
}

#[test]
fn models_of_stock_tensorflow_have_its_results() {
    // TensorFlow's C library restores what a graph's saver does, and that of this model leaves out the variables.
    for name in models().into_iter().filter(|name| name != "keras_training") {
        let (graph, status, folder) = (Graph::new(), Status::new(), model(&name));
        let read = MetaGraph::read(&folder, &["serve"]).expect("a model");
        let mut session = None;
        let bytes = filled(|buffer, _| {
            let loaded = load_into(&graph, &folder.to_string_lossy(), buffer, &status);
            status.ok();
            session = Some(Session(loaded));
        });
        assert_eq!(bytes, *read.bytes(), "{name}: the meta graph is that of the file");
        let session = session.expect("a session");
        let signatures = read.signatures().expect("signatures");
        for (number, wanted) in expected::calls(&name).expect("calls").iter().enumerate() {
            let signature =
                signatures.iter().find(|signature| signature.name == wanted.signature).expect("a signature");
            let values = call(&graph, &session, signature, wanted);
            assert_eq!(values.len(), wanted.outputs.len(), "{name}, call {number}");
            for (output, have) in signature.outputs.iter().zip(&values) {
                let want = wanted.outputs.iter().find(|(name, _)| *name == output.name).expect("an output");
                assert_close(&format!("{name}, call {number}, {}", output.name), have, &want.1).expect("tensors");
            }
        }
    }
}

#[test]
fn a_folder_without_a_model_is_not_found() {
    let status = load("/nowhere");
    status.is(code::NOT_FOUND);
    assert!(status.message().contains("/nowhere"), "{}", status.message());
}

#[test]
fn garbage_is_no_model() {
    let folder = std::env::temp_dir().join(format!("oplink-capi-saved-model-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("saved_model.pb"), [0x12, 0xff, 0xff]).expect("a file");
    load(&folder.to_string_lossy()).is(code::INVALID_ARGUMENT);
    std::fs::write(folder.join("saved_model.pb"), []).expect("a file");
    load(&folder.to_string_lossy()).is(code::NOT_FOUND);
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

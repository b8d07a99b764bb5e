//! Importing a `GraphDef` into a graph.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod options;
pub mod results;

use std::ffi::c_int;
use std::ptr;

use oplink_abi::{TF_Buffer, TF_Graph, TF_ImportGraphDefOptions, TF_ImportGraphDefResults, TF_Output};
use oplink_api::{Result, bail, ensure};
use oplink_graph::{MergeOptions, Merged};
use oplink_host::buffer::bytes;
use oplink_host::c_api;
use oplink_host::guard::slice_mut;

use crate::graph::{GraphState, graph_of};
use crate::support::unimplemented;
use options::Options;
use results::Results;

/// Imports for an exported function.
///
/// # Safety
/// The handles are null or alive.
unsafe fn import<'a>(
    graph: *mut TF_Graph,
    graph_def: *const TF_Buffer,
    options: *const TF_ImportGraphDefOptions,
    function: &str,
) -> Result<(&'a GraphState, MergeOptions, Merged)> {
    // SAFETY: `graph` is null or alive, `graph_def` is null or alive and `options` is null or alive (Safety section).
    let (graph, options, message) = unsafe {
        let graph = graph_of(graph, function, "graph")?;
        (graph, Options::borrow(options, function)?, bytes(graph_def, function, "graph_def")?)
    };
    // SAFETY: `graph` is null or alive and `options` is null or alive (Safety section).
    let options = unsafe { options.for_graph(graph, function) }?;
    let merged = graph.change(|graph| graph.import_bytes(message, &options))?;
    Ok((graph, options, merged))
}

c_api! {
    /// Adds the nodes of a serialized `GraphDef`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_GraphImportGraphDef(
        graph: *mut TF_Graph,
        graph_def: *const TF_Buffer,
        options: *const TF_ImportGraphDefOptions;
        status
    ) {
        // SAFETY: `graph` is null or alive, `graph_def` is null or alive and `options` is null or alive (Safety
        // section).
        unsafe { import(graph, graph_def, options, NAME) }.map(drop)
    }

    /// Adds the nodes of a serialized `GraphDef` and tells where the outputs asked for are.
    ///
    /// # Safety
    /// The handles are null or alive; `return_outputs` has `num_return_outputs` slots.
    fn TF_GraphImportGraphDefWithReturnOutputs(
        graph: *mut TF_Graph,
        graph_def: *const TF_Buffer,
        options: *const TF_ImportGraphDefOptions,
        return_outputs: *mut TF_Output,
        num_return_outputs: c_int;
        status
    ) {
        // SAFETY: `options` is null or alive and `return_outputs` is null or has `num_return_outputs` elements (Safety
        // section).
        let (wanted, slots) = unsafe {
            let wanted = Options::borrow(options, NAME)?.num_return_outputs();
            (wanted, slice_mut(return_outputs, num_return_outputs, NAME, "return_outputs")?)
        };
        ensure!(slots.len() == wanted, "{NAME}: {} slots are given for {wanted} outputs", slots.len());
        // SAFETY: `graph` is null or alive, `graph_def` is null or alive and `options` is null or alive (Safety
        // section).
        let (graph, _, merged) = unsafe { import(graph, graph_def, options, NAME) }?;
        let inner = graph.lock();
        slots.iter_mut().zip(&merged.return_outputs).for_each(|(slot, &output)| *slot = inner.output(output));
        Ok(())
    }

    /// Adds the nodes of a serialized `GraphDef` and tells what came of it; the client deletes the results.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_GraphImportGraphDefWithResults(
        graph: *mut TF_Graph,
        graph_def: *const TF_Buffer,
        options: *const TF_ImportGraphDefOptions;
        status
    ) -> (*mut TF_ImportGraphDefResults = ptr::null_mut()) {
        // SAFETY: `graph` is null or alive, `graph_def` is null or alive and `options` is null or alive (Safety
        // section).
        let (graph, options, merged) = unsafe { import(graph, graph_def, options, NAME) }?;
        Ok(Results::new(&graph.lock(), &options, &merged).into_handle())
    }

    /// Unimplemented: the buffer holds an object of TensorFlow's C++ here, not bytes.
    ///
    /// # Safety
    /// The status is null or alive.
    fn TF_GraphImportGraphDefWithResultsNoSerialization(
        _graph: *mut TF_Graph,
        _graph_def: *const TF_Buffer,
        _options: *const TF_ImportGraphDefOptions;
        status
    ) -> (*mut TF_ImportGraphDefResults = ptr::null_mut()) {
        let why =
            "a GraphDef object of C++ cannot be read here; serialize it and call TF_GraphImportGraphDefWithResults";
        unimplemented(NAME, why)
    }
}

/// Refuses what no name can be.
fn check_index(index: c_int, function: &str) -> Result<u32> {
    match u32::try_from(index) {
        Ok(index) => Ok(index),
        Err(_) => bail!("{function}: an output has the index {index}"),
    }
}

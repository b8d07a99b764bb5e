//! `TF_GraphToFunction`.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_uchar};
use std::ptr;

use oplink_abi::{TF_Function, TF_FunctionOptions, TF_Graph, TF_Operation, TF_Output, TF_Status};
use oplink_api::Result;
use oplink_graph::{BodyNodes, FunctionOptions};
use oplink_host::guard::{slice, text, with_status};

use super::ClientFunction;
use crate::graph::graph_of;

/// The number of operations that means all of the graph.
const ALL: c_int = -1;

/// Names, or none where the array is null.
///
/// # Safety
/// As `guard::slice`; the strings are terminated.
unsafe fn names<'a>(names: *const *const c_char, count: c_int, function: &str, argument: &str) -> Result<Vec<&'a str>> {
    if names.is_null() {
        return Ok(Vec::new());
    }
    // SAFETY: `names` is null or has `count` elements (Safety section).
    let names = unsafe { slice(names, count, function, argument) }?;
    // SAFETY: each element of the array is null or a terminated string (Safety section).
    names.iter().map(|&name| unsafe { text(name, function, argument) }).collect()
}

/// The function that takes `inputs` and returns `outputs`; its body are the given operations, or, with -1 of them, all
/// of the graph that are no inputs.
///
/// # Safety
/// As [`TF_GraphToFunctionWithControlOutputs`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphToFunction(
    fn_body: *const TF_Graph,
    fn_name: *const c_char,
    append_hash_to_fn_name: c_uchar,
    num_opers: c_int,
    opers: *const *const TF_Operation,
    ninputs: c_int,
    inputs: *const TF_Output,
    noutputs: c_int,
    outputs: *const TF_Output,
    output_names: *const *const c_char,
    opts: *const TF_FunctionOptions,
    description: *const c_char,
    status: *mut TF_Status,
) -> *mut TF_Function {
    // SAFETY: the arguments are those of the other function, whose Safety section is the same; no control outputs are
    // given.
    unsafe {
        TF_GraphToFunctionWithControlOutputs(
            fn_body,
            fn_name,
            append_hash_to_fn_name,
            num_opers,
            opers,
            ninputs,
            inputs,
            noutputs,
            outputs,
            output_names,
            0,
            ptr::null(),
            ptr::null(),
            opts,
            description,
            status,
        )
    }
}

/// As [`TF_GraphToFunction`], with operations that run at each call, under names of their own.
///
/// # Safety
/// The handles are null or alive; the arrays have the lengths that are given; the strings are null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GraphToFunctionWithControlOutputs(
    fn_body: *const TF_Graph,
    fn_name: *const c_char,
    append_hash_to_fn_name: c_uchar,
    num_opers: c_int,
    opers: *const *const TF_Operation,
    ninputs: c_int,
    inputs: *const TF_Output,
    noutputs: c_int,
    outputs: *const TF_Output,
    output_names: *const *const c_char,
    ncontrol_outputs: c_int,
    control_outputs: *const *const TF_Operation,
    control_output_names: *const *const c_char,
    _opts: *const TF_FunctionOptions,
    description: *const c_char,
    status: *mut TF_Status,
) -> *mut TF_Function {
    const NAME: &str = "TF_GraphToFunction";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `fn_body` is null or alive, `fn_name` is null or a terminated string, `opers` is null or has
        // `ninputs` elements, `inputs` is null or has `noutputs` elements, `outputs` is null or alive, `output_names`
        // is null or has `ncontrol_outputs` elements, `control_outputs` is null or can be read, `control_output_names`
        // is null or can be read and `description` is null or a terminated string (Safety section).
        unsafe {
            let graph = graph_of(fn_body, NAME, "fn_body")?;
            let name = text(fn_name, NAME, "fn_name")?;
            let inputs = graph.outputs(inputs, ninputs, NAME, "inputs")?;
            let outputs = graph.outputs(outputs, noutputs, NAME, "outputs")?;
            let always = graph.nodes(control_outputs, ncontrol_outputs, NAME, "control_outputs")?;
            let always_names = names(control_output_names, ncontrol_outputs, NAME, "control_output_names")?;
            let output_names = names(output_names, noutputs, NAME, "output_names")?;
            let description = if description.is_null() { "" } else { text(description, NAME, "description")? };
            let given = match num_opers {
                ALL => None,
                count => Some(graph.nodes(opers, count, NAME, "opers")?),
            };
            let options = FunctionOptions {
                nodes: given.as_deref().map_or(BodyNodes::All, BodyNodes::These),
                output_names: &output_names,
                control_outputs: &always,
                control_output_names: &always_names,
                description,
                append_hash: append_hash_to_fn_name != 0,
            };
            let def = graph.lock().graph.to_function(name, &inputs, &outputs, &options)?;
            Ok(ClientFunction::new(def).into_handle())
        }
    })
}

//! `TF_NewWhile`, `TF_FinishWhile`: a loop whose condition and body the client builds as graphs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_Graph, TF_Output, TF_Status, TF_WhileParams};
use oplink_api::{Output, PartialShape, Result, bail, ensure};
use oplink_graph::{Graph, WhileLoop};
use oplink_host::c_api;
use oplink_host::guard::{borrow, slice_mut, text, with_status, without_status};

use crate::graph::{GraphState, check_count, graph_handle, graph_of, share_graph};
use crate::support::as_invalid;

/// What a while loop under construction holds beside what C sees: condition and body know it.
#[derive(Debug)]
struct Construction {
    parent: Arc<GraphState>,
    inputs: Vec<Output>,
}

/// A graph with a placeholder for each loop variable.
fn part(parent: &Graph, inputs: &[Output], name: &str) -> Result<(Arc<GraphState>, Vec<TF_Output>)> {
    let state = GraphState::new()?;
    let outputs: Vec<Output> = state.change(|graph| {
        inputs
            .iter()
            .enumerate()
            .map(|(at, &input)| {
                let dtype = parent.dtype(input).unwrap_or(oplink_api::DType::Invalid);
                graph.scope().placeholder(&format!("{name}{at}"), dtype, PartialShape::unknown())
            })
            .collect()
    })?;
    let inner = state.lock();
    let outputs = outputs.into_iter().map(|output| inner.output(output)).collect();
    drop(inner);
    Ok((state, outputs))
}

/// An array for C; [`free_array`] frees it.
fn array<T>(values: Vec<T>) -> *mut T {
    Box::into_raw(values.into_boxed_slice()).cast()
}

/// # Safety
/// The array is null or came from [`array`] with this length.
unsafe fn free_array<T>(array: *const T, count: usize) {
    if !array.is_null() {
        // SAFETY: not null, so a boxed slice of `count` elements that nobody uses any more (Safety section).
        drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(array.cast_mut(), count)) });
    }
}

const NOTHING: TF_Output = TF_Output { oper: ptr::null_mut(), index: -1 };

/// Parameters of no loop: what a failure gives.
const fn none() -> TF_WhileParams {
    TF_WhileParams {
        ninputs: 0,
        cond_graph: ptr::null_mut(),
        cond_inputs: ptr::null(),
        cond_output: NOTHING,
        body_graph: ptr::null_mut(),
        body_inputs: ptr::null(),
        body_outputs: ptr::null_mut(),
        name: ptr::null(),
    }
}

fn begin(parent: Arc<GraphState>, inputs: Vec<Output>) -> Result<TF_WhileParams> {
    let count = inputs.len();
    let ((cond, cond_inputs), (body, body_inputs)) = {
        let inner = parent.lock();
        (part(&inner.graph, &inputs, "cond_input")?, part(&inner.graph, &inputs, "body_input")?)
    };
    let body_outputs = vec![NOTHING; count];
    cond.keep(Box::new(Construction { parent, inputs }));
    Ok(TF_WhileParams {
        ninputs: count as c_int,
        cond_graph: graph_handle(cond),
        cond_inputs: array(cond_inputs),
        cond_output: NOTHING,
        body_graph: graph_handle(body),
        body_inputs: array(body_inputs),
        body_outputs: array(body_outputs),
        name: ptr::null(),
    })
}

c_api! {
    /// Begins a loop over these first values. The client builds condition and body in the graphs that it gets, sets the
    /// condition's output, the body's outputs and the name, and ends with `TF_FinishWhile` or `TF_AbortWhile`.
    ///
    /// # Safety
    /// The handles are null or alive; `inputs` holds `ninputs` outputs.
    fn TF_NewWhile(g: *mut TF_Graph, inputs: *mut TF_Output, ninputs: c_int; status) -> (TF_WhileParams = none()) {
        ensure!(check_count(ninputs, NAME, "ninputs")? > 0, "{NAME}: a loop has at least one variable");
        // SAFETY: `g` is null or alive and `inputs` is null or has `ninputs` elements (Safety section).
        let (parent, inputs) = unsafe {
            let parent = share_graph(g, NAME, "g")?;
            let inputs = as_invalid(parent.outputs(inputs, ninputs, NAME, "inputs"))?;
            (parent, inputs)
        };
        begin(parent, inputs)
    }
}

/// Frees what a loop under construction holds.
///
/// # Safety
/// The parameters came from [`TF_NewWhile`] and are used no more.
unsafe fn free(params: &TF_WhileParams) {
    let count = usize::try_from(params.ninputs).unwrap_or(0);
    // SAFETY: `TF_NewWhile` made the graphs, and the arrays with this many elements; nobody uses them any more (Safety
    // section).
    unsafe {
        free_array(params.cond_inputs, count);
        free_array(params.body_inputs, count);
        free_array(params.body_outputs, count);
        crate::graph::TF_DeleteGraph(params.cond_graph);
        crate::graph::TF_DeleteGraph(params.body_graph);
    }
}

/// Adds the loop that parameters describe.
///
/// # Safety
/// The parameters came from [`TF_NewWhile`]; the client set them as it should.
unsafe fn finish(params: &TF_WhileParams, outputs: *mut TF_Output, function: &str) -> Result<()> {
    // SAFETY: `outputs` is null or alive (Safety section).
    unsafe {
        let cond = graph_of(params.cond_graph, function, "cond_graph")?;
        let body = graph_of(params.body_graph, function, "body_graph")?;
        let Some(construction) = cond.kept::<Construction>() else { bail!("{function}: `params` is no loop") };
        let name = text(params.name, function, "name")?;
        let cond_inputs = cond.outputs(params.cond_inputs, params.ninputs, function, "cond_inputs")?;
        let cond_output = as_invalid(cond.output(params.cond_output, function, "cond_output"))?;
        let body_inputs = body.outputs(params.body_inputs, params.ninputs, function, "body_inputs")?;
        let body_outputs = as_invalid(body.outputs(params.body_outputs, params.ninputs, function, "body_outputs"))?;
        let slots = slice_mut(outputs, params.ninputs, function, "outputs")?;
        let added = {
            let (cond, body) = (cond.lock().graph.snapshot(), body.lock().graph.snapshot());
            construction.parent.change(|graph| {
                graph.add_while(&WhileLoop {
                    name,
                    inputs: &construction.inputs,
                    cond: &cond,
                    cond_inputs: &cond_inputs,
                    cond_output,
                    body: &body,
                    body_inputs: &body_inputs,
                    body_outputs: &body_outputs,
                })
            })?
        };
        let inner = construction.parent.lock();
        slots.iter_mut().zip(added).for_each(|(slot, output)| *slot = inner.output(output));
        Ok(())
    }
}

/// Adds the loop to the graph that it was begun for, and hands out its results. The parameters are freed in any case.
///
/// # Safety
/// The parameters are null or came from [`TF_NewWhile`], and are not used afterwards; `outputs` has a slot for each
/// variable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_FinishWhile(
    params: *const TF_WhileParams,
    status: *mut TF_Status,
    outputs: *mut TF_Output,
) {
    const NAME: &str = "TF_FinishWhile";
    with_status(status, NAME, (), || {
        // SAFETY: `params` is null or alive and `outputs` is null or alive (Safety section).
        unsafe {
            let params = borrow(params, NAME, "params")?;
            let finished = finish(params, outputs, NAME);
            free(params);
            finished
        }
    });
}

/// As [`TF_FinishWhile`], but the parameters stay, for `TF_AbortWhile` to free.
///
/// # Safety
/// The parameters are null or came from [`TF_NewWhile`]; `outputs` has a slot for each variable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_FinishWhileHelper(
    params: *const TF_WhileParams,
    status: *mut TF_Status,
    outputs: *mut TF_Output,
) {
    const NAME: &str = "TF_FinishWhileHelper";
    // SAFETY: `params` is null or alive and `outputs` is null or alive (Safety section).
    with_status(status, NAME, (), || unsafe { finish(borrow(params, NAME, "params")?, outputs, NAME) });
}

/// Frees the parameters of a loop that is not added; null is allowed.
///
/// # Safety
/// The parameters are null or came from [`TF_NewWhile`], and are not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AbortWhile(params: *const TF_WhileParams) {
    // SAFETY: `params` is null or alive (Safety section).
    without_status((), || unsafe {
        if let Some(params) = params.as_ref() {
            free(params);
        }
    });
}

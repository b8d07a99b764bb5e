//! `TF_AddGradients`: nodes that compute the gradients of a graph's tensors.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int};
use std::ptr;

use oplink_abi::{TF_Graph, TF_Output, TF_Status};
use oplink_api::Result;
use oplink_host::guard::{slice_mut, text, with_status};

use crate::graph::graph_of;

/// What is differentiated by what, as C passes it.
struct Request {
    graph: *mut TF_Graph,
    prefix: *const c_char,
    y: *const TF_Output,
    ny: c_int,
    x: *const TF_Output,
    nx: c_int,
    dx: *const TF_Output,
    dy: *mut TF_Output,
}

/// An x that no gradient arrives at.
const NO_GRADIENT: TF_Output = TF_Output { oper: ptr::null_mut(), index: -1 };

impl Request {
    /// # Errors
    /// Null handles and arrays, outputs of other graphs; what [`oplink_graph::Graph::add_gradients`] refuses.
    ///
    /// # Safety
    /// Handles are null or alive; arrays are null or hold as many outputs as is said.
    unsafe fn add(&self, function: &str) -> Result<()> {
        // SAFETY: the handles and arrays of the request are as this function's Safety section demands, and are used
        // during the call only.
        let (graph, prefix, ys, xs, dys, answer) = unsafe {
            let graph = graph_of(self.graph, function, "g")?;
            let prefix = if self.prefix.is_null() { None } else { Some(text(self.prefix, function, "prefix")?) };
            let ys = graph.outputs(self.y, self.ny, function, "y")?;
            let xs = graph.outputs(self.x, self.nx, function, "x")?;
            let dys = if self.dx.is_null() { None } else { Some(graph.outputs(self.dx, self.ny, function, "dx")?) };
            (graph, prefix, ys, xs, dys, slice_mut(self.dy, self.nx, function, "dy")?)
        };
        let gradients = graph.change(|graph| graph.add_gradients(prefix, &ys, &xs, dys.as_deref()))?;
        let inner = graph.lock();
        for (slot, gradient) in answer.iter_mut().zip(gradients) {
            *slot = gradient.map_or(NO_GRADIENT, |gradient| inner.output(gradient));
        }
        Ok(())
    }
}

/// Adds nodes that compute the gradient of a sum over `y`, weighted by `dx` where that is not null, by each of `x`. The
/// gradients go to `dy`; where none arrives at an x, its operation is null. The names of the nodes start with
/// `gradients`, or the first free one of `gradients_1`, `gradients_2`, ….
///
/// # Safety
/// The graph and the status are null or alive; `y` and `dx` hold `ny` outputs, `x` and `dy` `nx`, or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddGradients(
    g: *mut TF_Graph,
    y: *mut TF_Output,
    ny: c_int,
    x: *mut TF_Output,
    nx: c_int,
    dx: *mut TF_Output,
    status: *mut TF_Status,
    dy: *mut TF_Output,
) {
    const NAME: &str = "TF_AddGradients";
    let request = Request { graph: g, prefix: ptr::null(), y, ny, x, nx, dx, dy };
    // SAFETY: the request holds the arguments of this function, which its Safety section describes.
    with_status(status, NAME, (), || unsafe { request.add(NAME) });
}

/// As [`TF_AddGradients`], under names that start with `prefix`, which nothing in the graph may have; null stands for
/// the default.
///
/// # Safety
/// As [`TF_AddGradients`]; the prefix is null or ends in a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AddGradientsWithPrefix(
    g: *mut TF_Graph,
    prefix: *const c_char,
    y: *mut TF_Output,
    ny: c_int,
    x: *mut TF_Output,
    nx: c_int,
    dx: *mut TF_Output,
    status: *mut TF_Status,
    dy: *mut TF_Output,
) {
    const NAME: &str = "TF_AddGradientsWithPrefix";
    let request = Request { graph: g, prefix, y, ny, x, nx, dx, dy };
    // SAFETY: the request holds the arguments of this function, which its Safety section describes.
    with_status(status, NAME, (), || unsafe { request.add(NAME) });
}

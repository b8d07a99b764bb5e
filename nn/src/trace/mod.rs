//! Traced functions: the calls of a Rust function, made into a graph once, and the graph run.
//!
//! While a thread traces, every call goes into the graph: what was a tensor before becomes a constant, and handles of
//! resources (variables) are fed at each run. Calls that touch one resource keep the order in which the function made
//! them; those that change one run even if nothing depends on them.
//!
//! [`cond`] and [`while_loop`] trace their bodies into functions that a node of the graph calls (`called`): what a body
//! uses of the values around it, and the handles of its variables, are arguments of the function.

mod arguments;
mod branches;
mod building;
mod called;
mod compiled;
mod function;
mod loops;

use std::cell::RefCell;
use std::sync::Arc;

use oplink_api::call::{Call, Outputs};
use oplink_api::{Error, NodeInfo, Result};

pub use arguments::{Arguments, FromArguments, Results};
pub use branches::cond;
pub(crate) use building::{Captured, Trace};
pub(crate) use called::{function_call, gradients_of_call};
#[cfg(feature = "saved_model")]
pub(crate) use compiled::session;
pub use function::{Function, function};
pub use loops::while_loop;

use crate::value::Value;

thread_local! {
    /// The trace that this thread makes, and behind it those of the bodies of conditions and loops in it: the last one
    /// is what calls go into.
    static TRACES: RefCell<Vec<Trace>> = const { RefCell::new(Vec::new()) };
}

/// Whether this thread makes a trace.
#[inline]
pub(crate) fn is_tracing() -> bool {
    TRACES.with_borrow(|traces| !traces.is_empty())
}

/// Whether what this thread traces is written into a file.
pub(crate) fn is_for_export() -> bool {
    TRACES.with_borrow(|traces| traces.first().is_some_and(|trace| trace.is_for_export))
}

/// Adds a call to the trace of this thread.
pub(crate) fn add(call: Call<Value>) -> Result<(Outputs<Value>, Arc<NodeInfo>)> {
    with_current(|trace| trace.add(call))
}

/// What `change` makes of the trace of this thread.
pub(crate) fn with_current<R>(change: impl FnOnce(&mut Trace) -> Result<R>) -> Result<R> {
    TRACES.with_borrow_mut(|traces| match traces.last_mut() {
        Some(trace) => change(trace),
        None => Err(Error::internal("a call is traced, and there is no trace")),
    })
}

/// Notes that a body reads a variable which the tapes around it are to watch.
pub(crate) fn note_watched(value: &Value) {
    TRACES.with_borrow_mut(|traces| {
        if let [_, .., inner] = &mut traces[..] {
            inner.note_watched(value);
        }
    });
}

/// Runs `body` with this trace as that of the thread; the trace, with what was added.
pub(crate) fn within<R>(trace: Trace, body: impl FnOnce() -> Result<R>) -> Result<(R, Trace)> {
    let depth = TRACES.with_borrow_mut(|traces| {
        traces.push(trace);
        traces.len() - 1
    });
    let ended = Ended(depth);
    let result = body();
    let trace = TRACES.with_borrow_mut(|traces| if traces.len() == depth + 1 { traces.pop() } else { None });
    drop(ended);
    let trace = trace.ok_or_else(|| Error::internal("a trace was lost while it was made"))?;
    Ok((result?, trace))
}

/// So many traces again, by whatever way that is reached.
struct Ended(usize);

impl Drop for Ended {
    fn drop(&mut self) {
        TRACES.with_borrow_mut(|traces| traces.truncate(self.0));
    }
}

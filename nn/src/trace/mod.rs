//! Traced functions: the calls of a Rust function, made into a graph once, and the graph run.
//!
//! While a thread traces, every call goes into the graph: what was a tensor before becomes a constant, and handles of
//! resources (variables) are fed at each run. Calls that touch one resource keep the order in which the function made
//! them; those that change one run even if nothing depends on them.

mod arguments;
mod building;
mod compiled;
mod function;

use std::cell::RefCell;
use std::sync::Arc;

use oplink_api::call::{Call, Outputs};
use oplink_api::{Error, NodeInfo, Result};

pub use arguments::{Arguments, FromArguments, Results};
pub(crate) use building::{Captured, Trace};
#[cfg(feature = "saved_model")]
pub(crate) use compiled::session;
pub use function::{Function, function};

use crate::value::Value;

thread_local! {
    /// The trace that this thread makes.
    static TRACE: RefCell<Option<Trace>> = const { RefCell::new(None) };
}

/// Whether this thread makes a trace.
#[inline]
pub(crate) fn is_tracing() -> bool {
    TRACE.with_borrow(Option::is_some)
}

/// Adds a call to the trace of this thread.
pub(crate) fn add(call: Call<Value>) -> Result<(Outputs<Value>, Arc<NodeInfo>)> {
    with_current(|trace| trace.add(call))
}

/// What `change` makes of the trace of this thread.
pub(crate) fn with_current<R>(change: impl FnOnce(&mut Trace) -> Result<R>) -> Result<R> {
    TRACE.with_borrow_mut(|trace| match trace {
        Some(trace) => change(trace),
        None => Err(Error::internal("a call is traced, and there is no trace")),
    })
}

/// Runs `body` with this trace as that of the thread; the trace, with what was added.
pub(crate) fn within<R>(trace: Trace, body: impl FnOnce() -> Result<R>) -> Result<(R, Trace)> {
    TRACE.set(Some(trace));
    let ended = Ended;
    let result = body();
    let trace = TRACE.take();
    drop(ended);
    let trace = trace.ok_or_else(|| Error::internal("a trace was lost while it was made"))?;
    Ok((result?, trace))
}

/// No trace any more, by whatever way that is reached.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        TRACE.set(None);
    }
}

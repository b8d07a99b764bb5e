//! Tapes: calls are recorded while they run, and gradients follow them back.
//!
//! The gradient of a call is that of its op's `#[gradient]`, which adds to a scope; here the scope is a
//! [`ValueScope`](crate::ValueScope), whose calls run at once and are recorded by other tapes, so that gradients of
//! gradients need nothing more. Within a traced function the same calls add to the function's graph.

mod backprop;
mod recorded;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use oplink_api::{Error, NodeInfo, Result};

use crate::trace;
use crate::value::{IntoValue, Value};
use recorded::{Record, Recorded};

thread_local! {
    /// The tapes of this thread.
    static TAPES: RefCell<Vec<Rc<RefCell<Recorded>>>> = const { RefCell::new(Vec::new()) };
    /// Whether there are some: what each call asks.
    static IS_RECORDING: Cell<bool> = const { Cell::new(false) };
}

/// Records the calls of this thread from its making on, as far as they depend on what it watches: variables that are
/// read, and values by [`Tape::watch`].
///
/// ```ignore
/// let tape = Tape::new();
/// let x = tape.watch(&Value::new(3.0f32));
/// let y = &x * &x;
/// let [dx] = tape.gradient(&y, [&x])?.try_into()?;
/// ```
#[derive(Debug)]
pub struct Tape {
    recorded: Rc<RefCell<Recorded>>,
}

impl Default for Tape {
    fn default() -> Self {
        Self::new()
    }
}

impl Tape {
    /// A tape for one gradient, which ends the recording and gives its memory back.
    pub fn new() -> Self {
        Self::with(false)
    }

    /// A tape for any number of gradients. It goes on recording, the calls of its gradients too.
    pub fn persistent() -> Self {
        Self::with(true)
    }

    fn with(is_persistent: bool) -> Self {
        let recorded = Rc::new(RefCell::new(Recorded::new(is_persistent)));
        TAPES.with_borrow_mut(|tapes| tapes.push(recorded.clone()));
        IS_RECORDING.set(true);
        Self { recorded }
    }

    /// Watches a value, which is given back.
    pub fn watch(&self, value: &Value) -> Value {
        self.recorded.borrow_mut().watch(value);
        value.clone()
    }

    /// Records nothing more.
    pub fn stop(&self) {
        remove(&self.recorded);
    }

    /// The gradients of the sum of `y`'s elements by each of `xs`: values that are watched or depend on such, variables
    /// that were read. `None` where `y` does not depend on one, or not differentiably, or the tape does not watch it.
    ///
    /// # Errors
    /// An op in between has no gradient, or its gradient fails; `y` carries an error; a tape that is not persistent
    /// gave its gradients already.
    pub fn gradient<X: Watched>(&self, y: &Value, xs: impl IntoIterator<Item = X>) -> Result<Vec<Option<Value>>> {
        self.gradient_of(y, None, &xs.into_iter().map(|x| x.watched()).collect::<Vec<_>>())
    }

    /// As [`Tape::gradient`], where each element of `y` counts as many times as `weights` says.
    ///
    /// # Errors
    /// As [`Tape::gradient`].
    pub fn weighted_gradient<X: Watched>(
        &self,
        y: &Value,
        weights: impl IntoValue,
        xs: impl IntoIterator<Item = X>,
    ) -> Result<Vec<Option<Value>>> {
        let weights = weights.into_value(Some(y.dtype()?))?;
        self.gradient_of(y, Some(weights), &xs.into_iter().map(|x| x.watched()).collect::<Vec<_>>())
    }

    fn gradient_of(&self, y: &Value, weights: Option<Value>, xs: &[Value]) -> Result<Vec<Option<Value>>> {
        y.dtype()?;
        let is_persistent = self.recorded.borrow().is_persistent;
        if !is_persistent {
            remove(&self.recorded);
        }
        let taken = self.recorded.borrow_mut().take();
        let (records, watched) = taken.ok_or_else(|| {
            Error::invalid_argument(
                "a tape that is not persistent computes gradients once: make it by `Tape::persistent` for more",
            )
        })?;
        backprop::gradients(&records, &watched, y, weights, xs)
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        remove(&self.recorded);
    }
}

fn remove(recorded: &Rc<RefCell<Recorded>>) {
    // The thread may be at its end, where no tape is left.
    let _ = TAPES.try_with(|tapes| {
        let mut tapes = tapes.borrow_mut();
        tapes.retain(|tape| !Rc::ptr_eq(tape, recorded));
        IS_RECORDING.set(!tapes.is_empty());
    });
}

/// What gradients are taken by.
pub trait Watched {
    /// The value that tapes know it by.
    fn watched(&self) -> Value;
}

impl Watched for Value {
    fn watched(&self) -> Value {
        self.clone()
    }
}

impl<X: Watched + ?Sized> Watched for &X {
    fn watched(&self) -> Value {
        (**self).watched()
    }
}

/// Whether a tape of this thread records.
#[inline]
pub(crate) fn is_recording() -> bool {
    IS_RECORDING.get()
}

/// Watches a value on all tapes of this thread: a variable that is read. In the body of a condition or loop that is
/// traced, it is watched by the tapes around it too.
pub(crate) fn watch_on_all(value: &Value) {
    trace::note_watched(value);
    if is_recording() {
        TAPES.with_borrow(|tapes| tapes.iter().for_each(|tape| tape.borrow_mut().watch(value)));
    }
}

/// Records a call on the tapes that watch what it depends on.
pub(crate) fn record(node: &Arc<NodeInfo>, inputs: Vec<Value>, outputs: &[Value]) {
    record_on_all(Record { node: node.clone(), inputs, outputs: outputs.to_vec(), is_opaque: false });
}

fn record_on_all(record: Record) {
    let record = Rc::new(record);
    TAPES.with_borrow(|tapes| tapes.iter().for_each(|tape| tape.borrow_mut().record(&record)));
}

/// Runs `body` while the tapes of this thread record nothing: what it calls is the body of a function, whose call they
/// record.
pub(crate) fn suspended<R>(body: impl FnOnce() -> R) -> R {
    let _resumed = Resumed(TAPES.take());
    IS_RECORDING.set(false);
    body()
}

/// Tapes that record again when this is dropped.
struct Resumed(Vec<Rc<RefCell<Recorded>>>);

impl Drop for Resumed {
    fn drop(&mut self) {
        let tapes = std::mem::take(&mut self.0);
        IS_RECORDING.set(!tapes.is_empty());
        TAPES.set(tapes);
    }
}

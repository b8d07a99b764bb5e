//! Releasing the GIL around work with values that must stay on their thread.
#![allow(unsafe_code, reason = "room: what the GIL is released around")]

use pyo3::prelude::*;

/// What is used by the thread that made it only.
struct SameThread<T>(T);

// SAFETY: `Python::detach` runs its closure on the calling thread and before it returns, so that nothing comes to
// another thread. PyO3 asks for `Send` to keep references to Python objects out; `detached` has none among its
// arguments, since `Work` takes no token of the interpreter.
unsafe impl<T> Send for SameThread<T> {}

impl<T> SameThread<T> {
    fn into_inner(self) -> T {
        self.0
    }
}

/// Runs `work` on this thread without the GIL. It must not touch Python objects.
pub(crate) fn detached<R>(py: Python<'_>, work: impl FnOnce() -> R) -> R {
    let work = SameThread(work);
    py.detach(|| SameThread(work.into_inner()())).into_inner()
}

//! Runs of asynchronous kernels that were not called back yet.
//!
//! What a plugin gets to call back with is a number, not an address: calling back twice finds nothing the second time.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::collections::HashMap;
use std::ptr;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use oplink_abi::TF_AsyncOpKernelDoneCallback;

use super::context::Context;
use crate::guard::without_status;

/// A context that C holds too, so that it stays behind its address.
struct Lent(*mut Context);

// SAFETY: contexts of asynchronous runs may be used from any thread, one at a time.
unsafe impl Send for Lent {}

#[derive(Default)]
struct Runs {
    last: usize,
    lent: HashMap<usize, Lent>,
}

fn runs() -> MutexGuard<'static, Runs> {
    static RUNS: LazyLock<Mutex<Runs>> = LazyLock::new(Mutex::default);
    RUNS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts a run where the plugin can use it until it calls back: the context's address, and what to call back with.
pub(super) fn lend(context: Context) -> (*mut Context, *mut TF_AsyncOpKernelDoneCallback) {
    let lent = Box::into_raw(Box::new(context));
    let mut runs = runs();
    runs.last += 1;
    let number = runs.last;
    runs.lent.insert(number, Lent(lent));
    (lent, ptr::without_provenance_mut(number))
}

/// Ends an asynchronous run. A callback that was called before, or is none, changes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn TF_RunAsyncOpKernelDoneCallback(done: *mut TF_AsyncOpKernelDoneCallback) {
    without_status((), || {
        let lent = runs().lent.remove(&done.addr());
        if let Some(Lent(context)) = lent {
            // SAFETY: boxed by `lend`, and taken out of the table once; the plugin is done with it.
            unsafe { Box::from_raw(context) }.complete();
        }
    });
}

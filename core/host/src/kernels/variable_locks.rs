//! Variables that a kernel holds for itself.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_int;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oplink_abi::{TF_OpKernelContext, TF_Status, TF_VariableInputLockHolder, VariableCopyFn};
use oplink_api::resource::{Variable, VariableGuard};
use oplink_api::{Result, bail};

use super::context::of_run_mut;
use super::inputs::variable_of;
use crate::guard::{borrow_mut, slice, with_status, without_status};

/// A locked variable. Fields are dropped in order: the guard before what it guards.
pub(super) struct Held {
    guard: VariableGuard<'static>,
    variable: Arc<Variable>,
}

// SAFETY: a run and its locks stay on the thread that computes it; the table of asynchronous runs never gets locks.
unsafe impl Send for Held {}

impl Held {
    fn new(variable: Arc<Variable>) -> Self {
        // SAFETY: the variable lives in its `Arc`, which outlives the guard: fields are dropped in order.
        let borrowed: &'static Variable = unsafe { &*Arc::as_ptr(&variable) };
        Self { guard: borrowed.lock(), variable }
    }
}

/// The locks of a run, shared by the run and by the holder that the plugin has.
#[derive(Clone, Default)]
pub(super) struct Locks(Arc<Mutex<Vec<Held>>>);

impl Locks {
    fn held(&self) -> MutexGuard<'_, Vec<Held>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `body` on the guard of a variable that is held here.
    pub(super) fn with<T>(
        &self,
        variable: &Arc<Variable>,
        body: impl FnOnce(&mut VariableGuard<'_>) -> Result<T>,
    ) -> Option<Result<T>> {
        let mut held = self.held();
        let found = held.iter_mut().find(|held| Arc::ptr_eq(&held.variable, variable))?;
        Some(body(&mut found.guard))
    }
}

/// Locks the variables of these inputs, in an order that all kernels share, until the holder is released or the run
/// ends. Without `do_lock` the holder is null: each access locks for itself.
///
/// # Safety
/// The context is null or that of the run that goes on; `inputs` holds `len` numbers; `holder` is null or writable; the
/// status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_MaybeLockVariableInputMutexesInOrder(
    context: *mut TF_OpKernelContext,
    do_lock: bool,
    _sparse: bool,
    inputs: *const c_int,
    len: usize,
    _copy: VariableCopyFn,
    holder: *mut *mut TF_VariableInputLockHolder,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_MaybeLockVariableInputMutexesInOrder";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `holder` is null or a slot (Safety section).
        let (run, holder) = unsafe { (of_run_mut(context, NAME)?, borrow_mut(holder, NAME, "lockHolder")?) };
        *holder = ptr::null_mut();
        if !do_lock {
            return Ok(());
        }
        if run.env().is_none() || run.locks.is_some() {
            bail!("{NAME}: an asynchronous kernel, or one that holds variables already, cannot lock any");
        }
        // SAFETY: `inputs` is null or has `len` elements (Safety section).
        let inputs = unsafe { slice(inputs, len, NAME, "inputs") }?;
        let variables = inputs.iter().map(|&input| variable_of(run.input(input)?.1));
        let mut variables = variables.collect::<Result<Vec<_>>>()?;
        variables.sort_by_key(|variable| Arc::as_ptr(variable).addr());
        variables.dedup_by(|a, b| Arc::ptr_eq(a, b));
        let locks = Locks::default();
        locks.held().extend(variables.into_iter().map(Held::new));
        run.locks = Some(locks.clone());
        *holder = Box::into_raw(Box::new(locks)).cast();
        Ok(())
    });
}

/// Releases the variables, on the thread that locked them, and frees the holder; null is allowed.
///
/// # Safety
/// The holder is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ReleaseVariableInputLockHolder(holder: *mut TF_VariableInputLockHolder) {
    if !holder.is_null() {
        // SAFETY: holders are boxes of locks.
        let locks = unsafe { Box::from_raw(holder.cast::<Locks>()) };
        without_status((), || locks.held().clear());
    }
}

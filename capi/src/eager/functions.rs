//! Functions of eager contexts, which calls name in place of ops or by attrs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_uchar};

use oplink_abi::{TF_Function, TF_Status, TFE_Context};
use oplink_api::Result;
use oplink_host::guard::{text, with_status, without_status};
use oplink_proto::FunctionDef;

use super::Context;
use crate::functions::ClientFunction;
use crate::support::message;

impl Context {
    fn add_function(&self, function: &FunctionDef) -> Result<()> {
        self.functions().add(self.eager().registry(), function)
    }
}

/// Adds a function of a serialized `FunctionDef`. The same one again is counted; another one of its name is refused.
///
/// # Safety
/// The handles are null or alive; `serialized_function_def` holds `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextAddFunctionDef(
    ctx: *mut TFE_Context,
    serialized_function_def: *const c_char,
    size: usize,
    status: *mut TF_Status,
) {
    const NAME: &str = "TFE_ContextAddFunctionDef";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let (context, function) = unsafe {
            let context = Context::borrow(ctx, NAME)?;
            (context, message(serialized_function_def.cast(), size, NAME, "serialized_function_def")?)
        };
        context.add_function(&function)
    });
}

/// Adds a function; see [`TFE_ContextAddFunctionDef`].
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextAddFunction(
    ctx: *mut TFE_Context,
    function: *mut TF_Function,
    status: *mut TF_Status,
) {
    const NAME: &str = "TFE_ContextAddFunction";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let (context, function) =
            unsafe { (Context::borrow(ctx, NAME)?, ClientFunction::borrow(function, NAME, "function")?) };
        context.add_function(&function.def)
    });
}

/// Removes a function: it goes when it was removed as often as it was added.
///
/// # Safety
/// The handles are null or alive; `name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextRemoveFunction(ctx: *mut TFE_Context, name: *const c_char, status: *mut TF_Status) {
    const NAME: &str = "TFE_ContextRemoveFunction";
    with_status(status, NAME, (), || {
        // SAFETY: the caller's contract.
        let (context, name) = unsafe { (Context::borrow(ctx, NAME)?, text(name, NAME, "name")?) };
        if context.functions().remove(name)? {
            context.eager().forget(name);
        }
        Ok(())
    });
}

/// 1 where there is a function of this name, else 0.
///
/// # Safety
/// The handle is null or alive; `name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextHasFunction(ctx: *mut TFE_Context, name: *const c_char) -> c_uchar {
    const NAME: &str = "TFE_ContextHasFunction";
    without_status(0, || {
        // SAFETY: the caller's contract.
        let asked = unsafe { Context::borrow(ctx, NAME).and_then(|context| Ok((context, text(name, NAME, "name")?))) };
        asked.map_or(0, |(context, name)| c_uchar::from(context.functions().has(name)))
    })
}

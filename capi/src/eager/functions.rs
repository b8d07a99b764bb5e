//! Functions of eager contexts, which calls name in place of ops or by attrs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_uchar};

use oplink_abi::{TF_Function, TFE_Context};
use oplink_api::Result;
use oplink_host::c_api;
use oplink_host::guard::{text, without_status};
use oplink_proto::FunctionDef;

use super::Context;
use crate::functions::ClientFunction;
use crate::support::message;

impl Context {
    fn add_function(&self, function: &FunctionDef) -> Result<()> {
        self.functions().add(self.eager().registry(), function)
    }
}

c_api! {
    /// Adds a function of a serialized `FunctionDef`. The same one again is counted; another one of its name is
    /// refused.
    ///
    /// # Safety
    /// The handles are null or alive; `serialized_function_def` holds `size` bytes.
    fn TFE_ContextAddFunctionDef(ctx: *mut TFE_Context, serialized_function_def: *const c_char, size: usize; status) {
        // SAFETY: `ctx` is null or alive and `serialized_function_def` is null or has `size` bytes (Safety section).
        let (context, function) = unsafe {
            let context = Context::borrow(ctx, NAME)?;
            (context, message(serialized_function_def.cast(), size, NAME, "serialized_function_def")?)
        };
        context.add_function(&function)
    }

    /// Adds a function; see [`TFE_ContextAddFunctionDef`].
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_ContextAddFunction(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        function: *mut TF_Function => { ClientFunction::borrow(function, NAME, "function") };
        status
    ) {
        context.add_function(&function.def)
    }

    /// Removes a function: it goes when it was removed as often as it was added.
    ///
    /// # Safety
    /// The handles are null or alive; `name` is null or a terminated string.
    fn TFE_ContextRemoveFunction(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        name: *const c_char => text;
        status
    ) {
        if context.functions().remove(name)? {
            context.eager().forget(name);
        }
        Ok(())
    }
}

/// 1 where there is a function of this name, else 0.
///
/// # Safety
/// The handle is null or alive; `name` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_ContextHasFunction(ctx: *mut TFE_Context, name: *const c_char) -> c_uchar {
    const NAME: &str = "TFE_ContextHasFunction";
    without_status(0, || {
        // SAFETY: `ctx` is null or alive and `name` is null or a terminated string (Safety section).
        let asked = unsafe { Context::borrow(ctx, NAME).and_then(|context| Ok((context, text(name, NAME, "name")?))) };
        asked.map_or(0, |(context, name)| c_uchar::from(context.functions().has(name)))
    })
}

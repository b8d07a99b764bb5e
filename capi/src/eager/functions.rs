//! Functions of eager contexts, which calls name in place of ops or by attrs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_uchar};
use std::ptr;

use oplink_abi::{TF_Buffer, TF_Function, TFE_Context};
use oplink_api::{Error, Result};
use oplink_host::c_api;
use oplink_host::guard::{text, without_status};
use oplink_proto::{FunctionDef, to_bytes};

use super::Context;
use crate::functions::ClientFunction;
use crate::support::{fill, message};

impl Context {
    fn add_function(&self, function: &FunctionDef) -> Result<()> {
        let devices = self.devices();
        if !devices.are_of_a_task() {
            return self.functions().add(self.eager().registry(), function);
        }
        let mut function = function.clone();
        function.node_def.iter_mut().for_each(|node| node.device = devices.local_name(&node.device));
        self.functions().add(self.eager().registry(), &function)
    }

    fn function(&self, name: &str, asking: &str) -> Result<FunctionDef> {
        let missing = || Error::not_found(format!("{asking}: the context has no function `{}`", name.escape_debug()));
        self.functions().def(name).ok_or_else(missing)
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

    /// A function, which the client deletes.
    ///
    /// # Safety
    /// The handles are null or alive; `name` is null or a terminated string.
    fn TFE_ContextGetFunction(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        name: *const c_char => text;
        status
    ) -> (*mut TF_Function = ptr::null_mut()) {
        Ok(ClientFunction::new(context.function(name, NAME)?).into_handle())
    }

    /// A function as a serialized `FunctionDef`.
    ///
    /// # Safety
    /// The handles are null or alive; `function_name` is null or a terminated string.
    fn TFE_ContextGetFunctionDef(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        function_name as name: *const c_char => text,
        buf: *mut TF_Buffer;
        status
    ) {
        let def = context.function(name, NAME)?;
        // SAFETY: `buf` is null or alive (Safety section).
        unsafe { fill(buf, &to_bytes(&def), NAME, "buf") }
    }

    /// Where the nodes of a function were made, as a serialized `GraphDebugInfo`: empty, since no traces are kept.
    ///
    /// # Safety
    /// The handles are null or alive; `function_name` is null or a terminated string.
    fn TFE_ContextGetGraphDebugInfo(
        ctx as context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        function_name as name: *const c_char => text,
        buf: *mut TF_Buffer;
        status
    ) {
        context.function(name, NAME)?;
        // SAFETY: `buf` is null or alive (Safety section).
        unsafe { fill(buf, &[], NAME, "buf") }
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

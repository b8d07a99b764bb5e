//! `TF_Function`: functions made of graphs, read from messages, and put into graphs.
#![allow(unsafe_code, reason = "room: the C ABI")]

pub mod from_graph;
pub mod library;

use std::ffi::{CString, c_char, c_void};
use std::ptr;

use oplink_abi::{TF_Buffer, TF_Function};
use oplink_api::{Error, Result};
use oplink_host::c_api;
use oplink_host::guard::{borrow, borrow_mut, delete, text};
use oplink_proto::{AttrValue, FunctionDef, to_bytes};

use crate::support::{c_string, fill, message};

/// What a `TF_Function` is here.
#[derive(Debug)]
pub(crate) struct ClientFunction {
    pub(crate) def: FunctionDef,
    name: CString,
}

impl ClientFunction {
    pub(crate) fn new(def: FunctionDef) -> Self {
        let name = c_string(def.signature.as_ref().map_or("", |signature| &signature.name));
        Self { def, name }
    }

    /// A handle; `TF_DeleteFunction` frees it.
    pub(crate) fn into_handle(self) -> *mut TF_Function {
        Box::into_raw(Box::new(self)).cast()
    }

    /// The function behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive for `'a`.
    pub(crate) unsafe fn borrow<'a>(function: *const TF_Function, caller: &str, argument: &str) -> Result<&'a Self> {
        // SAFETY: `function` is null or alive (Safety section).
        unsafe { borrow(function.cast::<Self>(), caller, argument) }
    }
}

/// The name, valid as long as the function; empty for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_FunctionName(func: *mut TF_Function) -> *const c_char {
    // SAFETY: `func` is null or alive (Safety section).
    unsafe { func.cast::<ClientFunction>().as_ref() }.map_or(c"".as_ptr(), |function| function.name.as_ptr())
}

c_api! {
    /// The function as a serialized `FunctionDef`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TF_FunctionToFunctionDef(func: *mut TF_Function, output_func_def: *mut TF_Buffer; status) {
        // SAFETY: `func` is null or alive and `output_func_def` is null or alive (Safety section).
        unsafe {
            let function = ClientFunction::borrow(func, NAME, "func")?;
            fill(output_func_def, &to_bytes(&function.def), NAME, "output_func_def")
        }
    }

    /// A function of a serialized `FunctionDef`.
    ///
    /// # Safety
    /// The status is null or alive; `proto` holds `proto_len` bytes.
    fn TF_FunctionImportFunctionDef(
        proto: *const c_void,
        proto_len: usize;
        status
    ) -> (*mut TF_Function = ptr::null_mut()) {
        // SAFETY: `proto` is null or has `proto_len` bytes (Safety section).
        let def: FunctionDef = unsafe { message(proto, proto_len, NAME, "proto") }?;
        Ok(ClientFunction::new(def).into_handle())
    }

    /// Sets an attr of a function from a serialized `AttrValue`.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string; `proto` holds `proto_len` bytes.
    fn TF_FunctionSetAttrValueProto(
        func: *mut TF_Function,
        attr_name: *const c_char,
        proto: *const c_void,
        proto_len: usize;
        status
    ) {
        // SAFETY: `func` is null or alive, `attr_name` is null or a terminated string and `proto` is null or has
        // `proto_len` bytes (Safety section).
        let (function, name, value) = unsafe {
            let function = borrow_mut(func.cast::<ClientFunction>(), NAME, "func")?;
            (function, text(attr_name, NAME, "attr_name")?, message::<AttrValue>(proto, proto_len, NAME, "proto")?)
        };
        function.def.attr.insert(name.to_owned(), value);
        Ok(())
    }

    /// An attr of a function as a serialized `AttrValue`.
    ///
    /// # Safety
    /// The handles are null or alive; `attr_name` is null or a terminated string.
    fn TF_FunctionGetAttrValueProto(
        func as function: *mut TF_Function => { ClientFunction::borrow(func, NAME, "func") },
        attr_name as name: *const c_char => text,
        output_attr_value: *mut TF_Buffer;
        status
    ) {
        let Some(value) = function.def.attr.get(name) else {
            let function = function.name.to_string_lossy();
            return Err(Error::invalid_argument(format!(
                "function `{function}` has no attr `{}`",
                name.escape_debug()
            )));
        };
        // SAFETY: `output_attr_value` is null or alive (Safety section).
        unsafe { fill(output_attr_value, &to_bytes(value), NAME, "output_attr_value") }
    }
}

/// Frees a function; null is allowed. Graphs that have it keep it.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteFunction(func: *mut TF_Function) {
    // SAFETY: `func` is null or a box that this library made and that the caller gives up.
    unsafe { delete(func.cast::<ClientFunction>()) }
}

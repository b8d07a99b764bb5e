//! Declarations of ops, and of the functions of a graph, by name.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::{TF_Buffer, TF_FunctionLibraryDefinition};
use oplink_api::{Error, Result};
use oplink_core::Registry;
use oplink_proto::{FunctionDefLibrary, GraphDef, OpDef, spec_to_op_def, to_bytes};

use crate::buffer::{bytes, fill};
use crate::c_api;
use crate::guard::{borrow, borrow_mut, delete, text};

/// What a `TF_FunctionLibraryDefinition` is here.
#[derive(Debug)]
struct Library(FunctionDefLibrary);

impl Library {
    /// The declaration of a function of the graph, or of an op of the process.
    fn op_def(&self, name: &str) -> Result<OpDef> {
        let signatures = self.0.function.iter().filter_map(|function| function.signature.as_ref());
        match signatures.into_iter().find(|signature| signature.name == name) {
            Some(signature) => Ok(signature.clone()),
            None => Ok(spec_to_op_def(&Registry::global()?.op(name)?.spec)),
        }
    }
}

/// The library behind a handle.
///
/// # Safety
/// A handle that is not null is alive for `'a`.
unsafe fn library_of<'a>(
    library: *mut TF_FunctionLibraryDefinition,
    function: &str,
    argument: &str,
) -> Result<&'a Library> {
    // SAFETY: `library` is null or alive (Safety section).
    unsafe { borrow(library.cast::<Library>(), function, argument) }
}

c_api! {
    /// The functions of a serialized `GraphDef`.
    ///
    /// # Safety
    /// The handles are null or alive; the buffer holds as many bytes as it says.
    fn TF_NewFunctionLibraryDefinition(graph_buf: *const TF_Buffer; status)
        -> (*mut TF_FunctionLibraryDefinition = ptr::null_mut())
    {
        // SAFETY: `graph_buf` is null or alive (Safety section).
        let bytes = unsafe { bytes(graph_buf, NAME, "graph_buf") }?;
        let graph: Result<GraphDef, _> = oplink_proto::from_bytes(bytes.to_vec());
        let graph = graph.map_err(|error| Error::invalid_argument(format!("{NAME}: `graph_buf`: {error}")))?;
        Ok(Box::into_raw(Box::new(Library(graph.library.unwrap_or_default()))).cast())
    }
}

/// Frees a library; null is allowed.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteFunctionLibraryDefinition(fn_lib: *mut TF_FunctionLibraryDefinition) {
    // SAFETY: `fn_lib` is null or a box that this library made and that the caller gives up.
    unsafe { delete(fn_lib.cast::<Library>()) }
}

c_api! {
    /// The declaration of a function of the graph, or of an op, as a serialized `OpDef`.
    ///
    /// # Safety
    /// The handles are null or alive; `name` is null or a terminated string.
    fn TF_LookUpOpDef(
        fn_lib: *mut TF_FunctionLibraryDefinition => library_of,
        name: *const c_char => text,
        buf: *mut TF_Buffer => borrow_mut;
        status
    ) {
        fill(buf, &to_bytes(&fn_lib.op_def(name)?));
        Ok(())
    }
}

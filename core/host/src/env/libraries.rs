//! Libraries that a plugin opens for itself. They stay mapped.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::ptr::{self, NonNull};

use oplink_abi::TF_Status;
use oplink_api::Error;

use crate::guard::{text, with_status};
use crate::load::Library;

/// Opens a library; null where that fails.
///
/// # Safety
/// `filename` is null or terminated; the status is null or alive. The library's initialisers run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_LoadSharedLibrary(filename: *const c_char, status: *mut TF_Status) -> *mut c_void {
    const NAME: &str = "TF_LoadSharedLibrary";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `filename` is null or terminated.
        let name = unsafe { text(filename, NAME, "filename") }?;
        // SAFETY: who calls this function has the library's initialisers run.
        let library = unsafe { Library::map(OsStr::new(name)) };
        library.map(Library::into_handle).map_err(Error::not_found)
    })
}

/// The address of a symbol of a library; null where there is none.
///
/// # Safety
/// `handle` came from [`TF_LoadSharedLibrary`]; `symbol_name` is null or terminated; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetSymbolFromLibrary(
    handle: *mut c_void,
    symbol_name: *const c_char,
    status: *mut TF_Status,
) -> *mut c_void {
    const NAME: &str = "TF_GetSymbolFromLibrary";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `symbol_name` is null or terminated.
        unsafe { text(symbol_name, NAME, "symbol_name") }?;
        let Some(handle) = NonNull::new(handle) else {
            return Err(Error::invalid_argument(format!("{NAME}: `handle` is null")));
        };
        // SAFETY: the name was checked not to be null; it is terminated.
        let name = unsafe { CStr::from_ptr(symbol_name) };
        // SAFETY: the handle came from `TF_LoadSharedLibrary`.
        unsafe { Library::from_handle(handle) }.find(name).map_err(Error::not_found)
    })
}

//! Libraries that a plugin opens for itself. They stay mapped.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};
use std::ptr;

use oplink_abi::TF_Status;
use oplink_api::{Error, Result};

use crate::guard::{text, with_status};
use crate::load::last_error;

/// Opens a library; null where that fails.
///
/// # Safety
/// `filename` is null or terminated; the status is null or alive. The library's initialisers run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_LoadSharedLibrary(filename: *const c_char, status: *mut TF_Status) -> *mut c_void {
    const NAME: &str = "TF_LoadSharedLibrary";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: the caller's contract.
        unsafe { text(filename, NAME, "filename") }?;
        // SAFETY: a terminated string; the caller vouches for the library's initialisers.
        let library = unsafe { libc::dlopen(filename, libc::RTLD_NOW | libc::RTLD_LOCAL) };
        found(library)
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
        // SAFETY: the caller's contract.
        unsafe { text(symbol_name, NAME, "symbol_name") }?;
        if handle.is_null() {
            return Err(Error::invalid_argument(format!("{NAME}: `handle` is null")));
        }
        // SAFETY: the caller's contract.
        found(unsafe { libc::dlsym(handle, symbol_name) })
    })
}

fn found(pointer: *mut c_void) -> Result<*mut c_void> {
    if pointer.is_null() { Err(Error::not_found(last_error())) } else { Ok(pointer) }
}

//! Libraries of ops and kernels that are loaded while the process runs.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};
use std::ptr;

use oplink_abi::{TF_Buffer, TF_Library};
use oplink_api::Result;
use oplink_host::c_api;
use oplink_host::guard::{delete, text};
use oplink_host::load_library;
use oplink_proto::{OpList, spec_to_op_def, to_bytes};

/// What a `TF_Library` is here: the serialized list of the ops that it declares. The library itself stays loaded.
#[derive(Debug)]
struct Loaded(Vec<u8>);

fn load_ops(filename: &str) -> Result<*mut TF_Library> {
    oplink_device_pluggable::register();
    let info = load_library(filename)?;
    let ops = OpList { op: info.ops.iter().map(spec_to_op_def).collect() };
    Ok(Box::into_raw(Box::new(Loaded(to_bytes(&ops)))).cast())
}

c_api! {
    /// Loads a library; graphs that stand may use its ops from now on. The client deletes the handle.
    ///
    /// # Safety
    /// `library_filename` is null or a terminated string; the status is null or alive; the library keeps the rules of
    /// plugins.
    fn TF_LoadLibrary(library_filename: *const c_char; status) -> (*mut TF_Library = ptr::null_mut()) {
        // SAFETY: `library_filename` is null or a terminated string (Safety section).
        load_ops(unsafe { text(library_filename, NAME, "library_filename") }?)
    }
}

/// The ops of a library as a serialized `OpList`, which lives as long as the handle; empty for null.
///
/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetOpList(lib_handle: *mut TF_Library) -> TF_Buffer {
    // SAFETY: `lib_handle` is null or alive (Safety section).
    let list = unsafe { lib_handle.cast::<Loaded>().as_ref() }.map_or(&[][..], |library| &library.0);
    let data = if list.is_empty() { ptr::null() } else { list.as_ptr().cast::<c_void>() };
    TF_Buffer { data, length: list.len(), data_deallocator: None }
}

/// Frees a handle; null is allowed. The library stays loaded.
///
/// # Safety
/// The handle is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteLibraryHandle(lib_handle: *mut TF_Library) {
    // SAFETY: `lib_handle` is null or a box that this library made and that the caller gives up.
    unsafe { delete(lib_handle.cast::<Loaded>()) }
}

c_api! {
    /// Loads a library that has devices: they are added to those of the process, its ops and kernels as by
    /// [`TF_LoadLibrary`]. Sessions and contexts made from now on can use them.
    ///
    /// # Safety
    /// As [`TF_LoadLibrary`].
    fn TF_LoadPluggableDeviceLibrary(library_filename: *const c_char; status) -> (*mut TF_Library = ptr::null_mut()) {
        // SAFETY: `library_filename` is null or a terminated string (Safety section).
        load_ops(unsafe { text(library_filename, NAME, "library_filename") }?)
    }
}

/// The same as [`TF_DeleteLibraryHandle`].
///
/// # Safety
/// As [`TF_DeleteLibraryHandle`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeletePluggableDeviceLibraryHandle(lib_handle: *mut TF_Library) {
    // SAFETY: `lib_handle` is null or alive (Safety section).
    unsafe { TF_DeleteLibraryHandle(lib_handle) }
}

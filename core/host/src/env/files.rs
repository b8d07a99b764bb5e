//! Files that are written.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::fs::File;
use std::io::{BufWriter, Write};

use oplink_abi::{TF_Status, TF_WritableFileHandle};
use oplink_api::Result;

use super::failed;
use crate::guard::{borrow_mut, slice, text, with_status};

/// A file that is being written.
struct WritableFile {
    path: String,
    file: BufWriter<File>,
}

/// Makes a file, or empties the one of this name, to write it. The handle is null where that fails.
///
/// # Safety
/// `path` is null or terminated; `handle` null or writable; the status null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewWritableFile(
    path: *const c_char,
    handle: *mut *mut TF_WritableFileHandle,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_NewWritableFile";
    with_status(status, NAME, (), || {
        // SAFETY: `path` is null or a terminated string and `handle` is null or a slot (Safety section).
        let (path, handle) = unsafe { (text(path, NAME, "path")?, borrow_mut(handle, NAME, "handle")?) };
        *handle = std::ptr::null_mut();
        let file = File::create(path).map_err(|error| failed(path, &error))?;
        let file = WritableFile { path: path.to_owned(), file: BufWriter::new(file) };
        *handle = Box::into_raw(Box::new(file)).cast();
        Ok(())
    });
}

/// Writes all, closes the file and frees the handle.
///
/// # Safety
/// The handle is null, or alive and not used afterwards; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_CloseWritableFile(handle: *mut TF_WritableFileHandle, status: *mut TF_Status) {
    const NAME: &str = "TF_CloseWritableFile";
    with_status(status, NAME, (), || {
        // SAFETY: `handle` is null or alive (Safety section).
        unsafe { borrow_mut(handle, NAME, "handle") }?;
        // SAFETY: not null; a box of a file, by contract.
        let WritableFile { path, file } = *unsafe { Box::from_raw(handle.cast::<WritableFile>()) };
        file.into_inner().map(drop).map_err(|error| failed(&path, error.error()))
    });
}

/// Applies a function to a file that is being written.
///
/// # Safety
/// The handle is null or alive; the status is null or alive.
unsafe fn on_file(
    handle: *mut TF_WritableFileHandle,
    status: *mut TF_Status,
    function: &str,
    act: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) {
    with_status(status, function, (), || -> Result<()> {
        // SAFETY: `handle` is null or alive (Safety section).
        let WritableFile { path, file } = unsafe { borrow_mut(handle.cast::<WritableFile>(), function, "handle") }?;
        act(file).map_err(|error| failed(path, &error))
    });
}

/// Writes all to the disk.
///
/// # Safety
/// The handle is null or alive; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SyncWritableFile(handle: *mut TF_WritableFileHandle, status: *mut TF_Status) {
    // SAFETY: `handle` is null or alive and `status` is null or alive (Safety section).
    unsafe {
        on_file(handle, status, "TF_SyncWritableFile", |file| file.flush().and_then(|()| file.get_ref().sync_all()));
    }
}

/// Writes all to the system.
///
/// # Safety
/// The handle is null or alive; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_FlushWritableFile(handle: *mut TF_WritableFileHandle, status: *mut TF_Status) {
    // SAFETY: `handle` is null or alive and `status` is null or alive (Safety section).
    unsafe { on_file(handle, status, "TF_FlushWritableFile", Write::flush) }
}

/// Writes these bytes behind the others.
///
/// # Safety
/// The handle is null or alive; `data` holds `length` bytes; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_AppendWritableFile(
    handle: *mut TF_WritableFileHandle,
    data: *const c_char,
    length: usize,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_AppendWritableFile";
    // SAFETY: `data` is null or has `length` bytes (Safety section).
    match unsafe { slice(data.cast::<u8>(), length, NAME, "data") } {
        // SAFETY: `handle` is null or alive and `status` is null or alive (Safety section).
        Ok(bytes) => unsafe { on_file(handle, status, NAME, |file| file.write_all(bytes)) },
        Err(error) => with_status(status, NAME, (), || Err(error)),
    }
}

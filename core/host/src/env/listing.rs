//! Names of files, as streams of strings.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use oplink_abi::{TF_Status, TF_StringStream};

use super::failed;
use crate::guard::{borrow_mut, delete, text, with_status, without_status};

/// Strings, and the position of the next one.
struct StringStream {
    strings: Vec<CString>,
    next: usize,
}

fn stream(strings: impl Iterator<Item = String>) -> *mut TF_StringStream {
    let mut strings: Vec<CString> = strings.filter_map(|string| CString::new(string).ok()).collect();
    strings.sort();
    Box::into_raw(Box::new(StringStream { strings, next: 0 })).cast()
}

/// The next string of a stream, valid until the stream is done; false, and null, where there is none.
///
/// # Safety
/// The stream is null or alive; `result` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringStreamNext(list: *mut TF_StringStream, result: *mut *const c_char) -> bool {
    const NAME: &str = "TF_StringStreamNext";
    // SAFETY: `list` is null or alive and `result` is null or a slot (Safety section).
    let (list, result) =
        unsafe { (borrow_mut(list.cast::<StringStream>(), NAME, "list"), borrow_mut(result, NAME, "result")) };
    let (Ok(list), Ok(result)) = (list, result) else { return false };
    let string = list.strings.get(list.next);
    list.next += usize::from(string.is_some());
    *result = string.map_or(ptr::null(), |string| string.as_ptr());
    string.is_some()
}

/// Frees a stream; null is allowed.
///
/// # Safety
/// The stream is alive and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringStreamDone(list: *mut TF_StringStream) {
    // SAFETY: streams are boxes.
    unsafe { delete(list.cast::<StringStream>()) }
}

/// Names of what is in a folder; null where that fails.
///
/// # Safety
/// `path` is null or terminated; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetChildren(path: *const c_char, status: *mut TF_Status) -> *mut TF_StringStream {
    const NAME: &str = "TF_GetChildren";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `path` is null or a terminated string (Safety section).
        let path = unsafe { text(path, NAME, "path") }?;
        let entries = std::fs::read_dir(path).map_err(|error| failed(path, &error))?;
        Ok(stream(entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))))
    })
}

/// Folders for temporary files.
#[unsafe(no_mangle)]
pub extern "C" fn TF_GetLocalTempDirectories() -> *mut TF_StringStream {
    without_status(ptr::null_mut(), || stream(std::iter::once(std::env::temp_dir().to_string_lossy().into_owned())))
}

/// The path of a file that does not exist, of this extension. The caller frees it with `free`.
///
/// # Safety
/// `extension` is null or terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetTempFileName(extension: *const c_char) -> *mut c_char {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    without_status(ptr::null_mut(), || {
        // SAFETY: `extension` is null or a terminated string (Safety section).
        let extension = unsafe { text(extension, "TF_GetTempFileName", "extension") }.unwrap_or_default();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("oplink-{}-{number}-{}{extension}", std::process::id(), super::TF_NowNanos());
        let path = CString::new(std::env::temp_dir().join(name).to_string_lossy().into_owned()).unwrap_or_default();
        // SAFETY: a terminated string.
        unsafe { libc::strdup(path.as_ptr()) }
    })
}

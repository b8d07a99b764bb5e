//! Which file a declaration comes from.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::collections::HashSet;
use std::ffi::{CStr, c_void};
use std::sync::{Mutex, PoisonError};

use oplink_api::descriptors::Location;
use oplink_core::PLUGIN_CRATE;

use super::capture::current_location;

/// The file of an op that is declared outside of a load, without a function that would tell the library.
pub(super) const UNKNOWN: &str = "a library that registered itself";

/// The location of declarations of a plugin's file.
pub(super) fn location(file: &str) -> Location {
    Location { crate_name: PLUGIN_CRATE, crate_version: "", file: interned(file), line: 0 }
}

/// The text, leaked once: for names that plugins declare or call, of which there are few.
pub(crate) fn interned(text: &str) -> &'static str {
    static KNOWN: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    known.get(text).copied().unwrap_or_else(|| {
        let leaked: &'static str = text.to_owned().leak();
        known.insert(leaked);
        leaked
    })
}

/// Where a declaration comes from: the plugin that this thread loads, or else the library that `function` is in.
pub(crate) fn source_of(function: Option<*const ()>) -> Location {
    current_location().unwrap_or_else(|| location(function.and_then(library_of).as_deref().unwrap_or(UNKNOWN)))
}

/// The file of the library that an address is in.
fn library_of(address: *const ()) -> Option<String> {
    let mut found = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: any address may be asked for; `found` is writable.
    let known = unsafe { libc::dladdr(address.cast::<c_void>(), &raw mut found) } != 0;
    if !known || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: a terminated string that lives as long as the library.
    let name = unsafe { CStr::from_ptr(found.dli_fname) }.to_string_lossy();
    let path = std::fs::canonicalize(&*name).map(|path| path.to_string_lossy().into_owned());
    Some(path.unwrap_or_else(|_| name.into_owned()))
}

//! Statuses of the host as results, and errors as statuses.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, CString};

use oplink_abi::{TF_Code, TF_Status, TF_StringView, code};
use oplink_api::{Code, Error, ErrorKind, Result};

use crate::host::Host;

/// A status of the plugin's own.
pub(crate) struct Status {
    host: &'static Host,
    raw: *mut TF_Status,
}

// SAFETY: a status belongs to whoever holds it; the host does not bind it to a thread.
unsafe impl Send for Status {}

impl Status {
    pub(crate) fn new(host: &'static Host) -> Self {
        // SAFETY: the function has no arguments and may be called at any time.
        Self { host, raw: unsafe { (host.TF_NewStatus)() } }
    }

    /// The handle to pass.
    pub(crate) fn raw(&self) -> *mut TF_Status {
        self.raw
    }

    /// What it says.
    pub(crate) fn check(&self) -> Result<()> {
        // SAFETY: the status is alive; its message lives until it changes.
        unsafe {
            match (self.host.TF_GetCode)(self.raw) {
                code::OK => Ok(()),
                number => {
                    let message = CStr::from_ptr((self.host.TF_Message)(self.raw)).to_string_lossy();
                    Err(Error::new(Code::from_number(number), ErrorKind::KernelFailed, message))
                }
            }
        }
    }

    /// What it says; it is OK afterwards.
    pub(crate) fn take(&self) -> Result<()> {
        let result = self.check();
        if result.is_err() {
            // SAFETY: the status is alive.
            unsafe { (self.host.TF_SetStatus)(self.raw, code::OK, c"".as_ptr()) }
        }
        result
    }

    pub(crate) fn set(&self, error: &Error) {
        set(self.host, self.raw, error);
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        // SAFETY: made by `new`, freed once.
        unsafe { (self.host.TF_DeleteStatus)(self.raw) }
    }
}

/// Puts an error into a status of the host.
pub(crate) fn set(host: &Host, status: *mut TF_Status, error: &Error) {
    let message = c_string(&error.to_string());
    // SAFETY: the host passed the status or it is our own; the message is copied.
    unsafe { (host.TF_SetStatus)(status, error.code() as TF_Code, message.as_ptr()) }
}

/// Text as C has it.
pub(crate) fn c_string(text: &str) -> CString {
    CString::new(text).unwrap_or_else(|_| CString::new(text.replace('\0', "\\0")).unwrap_or_default())
}

/// Text of the host's.
///
/// # Safety
/// It is null or as long as it says.
pub(crate) unsafe fn text(view: TF_StringView) -> String {
    if view.data.is_null() {
        return String::new();
    }
    // SAFETY: not null; the caller's contract.
    let bytes = unsafe { std::slice::from_raw_parts(view.data.cast::<u8>(), view.len) };
    String::from_utf8_lossy(bytes).into_owned()
}

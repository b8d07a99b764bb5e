//! `TF_Status`: a code, a message, payloads.
#![allow(unsafe_code, reason = "room: the C ABI")]
#![allow(clippy::not_unsafe_ptr_arg_deref, reason = "the contract of a status is the C caller's; see `get`")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use oplink_abi::{PayloadVisitor, TF_Code, TF_Status, code};
use oplink_api::{Code, Error, ErrorKind, Result};

use crate::guard::{delete, without_status};

/// What a `TF_Status` is here.
#[derive(Debug, Default)]
struct Status {
    code: TF_Code,
    message: CString,
    payloads: Vec<(CString, CString)>,
}

impl Status {
    fn set(&mut self, code: TF_Code, message: CString) {
        *self = Self { code, message, payloads: Vec::new() };
    }
}

/// SAFETY contract of this file: a status that is not null came from `TF_NewStatus` and one thread uses it at a time.
unsafe fn get<'a>(status: *mut TF_Status) -> Option<&'a mut Status> {
    // SAFETY: `TF_NewStatus` made it of a `Status`.
    unsafe { status.cast::<Status>().as_mut() }
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).unwrap_or_default()
}

/// Clears a status.
pub fn set_ok(status: *mut TF_Status) {
    // SAFETY: by C's side of the interface, `status` is null or alive.
    if let Some(status) = unsafe { get(status) }
        && (status.code != code::OK || !status.message.is_empty())
    {
        *status = Status::default();
    }
}

/// Puts an error into a status: its code, and its message with all context.
pub fn set_error(status: *mut TF_Status, error: &Error) {
    // SAFETY: by C's side of the interface, `status` is null or alive.
    if let Some(status) = unsafe { get(status) } {
        status.set(error.code() as TF_Code, c_string(&error.to_string()));
    }
}

/// What a status says, as a result.
///
/// # Errors
/// The status is not OK.
pub fn to_result(status: *const TF_Status) -> Result<()> {
    // SAFETY: by C's side of the interface, `status` is null or alive.
    match unsafe { get(status.cast_mut()) } {
        Some(status) if status.code != code::OK => {
            let message = status.message.to_string_lossy();
            Err(Error::new(Code::from_number(status.code), ErrorKind::KernelFailed, message))
        }
        _ => Ok(()),
    }
}

/// A `TF_Status` for calls into plugins, which write to it through the C functions here.
#[derive(Clone, Copy, Debug)]
pub struct StatusFunctions {
    /// Makes a status that is OK.
    pub new: fn() -> *mut TF_Status,
    /// Frees a status of `new` and tells what it said.
    pub take: fn(*mut TF_Status) -> Result<()>,
}

impl StatusFunctions {
    /// Calls `body` with a status.
    ///
    /// # Errors
    /// What the status says afterwards.
    pub fn call<T>(self, body: impl FnOnce(*mut TF_Status) -> T) -> Result<T> {
        let status = (self.new)();
        let value = body(status);
        (self.take)(status).map(|()| value)
    }
}

/// How hosts of devices make statuses for calls into a plugin.
pub fn functions() -> StatusFunctions {
    fn take(status: *mut TF_Status) -> Result<()> {
        let said = to_result(status);
        // SAFETY: of `TF_NewStatus`, given up here.
        unsafe { TF_DeleteStatus(status) };
        said
    }
    StatusFunctions { new: || TF_NewStatus(), take }
}

/// A status of the host's own, freed at the end of its scope: for calls into a plugin.
#[derive(Debug)]
pub struct OwnedStatus(*mut TF_Status);

impl OwnedStatus {
    /// OK.
    pub fn new() -> Self {
        Self(TF_NewStatus())
    }

    /// The handle to pass.
    pub fn as_ptr(&self) -> *mut TF_Status {
        self.0
    }

    /// What it says.
    ///
    /// # Errors
    /// It is not OK.
    pub fn to_result(&self) -> Result<()> {
        to_result(self.0)
    }
}

impl Default for OwnedStatus {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for OwnedStatus {
    fn drop(&mut self) {
        // SAFETY: made by `new`, freed once.
        unsafe { TF_DeleteStatus(self.0) }
    }
}

/// A new status: OK, without a message.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NewStatus() -> *mut TF_Status {
    Box::into_raw(Box::<Status>::default()).cast()
}

/// Frees a status; null is allowed.
///
/// # Safety
/// The file's contract; the status is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteStatus(status: *mut TF_Status) {
    // SAFETY: made by `TF_NewStatus` as a box of this type.
    unsafe { delete(status.cast::<Status>()) }
}

/// Sets code and message; earlier payloads go.
///
/// # Safety
/// The file's contract; `message` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetStatus(status: *mut TF_Status, code: TF_Code, message: *const c_char) {
    without_status((), || {
        // SAFETY: `status` is null or alive (Safety section).
        let Some(status) = (unsafe { get(status) }) else { return };
        // A status that is OK carries no message.
        let message = if message.is_null() || code == code::OK {
            CString::default()
        } else {
            // SAFETY: not null, terminated by contract. The message may be the status's own.
            unsafe { CStr::from_ptr(message) }.to_owned()
        };
        status.set(code, message);
    });
}

/// Adds a payload, or replaces the one of the same key; an OK status keeps none.
///
/// # Safety
/// The file's contract; `key` and `value` are terminated strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetPayload(status: *mut TF_Status, key: *const c_char, value: *const c_char) {
    without_status((), || {
        // SAFETY: `status` is null or alive (Safety section).
        let Some(status) = (unsafe { get(status) }) else { return };
        if key.is_null() || value.is_null() || status.code == code::OK {
            return;
        }
        // SAFETY: not null, terminated by contract.
        let (key, value) = unsafe { (CStr::from_ptr(key).to_owned(), CStr::from_ptr(value).to_owned()) };
        status.payloads.retain(|(k, _)| *k != key);
        status.payloads.push((key, value));
    });
}

/// Shows each payload to `visitor`, in the order they were added.
///
/// # Safety
/// The file's contract; `visitor` may be called with `capture`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_ForEachPayload(status: *const TF_Status, visitor: PayloadVisitor, capture: *mut c_void) {
    // SAFETY: `status` is null or alive (Safety section).
    let (Some(status), Some(visitor)) = (unsafe { get(status.cast_mut()) }, visitor) else { return };
    for (key, value) in &status.payloads {
        // SAFETY: the caller vouches for its visitor; the strings live during the call.
        unsafe { visitor(key.as_ptr(), value.as_ptr(), capture) }
    }
}

/// Sets a status from an error number of the system.
///
/// # Safety
/// The file's contract; `context` is null or a terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_SetStatusFromIOError(status: *mut TF_Status, error_code: c_int, context: *const c_char) {
    without_status((), || {
        // SAFETY: `status` is null or alive (Safety section).
        let Some(status) = (unsafe { get(status) }) else { return };
        let error = std::io::Error::from_raw_os_error(error_code);
        // SAFETY: terminated by contract.
        let context = if context.is_null() { "".into() } else { unsafe { CStr::from_ptr(context) }.to_string_lossy() };
        status.set(Code::of_io_error(&error) as TF_Code, c_string(&format!("{context}; {error}")));
    });
}

/// The code; null is OK.
///
/// # Safety
/// The file's contract.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetCode(status: *const TF_Status) -> TF_Code {
    // SAFETY: `status` is null or alive (Safety section).
    unsafe { get(status.cast_mut()) }.map_or(code::OK, |status| status.code)
}

/// The message, empty where the status is OK; valid until the status changes.
///
/// # Safety
/// The file's contract.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_Message(status: *const TF_Status) -> *const c_char {
    // SAFETY: `status` is null or alive (Safety section).
    unsafe { get(status.cast_mut()) }.map_or(c"".as_ptr(), |status| status.message.as_ptr())
}

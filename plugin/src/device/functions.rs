//! The few C functions of the host that a device needs: statuses.
#![allow(unsafe_code, reason = "room: the C ABI")]
#![allow(non_snake_case, reason = "the names are the ABI's")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::OnceLock;

use oplink_abi::{TF_Code, TF_Status, code};
use oplink_api::{Code, Error, ErrorKind, Result};

use crate::lookup;
use crate::status::c_string;

/// Functions of `tf_status.h`.
struct Functions {
    TF_NewStatus: unsafe extern "C" fn() -> *mut TF_Status,
    TF_DeleteStatus: unsafe extern "C" fn(*mut TF_Status),
    TF_SetStatus: unsafe extern "C" fn(*mut TF_Status, TF_Code, *const c_char),
    TF_GetCode: unsafe extern "C" fn(*const TF_Status) -> TF_Code,
    TF_Message: unsafe extern "C" fn(*const TF_Status) -> *const c_char,
}

static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();

/// The functions of the host; `None` where it does not show them.
fn functions() -> Option<&'static Functions> {
    FUNCTIONS.get_or_init(find).as_ref()
}

fn find() -> Option<Functions> {
    let find = |name: &CStr| Some(lookup::find(name)).filter(|found: &*mut c_void| !found.is_null());
    // SAFETY: not null; the functions of these names have these signatures.
    unsafe {
        Some(Functions {
            TF_NewStatus: std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> *mut TF_Status>(find(
                c"TF_NewStatus",
            )?),
            TF_DeleteStatus: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut TF_Status)>(find(
                c"TF_DeleteStatus",
            )?),
            TF_SetStatus: std::mem::transmute::<
                *mut c_void,
                unsafe extern "C" fn(*mut TF_Status, TF_Code, *const c_char),
            >(find(c"TF_SetStatus")?),
            TF_GetCode: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*const TF_Status) -> TF_Code>(find(
                c"TF_GetCode",
            )?),
            TF_Message: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*const TF_Status) -> *const c_char>(
                find(c"TF_Message")?,
            ),
        })
    }
}

/// Tells the host how a call ended. For a host without `TF_SetStatus` it is written to standard error.
///
/// # Safety
/// The status is null or alive.
pub(super) unsafe fn set(status: *mut TF_Status, result: Result<()>) {
    let (code, message) = match &result {
        Ok(()) => (code::OK, CString::default()),
        Err(error) => (error.code() as TF_Code, c_string(&error.to_string())),
    };
    match (functions(), result) {
        // SAFETY: the caller's contract; the message is copied.
        (Some(functions), _) if !status.is_null() => unsafe {
            (functions.TF_SetStatus)(status, code, message.as_ptr());
        },
        (_, Err(error)) => eprintln!("a device's error that the host cannot be told: {error}"),
        (_, Ok(())) => {}
    }
}

/// A status of the plugin's own.
pub(super) struct Status {
    functions: &'static Functions,
    raw: *mut TF_Status,
}

impl Status {
    pub(super) fn new() -> Result<Self> {
        let functions = functions()
            .ok_or_else(|| Error::unimplemented("the host's C functions of statuses are not visible to the plugin"))?;
        // SAFETY: the function has no arguments and may be called at any time.
        Ok(Self { functions, raw: unsafe { (functions.TF_NewStatus)() } })
    }

    pub(super) fn raw(&self) -> *mut TF_Status {
        self.raw
    }

    /// What it says.
    pub(super) fn check(&self) -> Result<()> {
        // SAFETY: the status is alive; its message lives until it changes.
        unsafe {
            match (self.functions.TF_GetCode)(self.raw) {
                code::OK => Ok(()),
                number => {
                    let message = CStr::from_ptr((self.functions.TF_Message)(self.raw)).to_string_lossy();
                    Err(Error::new(Code::from_number(number), ErrorKind::KernelFailed, message))
                }
            }
        }
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        // SAFETY: made by `new`, freed once.
        unsafe { (self.functions.TF_DeleteStatus)(self.raw) }
    }
}

//! Who hears what ops print.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char};

use oplink_api::log::listen;
use oplink_host::guard::without_status;

/// Calls `listener` with each text that an op prints from now on, on any thread; the text is written nowhere then. Null
/// is passed over.
///
/// # Safety
/// The listener may be called for as long as the process runs, and does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_RegisterLogListener(listener: Option<unsafe extern "C" fn(*const c_char)>) {
    let Some(listener) = listener else { return };
    without_status((), || {
        listen(Box::new(move |text| {
            let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
            let text = CString::new(&text[..end]).unwrap_or_default();
            // SAFETY: the client vouches for its listener; the text lives during the call.
            unsafe { listener(text.as_ptr()) }
        }));
    });
}

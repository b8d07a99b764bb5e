//! The C functions that carry requests and answers.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, CString, c_char};
use std::ptr;

use crate::guard::silent;
use crate::table::HostedPlugin;

/// Answers a request. The answer is freed by [`free`].
///
/// # Safety
/// The request is null or a terminated text.
pub unsafe fn answer_c(plugin: &HostedPlugin, request: *const c_char) -> *mut c_char {
    silent(ptr::null_mut(), || {
        if request.is_null() {
            return ptr::null_mut();
        }
        // SAFETY: the text is terminated (Safety section).
        let request = unsafe { CStr::from_ptr(request) }.to_string_lossy();
        let answer = super::answer(plugin, &request);
        CString::new(answer).map_or(ptr::null_mut(), CString::into_raw)
    })
}

/// Frees an answer.
///
/// # Safety
/// The answer is null, or one of [`answer_c`] that was not freed.
pub unsafe fn free(answer: *mut c_char) {
    if !answer.is_null() {
        // SAFETY: `answer_c` made it of a `CString` (Safety section).
        silent((), || drop(unsafe { CString::from_raw(answer) }));
    }
}

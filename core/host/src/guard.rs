//! The guard around every exported function, and how C's pointers become Rust's.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use oplink_abi::TF_Status;
use oplink_api::error::panic_message;
use oplink_api::{Error, ErrorKind, Result};

use crate::status;

/// Runs `body`; its error or panic goes to `status`. The answer is `fallback` then.
///
/// A null `status` loses the error: the caller did not want it.
pub fn with_status<T>(status: *mut TF_Status, function: &str, fallback: T, body: impl FnOnce() -> Result<T>) -> T {
    match catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(panicked(function, &*panic))) {
        Ok(value) => {
            status::set_ok(status);
            value
        }
        Err(error) => {
            status::set_error(status, &error);
            fallback
        }
    }
}

/// Runs `body`; the answer is `fallback` where it panics.
pub fn without_status<T>(fallback: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(fallback)
}

/// Frees an object behind a handle; null is passed over, and so is a panic of its drop.
///
/// # Safety
/// A handle that is not null was made by `Box::into_raw` as a box of `T`, and nobody uses it any more.
pub unsafe fn delete<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: not null, so a box of `T` that nobody uses any more (Safety section).
        without_status((), || drop(unsafe { Box::from_raw(handle) }));
    }
}

#[cold]
fn panicked(function: &str, panic: &(dyn std::any::Any + Send)) -> Error {
    Error::internal(format!("{function} panicked: {}", panic_message(panic)))
}

fn null_argument(function: &str, argument: &str) -> Error {
    Error::invalid_argument(format!("{function}: `{argument}` is null"))
}

/// The object behind a handle.
///
/// # Errors
/// The handle is null.
///
/// # Safety
/// A handle that is not null points to a live `T` that nobody changes meanwhile.
pub unsafe fn borrow<'a, T>(handle: *const T, function: &str, argument: &str) -> Result<&'a T> {
    // SAFETY: `handle` is null or alive (Safety section).
    unsafe { handle.as_ref() }.ok_or_else(|| null_argument(function, argument))
}

/// The object behind a handle, to change it.
///
/// # Errors
/// The handle is null.
///
/// # Safety
/// A handle that is not null points to a live `T` that nobody else uses meanwhile.
pub unsafe fn borrow_mut<'a, T>(handle: *mut T, function: &str, argument: &str) -> Result<&'a mut T> {
    // SAFETY: `handle` is null or alive (Safety section).
    unsafe { handle.as_mut() }.ok_or_else(|| null_argument(function, argument))
}

/// A C string as text.
///
/// # Errors
/// It is null, or not UTF-8.
///
/// # Safety
/// A pointer that is not null points to a terminated string that lives for `'a`.
pub unsafe fn text<'a>(string: *const c_char, function: &str, argument: &str) -> Result<&'a str> {
    if string.is_null() {
        return Err(null_argument(function, argument));
    }
    // SAFETY: not null; terminated and alive by the caller's contract.
    let string = unsafe { CStr::from_ptr(string) };
    string.to_str().map_err(|_| {
        let message = format!("{function}: `{argument}` is not UTF-8: {}", string.to_string_lossy());
        Error::new(oplink_api::Code::InvalidArgument, ErrorKind::InvalidArgument, message)
    })
}

/// An array of C as a slice; null is an empty one where the length is 0.
///
/// # Errors
/// The length is negative, or the array is null although it has a length.
///
/// # Safety
/// An array that is not null holds `length` values that live for `'a`.
pub unsafe fn slice<'a, T>(
    array: *const T,
    length: impl TryInto<usize> + Copy + std::fmt::Display,
    function: &str,
    argument: &str,
) -> Result<&'a [T]> {
    let count: usize = length
        .try_into()
        .map_err(|_| Error::invalid_argument(format!("{function}: `{argument}` has the length {length}")))?;
    if count == 0 {
        return Ok(&[]);
    }
    if array.is_null() {
        return Err(null_argument(function, argument));
    }
    if count.checked_mul(size_of::<T>()).is_none_or(|bytes| isize::try_from(bytes).is_err()) {
        return Err(Error::invalid_argument(format!("{function}: `{argument}` has the length {length}")));
    }
    // SAFETY: not null, of this length and alive by the caller's contract; the size fits the address space.
    Ok(unsafe { std::slice::from_raw_parts(array, count) })
}

/// An array of C that is filled in; see [`slice`].
///
/// # Errors
/// As [`slice`].
///
/// # Safety
/// As [`slice`], and nobody else uses the array meanwhile.
pub unsafe fn slice_mut<'a, T>(
    array: *mut T,
    length: impl TryInto<usize> + Copy + std::fmt::Display,
    function: &str,
    argument: &str,
) -> Result<&'a mut [T]> {
    // SAFETY: the caller's contract covers what `slice` asks.
    let count = unsafe { slice(array.cast_const(), length, function, argument) }?.len();
    if count == 0 {
        return Ok(&mut []);
    }
    // SAFETY: checked by `slice`; exclusive by the caller's contract.
    Ok(unsafe { std::slice::from_raw_parts_mut(array, count) })
}

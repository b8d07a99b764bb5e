//! What all parts of the API share: the registry in force, messages from bytes, text for C.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Arc;

use oplink_abi::TF_Buffer;
use oplink_api::{Code, Error, PartialShape, Result};
use oplink_core::Registry;
use oplink_host::guard::{borrow_mut, slice};
use oplink_proto::{Message, Name};

/// Bytes that abbreviated constants of one message may take.
pub(crate) const MAX_CONSTANT_BYTES: usize = 1 << 30;

/// The ops and kernels in force now.
///
/// # Errors
/// What is linked conflicts with itself.
pub(crate) fn registry() -> Result<Arc<Registry>> {
    Registry::global().cloned()
}

/// The answer of a function that has nothing to do here.
///
/// # Errors
/// Always: `Unimplemented`, with the function and the reason.
#[cold]
pub(crate) fn unimplemented<T>(function: &str, why: &str) -> Result<T> {
    Err(Error::unimplemented(format!("{function}: {why}")))
}

/// A message of C's bytes.
///
/// # Errors
/// The bytes are null or no such message.
///
/// # Safety
/// As `guard::slice`.
pub(crate) unsafe fn message<M: Message + Name + Default>(
    proto: *const c_void,
    length: usize,
    function: &str,
    argument: &str,
) -> Result<M> {
    // SAFETY: `proto` is null or has `length` bytes (Safety section).
    let bytes = unsafe { slice(proto.cast::<u8>(), length, function, argument) }?;
    decode(bytes, function, argument)
}

/// A message of bytes.
///
/// # Errors
/// The bytes are no such message.
pub(crate) fn decode<M: Message + Name + Default>(bytes: &[u8], function: &str, argument: &str) -> Result<M> {
    let message = oplink_proto::from_bytes(bytes.to_vec());
    message.map_err(|error| Error::invalid_argument(format!("{function}: `{argument}`: {error}")).with_source(error))
}

/// Fills a buffer of the client with a message.
///
/// # Errors
/// The buffer is null, or holds something already.
///
/// # Safety
/// A buffer that is not null is alive and used by nobody else.
pub(crate) unsafe fn fill(buffer: *mut TF_Buffer, bytes: &[u8], function: &str, argument: &str) -> Result<()> {
    // SAFETY: `buffer` is null or alive (Safety section).
    let buffer = unsafe { borrow_mut(buffer, function, argument) }?;
    if !buffer.data.is_null() {
        return Err(Error::invalid_argument(format!("{function}: `{argument}` is not empty")));
    }
    oplink_host::buffer::fill(buffer, bytes);
    Ok(())
}

/// The result, with an index out of range as a wrong argument, which it is to most functions of TensorFlow.
pub(crate) fn as_invalid<T>(result: Result<T>) -> Result<T> {
    result.map_err(|error| match error.code() {
        Code::OutOfRange => Error::new(Code::InvalidArgument, error.kind(), error.to_string()),
        _ => error,
    })
}

/// A shape as C passes it: a negative rank is an unknown one, a negative dim an unknown one.
///
/// # Errors
/// The dims are null although there are some.
///
/// # Safety
/// As `guard::slice`.
pub(crate) unsafe fn partial_shape(dims: *const i64, num_dims: c_int, function: &str) -> Result<PartialShape> {
    if num_dims < 0 {
        return Ok(PartialShape::unknown());
    }
    // SAFETY: `dims` is null or has `num_dims` elements (Safety section).
    let dims = unsafe { slice(dims, num_dims, function, "dims") }?;
    let dims: Vec<i64> = dims.iter().map(|&dim| dim.max(-1)).collect();
    PartialShape::from_i64(Some(&dims))
}

/// A string for C; what cannot be told ends it early.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// The size of something as C counts it.
pub(crate) fn c_count(count: usize) -> c_int {
    c_int::try_from(count).unwrap_or(c_int::MAX)
}

/// A text that C passes with its length.
///
/// # Errors
/// It is null although it has a length, or no UTF-8.
///
/// # Safety
/// As `guard::slice`.
pub(crate) unsafe fn sized_text<'a>(
    data: *const c_char,
    length: usize,
    function: &str,
    argument: &str,
) -> Result<&'a str> {
    // SAFETY: `data` is null or has `length` bytes (Safety section).
    let bytes = unsafe { slice(data.cast::<u8>(), length, function, argument) }?;
    std::str::from_utf8(bytes).map_err(|_| Error::invalid_argument(format!("{function}: `{argument}` is not UTF-8")))
}

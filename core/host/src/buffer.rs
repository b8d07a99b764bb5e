//! `TF_Buffer`: bytes with somebody to free them.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_void};
use std::ptr;

use oplink_abi::TF_Buffer;
use oplink_api::Result;

use crate::guard::{borrow, slice, without_status};

/// A buffer that owns a copy of these bytes.
pub fn from_bytes(bytes: &[u8]) -> *mut TF_Buffer {
    let mut buffer = empty();
    fill(&mut buffer, bytes);
    Box::into_raw(Box::new(buffer))
}

/// Gives an existing buffer a copy of these bytes; what it held is freed.
pub fn fill(buffer: &mut TF_Buffer, bytes: &[u8]) {
    free_data(buffer);
    let bytes: Box<[u8]> = bytes.into();
    let length = bytes.len();
    *buffer = TF_Buffer {
        data: Box::into_raw(bytes).cast::<c_void>().cast_const(),
        length,
        data_deallocator: Some(free_copy),
    };
}

/// The bytes of a buffer.
///
/// # Errors
/// The buffer is null, or has a length and no bytes.
///
/// # Safety
/// A buffer that is not null is alive and tells the truth about its bytes for `'a`.
pub unsafe fn bytes<'a>(buffer: *const TF_Buffer, function: &str, argument: &str) -> Result<&'a [u8]> {
    // SAFETY: `buffer` is null or alive (Safety section).
    unsafe {
        let buffer = borrow(buffer, function, argument)?;
        slice(buffer.data.cast::<u8>(), buffer.length, function, argument)
    }
}

const fn empty() -> TF_Buffer {
    TF_Buffer { data: ptr::null(), length: 0, data_deallocator: None }
}

unsafe extern "C" fn free_copy(data: *mut c_void, length: usize) {
    if !data.is_null() {
        // SAFETY: `fill` made the block as a boxed slice of this length.
        drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(data.cast::<u8>(), length)) });
    }
}

fn free_data(buffer: &mut TF_Buffer) {
    if let Some(free) = buffer.data_deallocator {
        // SAFETY: a buffer's deallocator belongs to its bytes; it is called once, as the buffer is emptied.
        unsafe { free(buffer.data.cast_mut(), buffer.length) }
    }
    *buffer = empty();
}

/// A buffer with a copy of `length` bytes.
///
/// # Safety
/// `proto` is null or points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_NewBufferFromString(proto: *const c_void, length: usize) -> *mut TF_Buffer {
    without_status(ptr::null_mut(), || {
        // SAFETY: `proto` is null or has `length` bytes (Safety section).
        let bytes = unsafe { slice(proto.cast::<u8>(), length, "TF_NewBufferFromString", "proto") };
        bytes.map_or(ptr::null_mut(), from_bytes)
    })
}

/// An empty buffer.
#[unsafe(no_mangle)]
pub extern "C" fn TF_NewBuffer() -> *mut TF_Buffer {
    Box::into_raw(Box::new(empty()))
}

/// Frees a buffer and its bytes; null is allowed.
///
/// # Safety
/// The buffer came from this library and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_DeleteBuffer(buffer: *mut TF_Buffer) {
    if !buffer.is_null() {
        // SAFETY: every buffer that this library hands out is a box.
        let mut buffer = unsafe { Box::from_raw(buffer) };
        free_data(&mut buffer);
    }
}

/// The buffer's fields.
///
/// # Safety
/// The buffer is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_GetBuffer(buffer: *mut TF_Buffer) -> TF_Buffer {
    // SAFETY: alive by contract.
    unsafe { buffer.as_ref() }.copied().unwrap_or(empty())
}

/// A terminated copy of a text, in memory that the client frees with `free`. Null where memory ran out.
pub fn malloced_text(text: &str) -> *mut c_char {
    // SAFETY: any size may be asked for.
    let copy = unsafe { libc::malloc(text.len() + 1) }.cast::<u8>();
    if !copy.is_null() {
        // SAFETY: `copy` has room for the text and the byte after it, and nobody else knows it.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), copy, text.len());
            copy.add(text.len()).write(0);
        }
    }
    copy.cast()
}

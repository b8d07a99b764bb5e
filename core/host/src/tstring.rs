//! `TF_TString`: the string element of tensors, in all of its four forms.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::{TF_TString, TF_TString_Type, tstring_type};
use oplink_api::TString;

use crate::guard::{slice, without_status};

const TYPE_MASK: u8 = 3;
const SMALL_CAPACITY: usize = 22;

fn word(string: &TF_TString, at: usize) -> usize {
    let mut bytes = [0; size_of::<usize>()];
    bytes.copy_from_slice(&string.raw[at..at + size_of::<usize>()]);
    usize::from_ne_bytes(bytes)
}

fn half_word(string: &TF_TString, at: usize) -> usize {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&string.raw[at..at + 4]);
    u32::from_ne_bytes(bytes) as usize
}

fn form(string: &TF_TString) -> TF_TString_Type {
    TF_TString_Type::from(string.raw[0] & TYPE_MASK)
}

/// Makes memory an empty string; what it held is not freed.
///
/// # Safety
/// `string` is null or points to memory for a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringInit(string: *mut TF_TString) {
    if !string.is_null() {
        // SAFETY: memory for a string, by contract.
        unsafe { string.write(TF_TString { raw: [0; 24] }) }
    }
}

/// Makes a string a copy of these bytes; what it held is freed.
///
/// # Safety
/// `dst` is null or an initialised string; `src` holds `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringCopy(dst: *mut TF_TString, src: *const c_char, size: usize) {
    without_status((), || {
        // SAFETY: the caller's contract.
        let bytes = unsafe { slice(src.cast::<u8>(), size, "TF_StringCopy", "src") };
        if let (Ok(bytes), false) = (bytes, dst.is_null()) {
            let copy = TString::new(bytes);
            // SAFETY: an initialised string of the same layout; assigning frees what it held.
            unsafe { *dst.cast::<TString>() = copy }
        }
    });
}

/// Makes a string show bytes that the caller keeps alive; what it held is freed.
///
/// # Safety
/// `dst` is null or an initialised string; `src` holds `size` bytes for as long as the string is used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringAssignView(dst: *mut TF_TString, src: *const c_char, size: usize) {
    if dst.is_null() {
        return;
    }
    let mut raw = [0; 24];
    raw[..8].copy_from_slice(&(size << 2 | tstring_type::VIEW as usize).to_ne_bytes());
    raw[8..16].copy_from_slice(&src.addr().to_ne_bytes());
    // SAFETY: an initialised string, by contract.
    unsafe {
        TF_StringDealloc(dst);
        dst.write(TF_TString { raw });
    }
}

/// The bytes; terminated where the string owns them. Null for null.
///
/// # Safety
/// `string` is null or an initialised string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringGetDataPointer(string: *const TF_TString) -> *const c_char {
    // SAFETY: the caller's contract.
    let Some(content) = (unsafe { string.as_ref() }) else { return ptr::null() };
    match form(content) {
        tstring_type::SMALL => content.raw[1..].as_ptr().cast(),
        tstring_type::LARGE => ptr::with_exposed_provenance(word(content, 16)),
        tstring_type::OFFSET => string.cast::<c_char>().wrapping_add(half_word(content, 4)),
        _ => ptr::with_exposed_provenance(word(content, 8)),
    }
}

/// The form that the string has.
///
/// # Safety
/// `string` is null or an initialised string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringGetType(string: *const TF_TString) -> TF_TString_Type {
    // SAFETY: the caller's contract.
    unsafe { string.as_ref() }.map_or(tstring_type::SMALL, form)
}

/// The number of bytes.
///
/// # Safety
/// `string` is null or an initialised string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringGetSize(string: *const TF_TString) -> usize {
    // SAFETY: the caller's contract.
    let Some(string) = (unsafe { string.as_ref() }) else { return 0 };
    match form(string) {
        tstring_type::SMALL => usize::from(string.raw[0] >> 2),
        tstring_type::OFFSET => half_word(string, 0) >> 2,
        _ => word(string, 0) >> 2,
    }
}

/// The bytes that the string could hold where it is; 0 where it does not own its bytes.
///
/// # Safety
/// `string` is null or an initialised string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringGetCapacity(string: *const TF_TString) -> usize {
    // SAFETY: the caller's contract.
    let Some(string) = (unsafe { string.as_ref() }) else { return 0 };
    match form(string) {
        tstring_type::SMALL => SMALL_CAPACITY,
        tstring_type::LARGE => word(string, 8),
        _ => 0,
    }
}

/// Frees what a string holds and makes it empty.
///
/// # Safety
/// `string` is null or an initialised string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringDealloc(string: *mut TF_TString) {
    if !string.is_null() {
        // SAFETY: an initialised string of the same layout; assigning frees what it held.
        unsafe { *string.cast::<TString>() = TString::default() }
    }
}

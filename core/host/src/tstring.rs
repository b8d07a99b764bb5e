//! `TF_TString`: the string element of tensors, in all of its four forms.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;
use std::ptr;

use oplink_abi::{TF_TString, TF_TString_Type, TF_TString_View, tstring_type};
use oplink_api::TString;

use crate::guard::{slice, without_status};

const TYPE_MASK: u8 = 3;
const SMALL_CAPACITY: usize = 22;

fn head(string: &TF_TString) -> u8 {
    // SAFETY: byte 0 is initialised in every form of a string.
    unsafe { string.u.small.head }
}

fn form(string: &TF_TString) -> TF_TString_Type {
    TF_TString_Type::from(head(string) & TYPE_MASK)
}

/// Makes memory an empty string; what it held is not freed.
///
/// # Safety
/// `string` is null or points to memory for a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringInit(string: *mut TF_TString) {
    if !string.is_null() {
        // SAFETY: not null, so `string` points to memory for a string (Safety section).
        unsafe { string.write(TF_TString::EMPTY) }
    }
}

/// Makes a string a copy of these bytes; what it held is freed.
///
/// # Safety
/// `dst` is null or an initialised string; `src` holds `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringCopy(dst: *mut TF_TString, src: *const c_char, size: usize) {
    without_status((), || {
        // SAFETY: `src` holds `size` bytes (Safety section).
        let bytes = unsafe { slice(src.cast::<u8>(), size, "TF_StringCopy", "src") };
        if let (Ok(bytes), false) = (bytes, dst.is_null()) {
            let copy = TString::new(bytes);
            // SAFETY: not null, so an initialised string (Safety section) of the same layout; assigning frees what it
            // held.
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
    let view = TF_TString_View { size: (size << 2 | tstring_type::VIEW as usize).to_le(), data: src };
    // SAFETY: `dst` is not null, so it is an initialised string (Safety section); what it held is freed before the
    // write.
    unsafe {
        TF_StringDealloc(dst);
        dst.write(TF_TString::EMPTY);
        (*dst).u.view = view;
    }
}

/// The bytes; terminated where the string owns them. Null for null.
///
/// # Safety
/// `string` is null or an initialised string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringGetDataPointer(string: *const TF_TString) -> *const c_char {
    // SAFETY: `string` is null or an initialised string (Safety section).
    let Some(content) = (unsafe { string.as_ref() }) else { return ptr::null() };
    // SAFETY: each arm reads the fields of the form that the string has, all of which were written with it.
    unsafe {
        match form(content) {
            tstring_type::SMALL => string.cast::<c_char>().wrapping_add(1),
            tstring_type::LARGE => content.u.large.data.cast_const(),
            tstring_type::OFFSET => {
                string.cast::<c_char>().wrapping_add(u32::from_le(content.u.offset.offset) as usize)
            }
            _ => content.u.view.data,
        }
    }
}

/// The form that the string has.
///
/// # Safety
/// `string` is null or an initialised string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringGetType(string: *const TF_TString) -> TF_TString_Type {
    // SAFETY: `string` is null or an initialised string (Safety section).
    unsafe { string.as_ref() }.map_or(tstring_type::SMALL, form)
}

/// The number of bytes.
///
/// # Safety
/// `string` is null or an initialised string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringGetSize(string: *const TF_TString) -> usize {
    // SAFETY: `string` is null or an initialised string (Safety section).
    let Some(string) = (unsafe { string.as_ref() }) else { return 0 };
    // SAFETY: each arm reads the fields of the form that the string has, all of which were written with it.
    unsafe {
        match form(string) {
            tstring_type::SMALL => usize::from(head(string) >> 2),
            tstring_type::OFFSET => u32::from_le(string.u.offset.size) as usize >> 2,
            tstring_type::LARGE => usize::from_le(string.u.large.size) >> 2,
            _ => usize::from_le(string.u.view.size) >> 2,
        }
    }
}

/// The bytes that the string could hold where it is; 0 where it does not own its bytes.
///
/// # Safety
/// `string` is null or an initialised string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_StringGetCapacity(string: *const TF_TString) -> usize {
    // SAFETY: `string` is null or an initialised string (Safety section).
    let Some(string) = (unsafe { string.as_ref() }) else { return 0 };
    match form(string) {
        tstring_type::SMALL => SMALL_CAPACITY,
        // SAFETY: the form is large, all of whose fields were written together.
        tstring_type::LARGE => unsafe { string.u.large.capacity },
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
        // SAFETY: not null, so an initialised string (Safety section) of the same layout; assigning frees what it held.
        unsafe { *string.cast::<TString>() = TString::default() }
    }
}

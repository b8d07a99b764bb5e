//! Attrs that are lists. Each function fills in as many elements as there is room for.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_void};

use oplink_abi::{TF_Bool, TF_DataType, TF_OpKernelConstruction, TF_Status, TF_Tensor};
use oplink_api::{DType, Error, Result, Tensor};

use super::attr_values::{attr, int32};
use crate::guard::{slice_mut, with_status};
use crate::tensor::into_handle;

/// The number of elements that are filled in.
fn room(length: usize, max: c_int) -> usize {
    length.min(usize::try_from(max).unwrap_or(0))
}

macro_rules! get_list {
    ($($(#[$doc:meta])* $name:ident: $attr:ty => $c:ty, $convert:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The construction is null or that of the call that goes on; the text is null or terminated; `vals` holds
        /// `max_vals` values; the status is null or alive.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            context: *mut TF_OpKernelConstruction,
            attr_name: *const c_char,
            vals: *mut $c,
            max_vals: c_int,
            status: *mut TF_Status,
        ) {
            const NAME: &str = stringify!($name);
            with_status(status, NAME, (), || {
                // SAFETY: `context` is null or alive and `attr_name` is null or a terminated string (Safety section).
                let list: &[$attr] = unsafe { attr(context, attr_name, NAME) }?;
                let convert: fn(&$attr) -> Result<$c> = $convert;
                let converted = list.iter().take(room(list.len(), max_vals)).map(convert).collect::<Result<Vec<_>>>()?;
                // SAFETY: `vals` is null or has as many elements as `max_vals`, which the list was cut to (Safety
                // section).
                unsafe { slice_mut(vals, converted.len(), NAME, "vals") }?.copy_from_slice(&converted);
                Ok(())
            });
        }
    )*};
}

get_list! {
    /// Reads an attr of kind `list(type)`.
    TF_OpKernelConstruction_GetAttrTypeList: DType => TF_DataType, |dtype| Ok(dtype.number());
    /// Reads an attr of kind `list(int)`, whose elements have to fit 32 bits.
    TF_OpKernelConstruction_GetAttrInt32List: i64 => i32, |&value| int32(value);
    /// Reads an attr of kind `list(int)`.
    TF_OpKernelConstruction_GetAttrInt64List: i64 => i64, |&value| Ok(value);
    /// Reads an attr of kind `list(float)`.
    TF_OpKernelConstruction_GetAttrFloatList: f32 => f32, |&value| Ok(value);
    /// Reads an attr of kind `list(bool)`.
    TF_OpKernelConstruction_GetAttrBoolList: bool => TF_Bool, |&value| Ok(value.into());
    /// Reads an attr of kind `list(tensor)`; the caller deletes the tensors.
    TF_OpKernelConstruction_GetAttrTensorList: Tensor => *mut TF_Tensor, |tensor| Ok(into_handle(tensor.clone()));
}

/// Reads an attr of kind `list(string)`: the bytes stand in `storage`, one string behind the other, where `values`
/// point to with `lengths`.
///
/// # Safety
/// The construction is null or that of the call that goes on; the text is null or terminated; `values` and `lengths`
/// hold `max_values` elements, `storage` `storage_size` bytes; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelConstruction_GetAttrStringList(
    context: *mut TF_OpKernelConstruction,
    attr_name: *const c_char,
    values: *mut *mut c_char,
    lengths: *mut usize,
    max_values: c_int,
    storage: *mut c_void,
    storage_size: usize,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OpKernelConstruction_GetAttrStringList";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `attr_name` is null or a terminated string (Safety section).
        let list: &[Vec<u8>] = unsafe { attr(context, attr_name, NAME) }?;
        let list = &list[..room(list.len(), max_values)];
        let needed: usize = list.iter().map(Vec::len).sum();
        if needed > storage_size {
            let message = format!("{NAME}: {storage_size} bytes of storage do not hold strings of {needed} bytes");
            return Err(Error::invalid_argument(message));
        }
        // SAFETY: `values` is null or has `max_values` elements, `lengths` is null or has `max_values` elements and
        // `storage` is null or has `storage_size` bytes (Safety section).
        let (values, lengths, mut rest) = unsafe {
            let values = slice_mut(values, list.len(), NAME, "values")?;
            let lengths = slice_mut(lengths, list.len(), NAME, "lengths")?;
            (values, lengths, slice_mut(storage.cast::<u8>(), needed, NAME, "storage")?)
        };
        for ((string, value), length) in list.iter().zip(values).zip(lengths) {
            let (place, behind) = rest.split_at_mut(string.len());
            place.copy_from_slice(string);
            (*value, *length, rest) = (place.as_mut_ptr().cast(), string.len(), behind);
        }
        Ok(())
    });
}

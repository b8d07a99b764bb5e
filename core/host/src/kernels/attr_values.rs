//! Attrs that are no lists.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_char;

use oplink_abi::{TF_Bool, TF_DataType, TF_OpKernelConstruction, TF_Status, TF_Tensor};
use oplink_api::attr::FromAttr;
use oplink_api::{DType, Error, PartialShape, Result, Tensor};

use super::construction::of_call;
use crate::guard::{borrow_mut, slice_mut, text, with_status};
use crate::tensor::into_handle;

/// An attr as a Rust type; valid during the construction.
///
/// # Errors
/// `NotFound` where there is no such attr, `InvalidArgument` where it is of another kind.
///
/// # Safety
/// The construction is null or that of the call that goes on; the text is null or terminated.
pub(super) unsafe fn attr<'a, T: FromAttr<'a>>(
    context: *mut TF_OpKernelConstruction,
    attr_name: *const c_char,
    function: &str,
) -> Result<T> {
    // SAFETY: `context` is null or alive and `attr_name` is null or a terminated string (Safety section).
    let (construction, name) = unsafe { (of_call(context, function)?, text(attr_name, function, "attr_name")?) };
    let node = construction.node();
    if node.attrs.get(name).is_none() {
        return Err(Error::not_found(format!("node `{}` of op {} has no attr `{name}`", node.name, node.op.name)));
    }
    node.attr(name)
}

/// An int that has to fit 32 bits.
pub(super) fn int32(value: i64) -> Result<i32> {
    i32::try_from(value).map_err(|_| Error::invalid_argument(format!("the attr's value {value} exceeds an int32")))
}

macro_rules! get {
    ($($(#[$doc:meta])* $name:ident: $attr:ty => $c:ty, $convert:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The construction is null or that of the call that goes on; the text is null or terminated; the value is null
        /// or writable; the status is null or alive.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            context: *mut TF_OpKernelConstruction,
            attr_name: *const c_char,
            val: *mut $c,
            status: *mut TF_Status,
        ) {
            const NAME: &str = stringify!($name);
            with_status(status, NAME, (), || {
                // SAFETY: `context` is null or alive, `attr_name` is null or a terminated string and `val` is null or a
                // slot (Safety section).
                let (attr, val) = unsafe { (attr::<$attr>(context, attr_name, NAME)?, borrow_mut(val, NAME, "val")?) };
                let convert: fn($attr) -> Result<$c> = $convert;
                *val = convert(attr)?;
                Ok(())
            });
        }
    )*};
}

get! {
    /// Reads an attr of kind `type`.
    TF_OpKernelConstruction_GetAttrType: DType => TF_DataType, |dtype| Ok(dtype.number());
    /// Reads an attr of kind `int`, which has to fit 32 bits.
    TF_OpKernelConstruction_GetAttrInt32: i64 => i32, int32;
    /// Reads an attr of kind `int`.
    TF_OpKernelConstruction_GetAttrInt64: i64 => i64, Ok;
    /// Reads an attr of kind `float`.
    TF_OpKernelConstruction_GetAttrFloat: f32 => f32, Ok;
    /// Reads an attr of kind `bool`.
    TF_OpKernelConstruction_GetAttrBool: bool => TF_Bool, |value| Ok(value.into());
    /// Reads an attr of kind `tensor`; the caller deletes the tensor.
    TF_OpKernelConstruction_GetAttrTensor: &Tensor => *mut TF_Tensor, |tensor| Ok(into_handle(tensor.clone()));
}

/// Copies the bytes of an attr of kind `string`, at most `max_length` of them, and nothing behind them.
///
/// # Safety
/// The construction is null or that of the call that goes on; the text is null or terminated; `val` holds `max_length`
/// bytes; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelConstruction_GetAttrString(
    context: *mut TF_OpKernelConstruction,
    attr_name: *const c_char,
    val: *mut c_char,
    max_length: usize,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OpKernelConstruction_GetAttrString";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `attr_name` is null or a terminated string (Safety section).
        let bytes: &[u8] = unsafe { attr(context, attr_name, NAME) }?;
        let length = bytes.len().min(max_length);
        // SAFETY: `val` is null or has `max_length` bytes (Safety section).
        unsafe { slice_mut(val.cast::<u8>(), length, NAME, "val") }?.copy_from_slice(&bytes[..length]);
        Ok(())
    });
}

/// Copies the dims of an attr of kind `shape`, of which there must be `num_dims`; -1 stands for an unknown one.
///
/// # Safety
/// The construction is null or that of the call that goes on; the text is null or terminated; `dims` holds `num_dims`
/// numbers; the status is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TF_OpKernelConstruction_GetAttrTensorShape(
    context: *mut TF_OpKernelConstruction,
    attr_name: *const c_char,
    dims: *mut i64,
    num_dims: usize,
    status: *mut TF_Status,
) {
    const NAME: &str = "TF_OpKernelConstruction_GetAttrTensorShape";
    with_status(status, NAME, (), || {
        // SAFETY: `context` is null or alive and `attr_name` is null or a terminated string (Safety section).
        let shape: &PartialShape = unsafe { attr(context, attr_name, NAME) }?;
        let Some(known) = shape.to_i64().filter(|known| known.len() == num_dims) else {
            let message = format!("{NAME}: the attr's shape is {shape}, room is given for {num_dims} dims");
            return Err(Error::invalid_argument(message));
        };
        // SAFETY: `dims` is null or has `num_dims` elements (Safety section).
        unsafe { slice_mut(dims, num_dims, NAME, "dims") }?.copy_from_slice(&known);
        Ok(())
    });
}

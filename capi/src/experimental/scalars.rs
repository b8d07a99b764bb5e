//! Handles of scalars, made from their bytes.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::ptr;

use oplink_abi::{TF_DataType, TFE_TensorHandle};
use oplink_api::{Shape, Tensor, ensure};
use oplink_host::c_api;
use oplink_host::guard::slice;
use oplink_host::tensor::dtype;

use crate::eager::Handle;

c_api! {
    /// A handle of a scalar, whose bytes are copied; null and an error where the bytes are not those of one element of
    /// a dtype of plain numbers.
    ///
    /// # Safety
    /// The status is null or alive; `data` holds `len` bytes.
    fn TFE_NewTensorHandleFromScalar(data_type: TF_DataType, data: *mut c_void, len: usize; status)
        -> (*mut TFE_TensorHandle = ptr::null_mut())
    {
        // SAFETY: `data` is null or has `len` bytes (Safety section).
        let bytes = unsafe { slice(data.cast::<u8>().cast_const(), len, NAME, "data") }?;
        let dtype = dtype(data_type)?;
        ensure!(dtype.size() == Some(len), "{NAME}: `data` has {len} bytes, a scalar of {dtype} does not");
        Ok(Handle::give(Tensor::from_bytes(dtype, Shape::scalar(), bytes)?))
    }
}

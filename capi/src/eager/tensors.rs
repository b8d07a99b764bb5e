//! Handles made of values and of memory, and the memory of handles.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use oplink_abi::{TF_DataType, TF_Status, TF_Tensor, TFE_Context, TFE_TensorHandle, TensorDeallocator};
use oplink_api::{DType, Error, Result, Tensor};
use oplink_host::c_api;
use oplink_host::guard::{text, with_status};
use oplink_host::tensor::{ClientMemory, adopt, dtype, into_handle, shape, value_of_handle};

use super::Context;
use super::value::{Handle, Value};
use crate::support::unimplemented;

c_api! {
    /// A handle of a tensor; see `TFE_NewTensorHandle`.
    ///
    /// # Safety
    /// The handles are null or alive.
    fn TFE_NewTensorHandleFromTensor(
        ctx as _context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        t: *mut TF_Tensor => { value_of_handle(t, NAME, "t") };
        status
    ) -> (*mut TFE_TensorHandle = ptr::null_mut()) {
        Ok(Handle::give(t))
    }

    /// A tensor in the host's memory, which the client fills and deletes.
    ///
    /// # Safety
    /// The handles are null or alive; `dims` holds `num_dims` numbers.
    fn TFE_AllocateHostTensor(
        ctx as _context: *mut TFE_Context => { Context::borrow(ctx, NAME) },
        number: TF_DataType,
        dims: *const i64,
        num_dims: c_int;
        status
    ) -> (*mut TF_Tensor = ptr::null_mut()) {
        // SAFETY: `dims` is null or has `num_dims` elements (Safety section).
        let shape = unsafe { shape(dims, num_dims, NAME) }?;
        Ok(into_handle(Tensor::zeros(dtype(number)?, shape)?))
    }

    /// A handle of a tensor over memory of the client on a device of the process, which `deallocator` frees when nobody
    /// uses it any more, at once where no handle is made.
    ///
    /// # Safety
    /// The handles are null or alive; `device_name` is null or a terminated string; `dims` holds `num_dims` numbers;
    /// `data` holds `len` bytes of elements of the dtype until `deallocator` is called.
    fn TFE_NewTensorHandleFromDeviceMemory(
        ctx: *mut TFE_Context,
        device_name: *const c_char,
        number: TF_DataType,
        dims: *const i64,
        num_dims: c_int,
        data: *mut c_void,
        len: usize,
        deallocator: TensorDeallocator,
        deallocator_arg: *mut c_void;
        status
    ) -> (*mut TFE_TensorHandle = ptr::null_mut()) {
        let memory = ClientMemory::new(data, len, deallocator, deallocator_arg);
        // SAFETY: `ctx` is null or alive, `device_name` null or a terminated string, and `dims` null or an array of
        // `num_dims` elements (Safety section).
        let (context, wanted, shape) = unsafe {
            (Context::borrow(ctx, NAME)?, text(device_name, NAME, "device_name")?, shape(dims, num_dims, NAME)?)
        };
        let device = context.device(wanted, NAME)?;
        if device.context().is_some() {
            let why = format!("the memory of {} is made by its own driver alone; copy a tensor there", device.name());
            return unimplemented(NAME, &why);
        }
        let dtype = dtype(number)?;
        if dtype.size().is_none() {
            return Err(Error::invalid_argument(format!("{NAME}: elements of {dtype} are not plain memory")));
        }
        // SAFETY: `data` is null or holds `len` bytes until the deallocator is called (Safety section).
        let tensor = unsafe { adopt(dtype, shape, memory) }?;
        Ok(Handle::made(tensor, Some(device), context.devices()).into_raw())
    }
}

/// The memory of a handle's tensor on its device: where it begins, and how many bytes it has; waited for.
fn memory(handle: &Handle, function: &str) -> Result<(*mut c_void, usize)> {
    if let Value::Custom(tensor) = &handle.value {
        return Ok((tensor.data(), 0));
    }
    let tensor = handle.tensor()?;
    if let Some(memory) = tensor.device_memory() {
        return Ok((memory.block.handle().wrapping_byte_add(memory.offset), memory.bytes));
    }
    if tensor.dtype() == DType::String || tensor.dtype().size().is_none() {
        let dtype = tensor.dtype();
        return Err(Error::invalid_argument(format!("{function}: elements of {dtype} are not plain memory")));
    }
    let bytes = tensor.as_bytes()?;
    Ok((bytes.as_ptr().cast_mut().cast(), bytes.len()))
}

/// Where the tensor's memory begins on its device, valid as long as the handle and not to be written to; of a tensor on
/// a client's device, what the client gave for it. Null where it cannot be told.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleDevicePointer(
    h: *mut TFE_TensorHandle,
    status: *mut TF_Status,
) -> *mut c_void {
    const NAME: &str = "TFE_TensorHandleDevicePointer";
    with_status(status, NAME, ptr::null_mut(), || {
        // SAFETY: `h` is null or alive (Safety section).
        let handle: &Arc<Handle> = &*unsafe { Handle::borrow(h, NAME, "h") }?;
        memory(handle, NAME).map(|(start, _)| start)
    })
}

/// The bytes of the tensor's memory on its device; 0 where they cannot be told.
///
/// # Safety
/// The handles are null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn TFE_TensorHandleDeviceMemorySize(h: *mut TFE_TensorHandle, status: *mut TF_Status) -> usize {
    const NAME: &str = "TFE_TensorHandleDeviceMemorySize";
    with_status(status, NAME, 0, || {
        // SAFETY: `h` is null or alive (Safety section).
        let handle: &Arc<Handle> = &*unsafe { Handle::borrow(h, NAME, "h") }?;
        match &handle.value {
            // The device's memory is its client's: this asks for an error that says so.
            Value::Custom(_) => handle.tensor().map(|_| 0),
            _ => memory(handle, NAME).map(|(_, bytes)| bytes),
        }
    })
}

//! What a `TFE_TensorHandle` is here.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::mem::ManuallyDrop;
use std::sync::Arc;

use oplink_abi::TFE_TensorHandle;
use oplink_api::device::copy_to_host_blocking;
use oplink_api::{DType, Error, Result, Tensor};
use oplink_core::{Device, host_device};
use oplink_graph::eager::PendingTensor;
use oplink_host::guard::{borrow, without_status};

use super::custom::CustomTensor;
use super::device_set::DeviceSet;
use super::packed::Packed;

/// The devices of a context.
pub(super) type Devices = Arc<DeviceSet>;

/// A client's reference to a handle.
pub(super) type Borrowed = ManuallyDrop<Arc<Handle>>;

/// A tensor that clients hold. Handles are counted: ops share those of their inputs.
pub(crate) struct Handle {
    pub(super) value: Value,
    /// The device of the call that made it; `None` for the host's.
    device: Option<Arc<dyn Device>>,
    /// Where the tensor may lie but in the host's memory.
    devices: Devices,
}

/// Where a handle's tensor is.
pub(super) enum Value {
    /// There.
    Ready(Tensor),
    /// Made by a call that is queued.
    Pending(Arc<PendingTensor>),
    /// On a device that a client wrote.
    Custom(CustomTensor),
    /// Several, one a device.
    Packed(Packed),
}

impl Handle {
    /// Of a tensor that a call on `device` made, in the memory of the host or of one of `devices`.
    pub(super) fn made(tensor: Tensor, device: Option<Arc<dyn Device>>, devices: Devices) -> Self {
        Self { value: Value::Ready(tensor), device, devices }
    }

    /// Of an output of a queued call.
    pub(super) fn pending(output: Arc<PendingTensor>, devices: Devices) -> Self {
        Self { device: output.device().cloned(), value: Value::Pending(output), devices }
    }

    /// Of what is on no device of the process.
    pub(super) fn elsewhere(value: Value) -> Self {
        Self { value, device: None, devices: Devices::default() }
    }

    /// A handle of a tensor in the host's memory for C; `TFE_DeleteTensorHandle` frees it.
    pub(crate) fn give(tensor: Tensor) -> *mut TFE_TensorHandle {
        Self::made(tensor, None, Devices::default()).into_raw()
    }

    /// A handle for C; `TFE_DeleteTensorHandle` frees it.
    pub(super) fn into_raw(self) -> *mut TFE_TensorHandle {
        give(Arc::new(self))
    }

    /// The tensor behind a handle.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive as long as what is returned.
    pub(crate) unsafe fn borrow(handle: *const TFE_TensorHandle, function: &str, argument: &str) -> Result<Borrowed> {
        // SAFETY: `handle` is null or alive (Safety section).
        unsafe { borrow(handle.cast::<Self>(), function, argument) }?;
        // SAFETY: not null, so `give` made it of an `Arc`, whose reference stays the client's.
        Ok(ManuallyDrop::new(unsafe { Arc::from_raw(handle.cast::<Self>()) }))
    }

    /// A reference to a handle that stays the client's.
    ///
    /// # Errors
    /// The handle is null.
    ///
    /// # Safety
    /// A handle that is not null is alive.
    pub(crate) unsafe fn share(handle: *const TFE_TensorHandle, function: &str, argument: &str) -> Result<Arc<Self>> {
        // SAFETY: `handle` is null or alive (Safety section).
        Ok(Arc::clone(&*unsafe { Self::borrow(handle, function, argument) }?))
    }

    /// Takes a client's reference back; null gives nothing.
    ///
    /// # Safety
    /// A handle that is not null is alive, and the client gives it up.
    pub(super) unsafe fn take(handle: *mut TFE_TensorHandle) -> Option<Arc<Self>> {
        // SAFETY: not null, so `give` made it of an `Arc`, of which the client gives up a reference (Safety section).
        (!handle.is_null()).then(|| unsafe { Arc::from_raw(handle.cast_const().cast::<Self>()) })
    }

    pub(super) fn dtype(&self) -> DType {
        match &self.value {
            Value::Ready(tensor) => tensor.dtype(),
            Value::Pending(output) => output.dtype(),
            Value::Custom(tensor) => tensor.dtype(),
            Value::Packed(packed) => packed.dtype(),
        }
    }

    /// The tensor, in whatever memory; waited for where its call is queued.
    ///
    /// # Errors
    /// That of the call; the handle is of a tensor that the process does not see, or of several.
    pub(super) fn tensor(&self) -> Result<Tensor> {
        match &self.value {
            Value::Ready(tensor) => Ok(tensor.clone()),
            Value::Pending(output) => output.wait(),
            Value::Custom(tensor) => Err(Error::invalid_argument(format!(
                "the tensor is on the device {}, whose memory is its client's: copy it by TFE_TensorHandleCopyToDevice",
                tensor.device().name().to_string_lossy()
            ))),
            Value::Packed(_) => Err(Error::invalid_argument(
                "the handle is packed of several tensors, and has none of its own: take the handle of one of them",
            )),
        }
    }

    /// The tensor of the last reference, or as [`Handle::tensor`].
    pub(super) fn into_tensor(this: Arc<Self>) -> Result<Tensor> {
        match Arc::try_unwrap(this) {
            Ok(Self { value: Value::Ready(tensor), .. }) => Ok(tensor),
            Ok(handle) => handle.tensor(),
            Err(shared) => shared.tensor(),
        }
    }

    /// The tensor in the host's memory.
    pub(super) fn on_host(this: &Arc<Self>) -> Result<Tensor> {
        if let Value::Custom(tensor) = &this.value {
            return tensor.on_host(this);
        }
        let tensor = this.tensor()?;
        match this.memory(&tensor).and_then(|device| device.context()) {
            Some(context) => copy_to_host_blocking(&**context, &tensor),
            None => Ok(tensor),
        }
    }

    /// The device in whose memory a tensor of this handle lies, if that is not the host's.
    fn memory(&self, tensor: &Tensor) -> Option<&Arc<dyn Device>> {
        let memory = tensor.device_memory()?;
        self.devices.iter().find(|device| device.name() == memory.block.device())
    }

    /// The name by which clients know a device of the process.
    pub(super) fn public_name(&self, device: &dyn Device) -> String {
        self.devices.public_name(device.name())
    }

    /// The device of the call that made the tensor.
    pub(super) fn device(&self) -> Result<Arc<dyn Device>> {
        match (&self.device, self.place()) {
            (Some(device), _) | (None, Some(device)) => Ok(device.clone()),
            (None, None) => host_device(),
        }
    }

    /// The device in whose memory the tensor is, as far as that is known without waiting.
    pub(super) fn backing_device(&self) -> Result<Arc<dyn Device>> {
        match (self.place(), &self.device) {
            (Some(device), _) => Ok(device.clone()),
            (None, Some(device)) if device.context().is_none() || !self.is_there() => Ok(device.clone()),
            _ => host_device(),
        }
    }

    fn place(&self) -> Option<&Arc<dyn Device>> {
        match &self.value {
            Value::Ready(tensor) => self.memory(tensor),
            Value::Pending(output) => self.memory(output.outcome()?.as_ref().ok()?),
            Value::Custom(_) | Value::Packed(_) => None,
        }
    }

    fn is_there(&self) -> bool {
        match &self.value {
            Value::Pending(output) => output.outcome().is_some(),
            _ => true,
        }
    }
}

/// A reference for C; `TFE_DeleteTensorHandle` gives it back.
pub(super) fn give(handle: Arc<Handle>) -> *mut TFE_TensorHandle {
    Arc::into_raw(handle).cast_mut().cast()
}

/// Gives a client's reference back; null is passed over, and so is a panic of the tensor's end.
///
/// # Safety
/// As [`Handle::take`].
pub(super) unsafe fn release(handle: *mut TFE_TensorHandle) {
    // SAFETY: `handle` is null, or alive and given up (Safety section).
    without_status((), || drop(unsafe { Handle::take(handle) }));
}

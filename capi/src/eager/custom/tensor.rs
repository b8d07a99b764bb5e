//! Tensors on devices that a client wrote.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use oplink_abi::TFE_CustomDeviceTensorHandle;
use oplink_api::{DType, Error, Result, Tensor};
use oplink_host::guard::without_status;

use super::{CustomDevice, Handle, copied_from};

/// A tensor that its client alone sees.
pub(in crate::eager) struct CustomTensor {
    device: Arc<CustomDevice>,
    dtype: DType,
    data: ClientData,
}

/// What the client's functions are given, until the last reference goes.
pub(super) struct ClientData {
    pub(super) data: *mut c_void,
    pub(super) functions: TFE_CustomDeviceTensorHandle,
}

// SAFETY: the client vouches that its functions may be called on any thread, as TensorFlow does.
unsafe impl Send for ClientData {}
// SAFETY: nothing is reachable through a shared reference but what the client's functions give.
unsafe impl Sync for ClientData {}

impl Drop for ClientData {
    fn drop(&mut self) {
        if let Some(deallocate) = self.functions.deallocator {
            // SAFETY: the function of the client, called once with what it is for.
            without_status((), || unsafe { deallocate(self.data) });
        }
    }
}

impl CustomTensor {
    pub(super) fn new(device: Arc<CustomDevice>, dtype: DType, data: ClientData) -> Self {
        Self { device, dtype, data }
    }

    pub(in crate::eager) fn device(&self) -> &Arc<CustomDevice> {
        &self.device
    }

    pub(in crate::eager) fn dtype(&self) -> DType {
        self.dtype
    }

    /// What the client gave for the tensor.
    pub(in crate::eager) fn data(&self) -> *mut c_void {
        self.data.data
    }

    /// The rank.
    pub(in crate::eager) fn num_dims(&self) -> Result<c_int> {
        let ClientData { data, functions } = &self.data;
        self.device.call(functions.num_dims, "num_dims", |num_dims, status| {
            // SAFETY: the function of the client, with what the interface says that it is given.
            unsafe { num_dims(*data, status) }
        })
    }

    /// A dim.
    pub(in crate::eager) fn dim(&self, index: c_int) -> Result<i64> {
        let ClientData { data, functions } = &self.data;
        self.device.call(functions.dim, "dim", |dim, status| {
            // SAFETY: the function of the client, with what the interface says that it is given.
            unsafe { dim(*data, index, status) }
        })
    }

    /// The number of elements.
    pub(in crate::eager) fn num_elements(&self) -> Result<i64> {
        let mut elements = 1_i64;
        for index in 0..self.num_dims()? {
            let dim = self.dim(index)?;
            let product = elements.checked_mul(dim).filter(|_| dim >= 0);
            elements = product.ok_or_else(|| Error::invalid_argument(format!("dim {index} of the tensor is {dim}")))?;
        }
        Ok(elements)
    }

    /// The tensor in the host's memory: copied off the device by the client. `handle` is the tensor's.
    pub(in crate::eager) fn on_host(&self, handle: &Arc<Handle>) -> Result<Tensor> {
        copied_from(&self.device, handle, &self.device.host_name()?)?.tensor()
    }
}

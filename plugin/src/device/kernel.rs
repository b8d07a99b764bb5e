//! What a device's kernels ask for: the stream that they put their work into, and the memory of tensors.

use std::sync::Arc;

use oplink_api::device::DeviceContext;
use oplink_api::{Code, Error, ErrorKind, KernelContext, Result, Tensor};

use super::handles::{self, Owned, StreamOf};
use super::traits::Platform;
use super::values::Region;

/// The stream of the device on which a kernel runs. Work that is put into it sees the results of all kernels before.
pub struct KernelStream<P: Platform>(Arc<Owned<P, StreamOf<P>>>);

impl<P: Platform> KernelStream<P> {
    /// The stream of a kernel's run.
    ///
    /// # Errors
    /// The kernel runs on no device, or on one of another platform.
    pub fn of(context: &KernelContext<'_>) -> Result<Self> {
        Self::of_device(context.device()?)
    }

    /// The stream of the device that an asynchronous kernel was given.
    ///
    /// # Errors
    /// The device is of another platform.
    pub fn of_device(device: &dyn DeviceContext) -> Result<Self> {
        let stream = handles::find_stream::<P>(device.stream().addr()).ok_or_else(|| {
            let message = format!("{} has no stream of the platform {}", device.device(), P::NAME);
            Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message)
        })?;
        stream.device.kernel_streams.add(&stream);
        Ok(Self(stream))
    }

    /// The device.
    pub fn device(&self) -> &P::Device {
        &self.0.device.device
    }

    /// The vendor's stream.
    pub fn stream(&self) -> &StreamOf<P> {
        &self.0.value
    }
}

impl Region {
    /// Where a tensor's elements lie. Work on the kernel's stream may use it although the tensor ends with the run: the
    /// host gives the memory out again to later work only.
    ///
    /// # Errors
    /// The tensor is in the host's memory: an argument that the kernel's `host_memory` names.
    pub fn of_tensor(tensor: &Tensor) -> Result<Self> {
        let memory = tensor.device_memory().ok_or_else(|| {
            Error::invalid_argument(format!(
                "a tensor of {} {} is in the host's memory, not in the device's",
                tensor.dtype(),
                tensor.shape()
            ))
        })?;
        Ok(Self::new(memory.block.handle().addr() + memory.offset, memory.bytes as u64))
    }
}

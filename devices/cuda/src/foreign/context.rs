//! The [`DeviceContext`] over a framework's stream.

use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

use oplink_api::device::{DeviceContext, DeviceProgram, ProgramArg};
use oplink_api::{Code, DType, Error, ErrorKind, Result, Shape, Tensor};

use super::Lease;
use super::memory::{Block, place};
use crate::driver;
use crate::{MOST_BLOCKS, slots};

/// The queue of a call: its stream. Copies between host and GPU go over it too.
pub(super) struct StreamContext(pub(super) Arc<Lease>);

impl StreamContext {
    fn wait(&self, what: &str) -> Result<()> {
        let gpu = &self.0.opened.gpu;
        gpu.enter()?;
        gpu.tell(what, driver::synchronize(self.0.stream))
    }

    fn download(&self, device: &Tensor) -> Result<Tensor> {
        let from = place(&self.0, device)?;
        // What a kernel wrote is looked at before it counts as a bool.
        let dtype = if device.dtype() == DType::Bool { DType::UInt8 } else { device.dtype() };
        let mut host = Tensor::zeros(dtype, device.shape().clone())?;
        if from.bytes > 0 {
            let to = host.as_mut_bytes()?.as_mut_ptr();
            // SAFETY: both have the tensor's bytes, and stay until the wait is over; the host's are new.
            unsafe { driver::to_host(&self.0.opened.gpu, self.0.stream, to, from) }?;
            self.wait("a copy to the host")?;
        }
        match device.dtype() {
            DType::Bool => Tensor::from_bytes(DType::Bool, device.shape().clone(), host.as_bytes()?),
            _ => Ok(host),
        }
    }

    /// Copies a host tensor into one of the GPU of the same bytes. Waits where the host's memory may change later.
    fn upload(&self, host: &Tensor, device: &Tensor) -> Result<()> {
        let (from, to) = (host.as_bytes()?, place(&self.0, device)?);
        if from.len() != to.bytes {
            return Err(self.unlike(host, device));
        }
        if from.is_empty() {
            return Ok(());
        }
        // SAFETY: both have the tensor's bytes; the driver has read the host's, or the wait is for that.
        unsafe { driver::to_device(&self.0.opened.gpu, self.0.stream, to, from.as_ptr()) }?;
        // Pages that the driver reads later are a framework's, never those of tensors that own their memory.
        if host.owns_memory() { Ok(()) } else { self.wait("a copy to the GPU") }
    }

    #[cold]
    fn unlike(&self, source: &Tensor, target: &Tensor) -> Error {
        let of = |tensor: &Tensor| format!("{} tensor of shape {}", tensor.dtype(), tensor.shape());
        let message = format!("{}: a {} is to be copied into a {}", self.device(), of(source), of(target));
        Error::new(Code::InvalidArgument, ErrorKind::Device, message)
    }
}

impl DeviceContext for StreamContext {
    fn device(&self) -> &str {
        self.0.opened.gpu.name()
    }

    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        let block = Block::allocate(self.0.clone(), dtype, &shape)?;
        Tensor::on_device(dtype, shape, Box::new(block))
    }

    fn stream(&self) -> *mut c_void {
        self.0.stream.raw().cast()
    }

    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor> {
        host.as_bytes()?;
        let tensor = self.allocate(host.dtype(), host.shape().clone())?;
        self.upload(host, &tensor)?;
        Ok(tensor)
    }

    fn copy_to_host(&self, device: &Tensor, done: Box<dyn FnOnce(Result<Tensor>) + Send>) {
        done(self.download(device));
    }

    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor> {
        let tensor = self.allocate(source.dtype(), source.shape().clone())?;
        self.copy_into(source, &tensor)?;
        Ok(tensor)
    }

    /// Takes a source on the host too.
    fn copy_into(&self, source: &Tensor, target: &Tensor) -> Result<()> {
        if source.dtype() != target.dtype() || source.shape() != target.shape() {
            return Err(self.unlike(source, target));
        }
        if !source.is_on_device() {
            return self.upload(source, target);
        }
        let (from, to) = (place(&self.0, source)?, place(&self.0, target)?);
        if from.bytes == 0 || from == to {
            return Ok(());
        }
        // SAFETY: both are memory of this call, which stays until the stream's work is done.
        unsafe { driver::in_device(&self.0.opened.gpu, self.0.stream, to, from) }
    }

    fn synchronize(&self) -> Result<()> {
        self.wait("waiting for the host's stream")
    }

    fn launch(&self, program: &'static DeviceProgram, grid: [u32; 3], args: &[ProgramArg<'_>]) -> Result<()> {
        let gpu = &self.0.opened.gpu;
        let mut slots = slots::pack(program, args, |tensor| Ok(place(&self.0, tensor)?.address))?;
        program.check_grid(gpu.name(), grid, MOST_BLOCKS)?;
        if grid.contains(&0) {
            return Ok(());
        }
        let function = self.0.opened.programs.function(program)?;
        // SAFETY: the slots are those of the program's parameters; memory of the call stays until the stream's work is
        // done.
        unsafe { function.launch(gpu, self.0.stream, grid, program.block, &mut slots) }.map_err(|error| {
            let what = format!("launching {grid:?} blocks of {} of {}", program.name, program.location);
            gpu.error(&what, error)
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

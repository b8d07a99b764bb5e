//! The queue of a device's work, and copies between its memory and the host's.

use std::any::Any;
use std::ffi::c_void;
use std::sync::mpsc::sync_channel;

use super::{ConvolutionSpec, DeviceProgram, MatMulSpec, ProgramArg, RecordedWork};
use crate::{DType, Error, Result, Shape, Tensor};

/// One in-order queue of compute work of a device, and copies between its memory and the host's.
///
/// Work on the queue sees the results of all work enqueued before it. A tensor of the device may be dropped while
/// enqueued work still uses it: its memory is given out again only to work that is enqueued later.
pub trait DeviceContext: Send + Sync {
    /// Full name of the device.
    fn device(&self) -> &str;

    /// A tensor of a plain dtype in the device's memory, with arbitrary contents.
    ///
    /// # Errors
    /// The memory runs out, or the dtype is not plain.
    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor>;

    /// As [`allocate`](Self::allocate), for the node `owner`: a device that reports who holds its memory keeps the
    /// name.
    ///
    /// # Errors
    /// As [`allocate`](Self::allocate).
    fn allocate_for(&self, owner: &str, dtype: DType, shape: Shape) -> Result<Tensor> {
        let _ = owner;
        self.allocate(dtype, shape)
    }

    /// The platform's stream of the compute work (`SP_Stream`, `CUstream`); null where it has none.
    fn stream(&self) -> *mut c_void;

    /// Enqueues a copy of a host tensor; the result may be used at once by work enqueued later. The context keeps
    /// `host` until it was read.
    ///
    /// # Errors
    /// The memory runs out, `host` is no plain host tensor, or the copy cannot be enqueued.
    fn copy_to_device(&self, host: &Tensor) -> Result<Tensor>;

    /// Copies to host memory after all compute work enqueued before. `done` is called once, from any thread, possibly
    /// before the return.
    fn copy_to_host(&self, device: &Tensor, done: Box<dyn FnOnce(Result<Tensor>) + Send>);

    /// Enqueues a copy within the device's memory.
    ///
    /// # Errors
    /// The memory runs out, `source` is not in this device's memory, or the copy cannot be enqueued.
    fn copy_in_device(&self, source: &Tensor) -> Result<Tensor>;

    /// Enqueues a copy of a tensor of the device into another one of its dtype and shape, whose elements it overwrites.
    ///
    /// # Errors
    /// The tensors differ, are not in this device's memory, or the device does not copy into memory that is there.
    fn copy_into(&self, source: &Tensor, target: &Tensor) -> Result<()> {
        let _ = (source, target);
        Err(Error::unimplemented(format!("{} does not copy into a tensor that is there", self.device())))
    }

    /// Whether the device records work, and copies into tensors that are there.
    fn records_work(&self) -> bool {
        false
    }

    /// Records what `work` enqueues from this thread, instead of doing it: launches, products, convolutions and copies
    /// within the device. Other threads wait meanwhile before they enqueue. Programs and libraries are loaded when they
    /// are first used: the same work is to be done once before.
    ///
    /// # Errors
    /// The work's own; copies to and from the host and waiting, which cannot be recorded; work that would keep more
    /// than a quarter of the device's memory; the device's; `Unimplemented` where it records nothing.
    fn record(&self, work: &mut dyn FnMut() -> Result<()>) -> Result<Box<dyn RecordedWork>> {
        let _ = work;
        Err(Error::unimplemented(format!("{} records no work", self.device())))
    }

    /// Waits for the compute work and the copies enqueued so far.
    ///
    /// # Errors
    /// What a piece of that work left, once.
    fn synchronize(&self) -> Result<()>;

    /// Enqueues a program: `grid` blocks of the program's size, with an argument for each of its parameters.
    ///
    /// # Errors
    /// The device runs no programs, lacks a feature that the program needs, or refuses it.
    fn launch(&self, program: &'static DeviceProgram, grid: [u32; 3], args: &[ProgramArg<'_>]) -> Result<()> {
        let _ = (grid, args);
        let (device, name, location) = (self.device(), program.name, program.location);
        Err(Error::unimplemented(format!("{device} runs no programs, so not {name} of {location}")))
    }

    /// Enqueues matrix products by a library of the platform. `None`: there is none here, or it does not take products
    /// of this dtype or layout, and nothing was enqueued; a kernel then launches a program of its own.
    ///
    /// # Errors
    /// The tensors do not fit the spec, are not in this device's memory, or the library fails.
    fn matmul(&self, spec: &MatMulSpec, a: &Tensor, b: &Tensor, out: &Tensor) -> Option<Result<()>> {
        let _ = (spec, a, b, out);
        None
    }

    /// Whether [`convolve`](Self::convolve) has a library for this; nothing is enqueued. A kernel whose tensors lie
    /// otherwise than the spec wants asks first, and moves their elements only for a library that is there.
    fn has_convolution(&self, spec: &ConvolutionSpec) -> bool {
        let _ = spec;
        false
    }

    /// Enqueues a convolution over images, or one of its gradients, by a library of the platform: the tensor that
    /// `spec.result` names is computed of the other two. `None`: there is none here, or it does not take this dtype,
    /// these extents or this padding, or there is no memory for what it needs meanwhile, and nothing was enqueued; a
    /// kernel then launches a program of its own.
    ///
    /// # Errors
    /// The tensors do not fit the spec, are not in this device's memory, or the library fails.
    fn convolve(&self, spec: &ConvolutionSpec, image: &Tensor, filter: &Tensor, output: &Tensor) -> Option<Result<()>> {
        let _ = (spec, image, filter, output);
        None
    }

    /// The context as its own type, for kernels of the device's own crate.
    fn as_any(&self) -> &dyn Any;
}

/// Copies a tensor of the device to the host and waits for it.
///
/// # Errors
/// The copy's error, or the work's before it; `Internal` where the device gave the copy up without an answer.
pub fn copy_to_host_blocking(context: &dyn DeviceContext, device: &Tensor) -> Result<Tensor> {
    let (sender, receiver) = sync_channel(1);
    context.copy_to_host(device, Box::new(move |copied| drop(sender.send(copied))));
    let gave_up = || Error::internal(format!("{} gave up a copy to the host without an answer", context.device()));
    receiver.recv().unwrap_or_else(|_| Err(gave_up()))
}

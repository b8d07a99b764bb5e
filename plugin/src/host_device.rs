//! The device that a kernel of a plugin runs on, as its host tells of it.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::any::Any;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use oplink_abi::TF_OpKernelContext;
use oplink_api::device::DeviceContext;
use oplink_api::{DType, Error, Result, Shape, Tensor};

use crate::host::Host;
use crate::status::{Status, text};
use crate::tf_tensor::{self, dims};

/// The device of one run: its name, its stream, and memory as long as the run goes on.
pub(crate) struct HostDevice {
    host: &'static Host,
    name: Arc<str>,
    stream: usize,
    run: Mutex<Option<Run>>,
}

/// A run that goes on.
struct Run(*mut TF_OpKernelContext);

// SAFETY: the host's context is bound to no thread, and called by one at a time: the lock is held.
unsafe impl Send for Run {}

impl HostDevice {
    /// The device of a run; `None` where it has no stream, and so works in the host's memory.
    ///
    /// # Safety
    /// The context is alive until [`end`](Self::end).
    pub(crate) unsafe fn of_run(
        host: &'static Host,
        context: *mut TF_OpKernelContext,
        status: &Status,
    ) -> Option<Self> {
        // SAFETY: context and status are alive.
        let stream = unsafe { (host.TF_GetStream?)(context, status.raw()) };
        if status.take().is_err() || stream.is_null() {
            return None;
        }
        let name = host.TF_GetDeviceName.map_or_else(String::new, |name| {
            // SAFETY: the context is alive, and so is the text as long as it.
            unsafe { text(name(context)) }
        });
        Some(Self { host, name: name.into(), stream: stream.addr(), run: Mutex::new(Some(Run(context))) })
    }

    pub(crate) fn name(&self) -> Arc<str> {
        self.name.clone()
    }

    /// The run is over.
    pub(crate) fn end(&self) {
        *self.run.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn refuse<T>(&self, what: &str) -> Result<T> {
        let name = &self.name;
        Err(Error::unimplemented(format!(
            "hosts do not {what} for kernels of plugins, on {name}: put the work into the device's stream"
        )))
    }
}

impl DeviceContext for HostDevice {
    fn device(&self) -> &str {
        &self.name
    }

    fn allocate(&self, dtype: DType, shape: Shape) -> Result<Tensor> {
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Run(context)) = &*run else {
            return Err(Error::internal(format!("memory of {} is asked for after the kernel's run", self.name)));
        };
        let allocate = self.host.TF_AllocateTemp;
        let allocate = allocate.ok_or_else(|| Error::unimplemented("the host lacks the C function TF_AllocateTemp"))?;
        let (extents, status) = (dims(&shape), Status::new(self.host));
        let mut attributes = oplink_abi::TF_AllocatorAttributes {
            struct_size: size_of::<oplink_abi::TF_AllocatorAttributes>(),
            on_host: 0,
        };
        // SAFETY: the run goes on; `extents` has so many extents.
        let handle = unsafe {
            let rank = extents.len() as c_int;
            allocate(*context, dtype.number(), extents.as_ptr(), rank, &raw mut attributes, status.raw())
        };
        status.check()?;
        // SAFETY: the handle is the plugin's.
        unsafe { tf_tensor::adopt_on_device(self.host, handle, &self.name) }
    }

    fn stream(&self) -> *mut c_void {
        ptr::without_provenance_mut(self.stream)
    }

    fn copy_to_device(&self, _: &Tensor) -> Result<Tensor> {
        self.refuse("copy to a device")
    }

    fn copy_to_host(&self, _: &Tensor, done: Box<dyn FnOnce(Result<Tensor>) + Send>) {
        done(self.refuse("copy to the host"));
    }

    fn copy_in_device(&self, _: &Tensor) -> Result<Tensor> {
        self.refuse("copy within a device")
    }

    fn synchronize(&self) -> Result<()> {
        self.refuse("wait for a device")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

//! One GPU: its context and what it is.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::result::device;
use cudarc::driver::sys::CUdevice_attribute as Attribute;
use cudarc::driver::{CudaContext, CudaStream, DriverError};
use oplink_api::{Error, Result};

use super::errors;

/// What a GPU is.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The vendor's name of the model.
    pub model: String,
    /// Bytes of its memory.
    pub memory: usize,
    /// Major and minor number of the compute capability.
    pub capability: (i32, i32),
    /// The NUMA node it is attached to; 0 where that is not known.
    pub numa_node: i32,
}

impl Facts {
    /// Those of the GPU of this number, which is there: asked of the driver, without opening the GPU. `name` is its
    /// full name as a device.
    ///
    /// # Errors
    /// The driver does not tell.
    pub fn of(ordinal: usize, name: &str) -> Result<Self> {
        let failed = |error| errors::error(name, &format!("asking what GPU {ordinal} is"), error);
        ask(ordinal).map_err(failed)
    }
}

fn ask(ordinal: usize) -> std::result::Result<Facts, DriverError> {
    let device = device::get(i32::try_from(ordinal).unwrap_or(i32::MAX))?;
    // SAFETY: the driver gave the device.
    let attribute = |attribute| unsafe { device::get_attribute(device, attribute) };
    let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    let numa_node = attribute(Attribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID).unwrap_or(0).max(0);
    // SAFETY: the driver gave the device.
    let memory = unsafe { device::total_mem(device) }?;
    Ok(Facts { model: device::get_name(device)?, memory, capability: (major, minor), numa_node })
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, memory, capability: (major, minor), .. } = self;
        write!(f, "{model} by CUDA, compute capability {major}.{minor}, {} MiB", memory >> 20)
    }
}

/// A GPU with its primary context, which other libraries of the process share.
pub struct Gpu {
    context: Arc<CudaContext>,
    name: String,
    facts: Facts,
}

impl Gpu {
    /// The GPU of this number, which is there, with what is known of it; `name` is its full name as a device.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn open(ordinal: usize, name: String, facts: Facts) -> Result<Arc<Self>> {
        let failed = |error| errors::error(&name, &format!("opening GPU {ordinal}"), error);
        let context = CudaContext::new(ordinal).map_err(failed)?;
        // SAFETY: it only concerns memory that cudarc owns; none is used here.
        unsafe { context.disable_event_tracking() };
        Ok(Arc::new(Self { context, name, facts }))
    }

    /// The name that errors and blocks of memory have.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Its primary context.
    pub fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// Makes the context current on this thread.
    ///
    /// # Errors
    /// The driver's.
    pub fn enter(&self) -> Result<()> {
        self.tell("making the context current", self.context.bind_to_thread())
    }

    /// A stream of its own, which no other waits for unasked.
    ///
    /// # Errors
    /// The driver's.
    pub fn stream(&self) -> Result<Arc<CudaStream>> {
        self.tell("making a stream", self.context.new_stream())
    }

    /// The driver's answer, with what was done and on which device.
    ///
    /// # Errors
    /// The driver's.
    pub fn tell<T>(&self, what: &str, answer: std::result::Result<T, DriverError>) -> Result<T> {
        answer.map_err(|error| self.error(what, error))
    }

    /// The driver's error, with what was done and on which device.
    #[cold]
    pub fn error(&self, what: &str, error: DriverError) -> Error {
        errors::error(&self.name, what, error)
    }
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("name", &self.name).field("facts", &self.facts).finish_non_exhaustive()
    }
}

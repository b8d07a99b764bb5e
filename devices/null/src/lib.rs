//! A device that computes nothing: every op runs on it, and its outputs are allocated as the op's shape function says,
//! with arbitrary values. Plans, placement and memory can be tested with it without a kernel for any op.
//!
//! An op whose shape function leaves an output's shape unknown for known inputs cannot run: the error says so.
#![forbid(unsafe_code)]

use std::sync::Arc;

use oplink_api::{
    Allocator, Error, KernelContext, KernelDescriptor, KernelEntry, KernelEnv, KernelFunction, Location, PartialShape,
    Result,
};
use oplink_core::memory::{HostAllocator, MemoryStatistics};
use oplink_core::{ANY_OP, Device, DeviceFactory, HostEnv, IntraOpPool};

/// The device type.
pub const NULL: &str = "NULL";

const LOCATION: Location = Location {
    crate_name: env!("CARGO_PKG_NAME"),
    crate_version: env!("CARGO_PKG_VERSION"),
    file: file!(),
    line: line!(),
};

/// The device.
pub struct NullDevice {
    name: String,
    memory: Arc<HostAllocator>,
    allocator: Arc<dyn Allocator>,
    env: HostEnv,
}

impl NullDevice {
    /// The device numbered `index`.
    pub fn new(index: usize) -> Self {
        let memory = Arc::new(HostAllocator::new(format!("NULL:{index}")));
        let allocator: Arc<dyn Allocator> = memory.clone();
        let env = HostEnv::new(Some(allocator.clone()));
        Self { name: format!("/job:localhost/replica:0/task:0/device:NULL:{index}"), memory, allocator, env }
    }
}

impl Device for NullDevice {
    fn name(&self) -> &str {
        &self.name
    }

    fn device_type(&self) -> &str {
        NULL
    }

    fn env(&self) -> &dyn KernelEnv {
        &self.env
    }

    fn env_with_threads(&self, _: &Arc<IntraOpPool>, _: usize) -> Arc<dyn KernelEnv> {
        Arc::new(self.env.clone())
    }

    fn allocator(&self) -> Option<&Arc<dyn Allocator>> {
        Some(&self.allocator)
    }

    fn memory_statistics(&self) -> MemoryStatistics {
        self.memory.statistics()
    }

    fn release_unused_memory(&self) {
        self.memory.release_unused();
    }
}

fn allocate_outputs(context: &mut KernelContext<'_>) -> Result<()> {
    if context.num_outputs() == 0 {
        return Ok(());
    }
    for (index, shape) in context.infer_output_shapes()?.iter().enumerate() {
        let known = PartialShape::to_shape(shape).ok_or_else(|| {
            let op = &context.node().op.name;
            Error::unimplemented(format!(
                "the shape function of {op} leaves output {index} at {shape}; the null device computes no values"
            ))
        })?;
        let output = context.allocate_output(index, known)?;
        context.set_output(index, output);
    }
    Ok(())
}

/// Stands for the kernel of every op.
pub static KERNEL: KernelDescriptor = KernelDescriptor {
    op: ANY_OP,
    device: NULL,
    label: "",
    priority: 0,
    host_memory: &[],
    forward: &[],
    type_attrs: &[],
    entries: &[KernelEntry { dtypes: &[], function: KernelFunction::Compute(allocate_outputs) }],
    excluded: &[],
    location: LOCATION,
};

#[allow(clippy::unnecessary_wraps, reason = "the signature of factories")]
fn create() -> Result<Vec<Arc<dyn Device>>> {
    Ok(vec![Arc::new(NullDevice::new(0))])
}

/// Makes the process's null device.
pub static FACTORY: DeviceFactory = DeviceFactory { device_type: NULL, priority: 0, create, location: LOCATION };

oplink_core::register_device!(FACTORY);
oplink_api::__collect!(KERNELS, KernelNode, &'static KernelDescriptor, &KERNEL);

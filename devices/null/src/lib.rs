//! A device that computes nothing: every op runs on it, and its outputs are allocated as the op's shape function says,
//! with arbitrary values. Plans, placement and memory can be tested with it without a kernel for any op.
//!
//! An op whose shape function leaves an output's shape unknown for known inputs cannot run: the error says so.
#![forbid(unsafe_code)]

use std::sync::Arc;

use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, Location};
use oplink_api::tensor::Allocator;
use oplink_api::{Error, KernelContext, KernelEnv, PartialShape, Result};
use oplink_core::memory::{HostAllocator, MemoryStatistics};
use oplink_core::{ANY_OP, Device, DeviceAttributes, DeviceFactory, DeviceName, DeviceOptions, HostEnv, IntraOpPool};

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
    attributes: DeviceAttributes,
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
        let name = DeviceName::local(NULL, index).to_string();
        Self { attributes: DeviceAttributes::new(&name, NULL, 0), memory, allocator, env }
    }
}

impl Device for NullDevice {
    fn name(&self) -> &str {
        &self.attributes.name
    }

    fn device_type(&self) -> &str {
        NULL
    }

    fn attributes(&self) -> DeviceAttributes {
        self.attributes.clone()
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
    entries: &[KernelEntry::new(&[], KernelFunction::Compute(allocate_outputs))],
    excluded: &[],
    location: LOCATION,
};

#[allow(clippy::unnecessary_wraps, reason = "the signature of factories")]
fn create(options: &DeviceOptions) -> Result<Vec<Arc<dyn Device>>> {
    let device = |index| Arc::new(NullDevice::new(index)) as Arc<dyn Device>;
    Ok((0..options.count_or(NULL, 1)).map(device).collect())
}

/// Makes the process's null device, or as many as the options want.
pub static FACTORY: DeviceFactory =
    DeviceFactory { device_type: NULL, priority: 0, on_host: true, create, location: LOCATION };

oplink_core::register_device!(FACTORY);
oplink_api::__collect!(KERNELS, KernelNode, &'static KernelDescriptor, &KERNEL);

//! The kernels of `_DeviceCopy`: a value brought into the host's memory, or into a device's.

use std::sync::{Arc, LazyLock};

use oplink_api::descriptors::{KernelDescriptor, Location};
use oplink_api::device::DeviceContext;
use oplink_api::foreign::{AsyncKernel, ForeignKernel};
use oplink_api::{
    AsyncKernelContext, AttrValue, DType, Error, KernelConstruction, KernelContext, NodeInfo, RawKernel, Result,
};
use oplink_core::{OpEntry, PreparedKernel, node_from_attrs};
use oplink_spec::{Flags, OpSpec};

use crate::known_ops::DEVICE_COPY;
use crate::transfer::{context_of, transfer_to_device};

const HERE: Location = Location {
    crate_name: env!("CARGO_PKG_NAME"),
    crate_version: env!("CARGO_PKG_VERSION"),
    file: file!(),
    line: line!(),
};

static KERNEL: KernelDescriptor = KernelDescriptor {
    op: DEVICE_COPY,
    device: "",
    label: "",
    priority: 0,
    host_memory: &[],
    forward: &[],
    type_attrs: &[],
    entries: &[],
    excluded: &[],
    location: HERE,
};

/// The kernel of a copy of a value of `dtype`: into the memory of `target`, which is one of `contexts`, or to the host.
///
/// # Errors
/// The op's declaration is refused, which it is not.
pub(super) fn copy_kernel(
    name: String,
    device: &str,
    dtype: DType,
    target: Option<Arc<dyn DeviceContext>>,
    contexts: Vec<Arc<dyn DeviceContext>>,
) -> Result<PreparedKernel> {
    static OP: LazyLock<Result<OpEntry>> = LazyLock::new(|| {
        let spec =
            OpSpec::from_pieces(DEVICE_COPY, &["input: T"], &["output: T"], &["T: type"], Flags::default(), None);
        let spec = spec.map_err(|_| Error::internal(format!("the declaration of {DEVICE_COPY} is malformed")))?;
        Ok(OpEntry::of_function(spec, String::new(), HERE))
    });
    let op = OP.as_ref().map_err(Clone::clone)?;
    let node: NodeInfo = node_from_attrs(op, name, device, [("T", AttrValue::Type(dtype))])?;
    let kernel = match target {
        Some(target) => ForeignKernel::Now(Box::new(ToDevice { target, contexts })),
        None => ForeignKernel::Later(Box::new(ToHost { contexts })),
    };
    Ok(PreparedKernel::of_object(Arc::new(node), &KERNEL, kernel))
}

/// Copies into a device's memory: only enqueued where the value comes from the host.
struct ToDevice {
    target: Arc<dyn DeviceContext>,
    contexts: Vec<Arc<dyn DeviceContext>>,
}

impl RawKernel for ToDevice {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        let node = &construction.node().name;
        Err(Error::invalid_argument(format!("`{node}`: only plans make nodes of {DEVICE_COPY}")))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let value = context.take_input(0);
        context.set_output(0, transfer_to_device(value, &self.target, &self.contexts)?);
        Ok(())
    }
}

/// Copies to the host's memory, and finishes when the copy is there.
struct ToHost {
    contexts: Vec<Arc<dyn DeviceContext>>,
}

impl AsyncKernel for ToHost {
    fn start(&self, mut context: AsyncKernelContext) {
        let value = context.inputs()[0].clone();
        let Some(memory) = value.device_memory() else {
            context.set_output(0, value);
            return context.finish(Ok(()));
        };
        match context_of(&self.contexts, memory.block.device()) {
            Err(error) => context.finish(Err(error)),
            Ok(from) => from.copy_to_host(
                &value,
                Box::new(move |copied| {
                    let copied = copied.map(|copied| context.set_output(0, copied));
                    context.finish(copied);
                }),
            ),
        }
    }
}

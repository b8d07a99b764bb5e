//! The kernels of `_DeviceCopy`: a value brought into the host's memory, or into a device's.

use std::sync::{Arc, LazyLock};

use oplink_api::{
    AsyncKernel, AsyncKernelContext, AttrValue, DType, DeviceContext, Error, ForeignKernel, Kernel, KernelConstruction,
    KernelContext, KernelDescriptor, KernelEntry, KernelFunction, Location, NodeInfo, Result, Tensor,
    copy_to_host_blocking,
};
use oplink_core::{OpEntry, PreparedKernel, node_from_attrs};
use oplink_spec::{Flags, OpSpec};

use crate::known_ops::DEVICE_COPY;

const HERE: Location =
    Location { crate_name: env!("CARGO_PKG_NAME"), crate_version: env!("CARGO_PKG_VERSION"), file: file!(), line: line!() };

static KERNEL: KernelDescriptor = KernelDescriptor {
    op: DEVICE_COPY,
    device: "",
    label: "",
    priority: 0,
    host_memory: &[],
    forward: &[],
    type_attrs: &[],
    entries: &[KernelEntry { dtypes: &[], function: KernelFunction::Create(of_plans_only) }],
    excluded: &[],
    location: HERE,
};

/// Plans make the kernel themselves, because it knows their devices.
fn of_plans_only(construction: &KernelConstruction<'_>) -> Result<Box<dyn Kernel>> {
    let node = &construction.node().name;
    Err(Error::invalid_argument(format!("`{node}`: only plans make nodes of {DEVICE_COPY}")))
}

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
        let spec = OpSpec::from_pieces(DEVICE_COPY, &["input: T"], &["output: T"], &["T: type"], Flags::default(), None);
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

impl Kernel for ToDevice {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        Err(of_plans_only(construction).err().unwrap_or_else(|| Error::internal("no kernel")))
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let value = context.take_input(0);
        context.set_output(0, brought_to_device(value, &self.target, &self.contexts)?);
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

/// The value in the memory of `target`: itself where it is there; from another device's memory by way of the host.
///
/// # Errors
/// The copy's; the value lies in the memory of a device that is none of `contexts`.
pub(crate) fn brought_to_device(
    value: Tensor,
    target: &Arc<dyn DeviceContext>,
    contexts: &[Arc<dyn DeviceContext>],
) -> Result<Tensor> {
    match value.device_memory() {
        Some(memory) if memory.block.device() == target.device() => Ok(value),
        _ => target.copy_to_device(&brought_to_host(value, contexts)?),
    }
}

/// The value in the host's memory, waited for.
///
/// # Errors
/// As [`brought_to_device`].
pub(crate) fn brought_to_host(value: Tensor, contexts: &[Arc<dyn DeviceContext>]) -> Result<Tensor> {
    match value.device_memory() {
        None => Ok(value),
        Some(memory) => copy_to_host_blocking(&**context_of(contexts, memory.block.device())?, &value),
    }
}

fn context_of<'c>(contexts: &'c [Arc<dyn DeviceContext>], device: &str) -> Result<&'c Arc<dyn DeviceContext>> {
    contexts.iter().find(|context| context.device() == device).ok_or_else(|| {
        let known: Vec<&str> = contexts.iter().map(|context| context.device()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Error::invalid_argument(format!(
            "a tensor lies in the memory of {device}, which is no device here (with memory of their own: {known}): copy it \
             to the host first"
        ))
    })
}

//! Ops and kernels of the plugin's libraries, handed to the host.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use oplink_abi::TF_OpDefinitionBuilder;
use oplink_api::descriptors::{
    GradientDescriptor, KernelDescriptor, KernelEntry, KernelFunction, OpDescriptor, OpFlags,
};
use oplink_api::spec::Deprecation;
use oplink_api::{DType, Error, OpSpec, Result, bail, ensure};

use crate::compute::{compute, delete};
use crate::entry::{Loaded, LoadedGradient, LoadedKernel, LoadedOp, Plugin};
use crate::host::Host;
use crate::status::{Status, c_string};
use crate::trampolines::Trampolines;

/// Reads all declarations, so that nothing is registered where one is wrong.
pub(crate) fn load(plugin: &Plugin, host: Host) -> Result<Loaded> {
    let ops = plugin.ops().map(load_op).collect::<Result<Vec<_>>>()?;
    let own = plugin.kernels().map(|kernel| load_kernel(&ops, plugin.host_ops, kernel));
    let gradients = plugin.gradients().map(|gradient| load_gradient(&ops, plugin.host_ops, gradient));
    let gradients = gradients.collect::<Result<Vec<_>>>()?;
    let adapted = plugin.adapted.map(|adapted| adapted());
    if let Some(gradient) = adapted.as_ref().and_then(|library| library.gradients.first()) {
        bail!(
            "the adapted kernels come with a gradient of the op {}: gradients of its ops are the host's",
            gradient.op
        );
    }
    let adapted = adapted.iter().flat_map(|library| {
        let ops: HashMap<&str, &'static OpDescriptor> = library.ops.iter().map(|op| (op.name, *op)).collect();
        library.kernels.iter().map(move |kernel| load_kernel(&[], ops.get(kernel.op).copied().as_slice(), kernel))
    });
    let kernels = own.chain(adapted).collect::<Result<Vec<_>>>()?;
    Ok(Loaded { host, ops, kernels, gradients })
}

/// A gradient with its op, which is among the plugin's or the host's: `Plugin::new` checked it.
fn load_gradient(
    ops: &[LoadedOp],
    host_ops: &[&'static OpDescriptor],
    descriptor: &'static GradientDescriptor,
) -> Result<LoadedGradient> {
    if let Some(op) = ops.iter().find(|op| op.descriptor.name == descriptor.op) {
        return Ok(LoadedGradient { descriptor, spec: op.spec.clone() });
    }
    let op = host_ops.iter().find(|op| op.name == descriptor.op);
    let Some(op) = op else { bail!("the gradient at {} is of an unknown op {}", descriptor.location, descriptor.op) };
    Ok(LoadedGradient { descriptor, spec: load_op(op)?.spec })
}

fn load_op(descriptor: &'static OpDescriptor) -> Result<LoadedOp> {
    let OpDescriptor { name, inputs, outputs, attrs, flags, deprecation, .. } = descriptor;
    let deprecation = deprecation.map(|(version, why)| Deprecation { version, explanation: why.to_owned() });
    match OpSpec::from_pieces(name, inputs, outputs, attrs, *flags, deprecation) {
        Ok(spec) => Ok(LoadedOp { descriptor, spec: Arc::new(spec), shape_fn: descriptor.shape }),
        Err(mistakes) => {
            let first = mistakes.first().map_or("", |(_, diagnostic)| diagnostic.message.as_str());
            bail!("op {name}, declared at {}: {first}", descriptor.location)
        }
    }
}

/// A kernel with its op: one of the plugin's, or one of the host's to which the plugin adds kernels.
fn load_kernel(
    ops: &[LoadedOp],
    host_ops: &[&'static OpDescriptor],
    descriptor: &'static KernelDescriptor,
) -> Result<LoadedKernel> {
    if let Some(op) = ops.iter().find(|op| op.descriptor.name == descriptor.op) {
        return Ok(LoadedKernel { descriptor, spec: op.spec.clone(), shape_fn: op.shape_fn, of_host: false });
    }
    let Some(op) = host_ops.iter().find(|op| op.name == descriptor.op) else {
        bail!(
            "the kernel at {} is for the op {}, which the plugin's libraries do not list: list it, or name it in \
             plugin! after `host_ops:` where the host has it",
            descriptor.location,
            descriptor.op
        )
    };
    let LoadedOp { spec, shape_fn, .. } = load_op(op)?;
    Ok(LoadedKernel { descriptor, spec, shape_fn, of_host: true })
}

/// Registers everything.
pub(crate) fn register(plugin: &Plugin, loaded: &'static Loaded) -> Result<()> {
    let status = Status::new(&loaded.host);
    for (position, op) in loaded.ops.iter().enumerate().filter(|(_, op)| !op.descriptor.excluded) {
        register_op(plugin, &loaded.host, position, op, &status)?;
    }
    for (position, kernel) in loaded.kernels.iter().enumerate() {
        for entry in kernel.descriptor.entries.iter().filter(|entry| runs_in_host(entry)) {
            register_kernel(plugin, &loaded.host, position, kernel.descriptor, entry.dtypes, &status)?;
        }
    }
    Ok(())
}

/// Whether a host can run the kernel. One that is a program for GPUs, or the host's own, is not registered, so that the
/// host gives its nodes to the CPU.
fn runs_in_host(entry: &KernelEntry) -> bool {
    !matches!(entry.function, KernelFunction::Program(_) | KernelFunction::HostFallback)
}

fn register_op(plugin: &Plugin, host: &Host, position: usize, op: &LoadedOp, status: &Status) -> Result<()> {
    let text = |piece: &dyn Display| c_string(&piece.to_string());
    let OpSpec { name, inputs, outputs, attrs, flags, deprecation, .. } = &*op.spec;
    // SAFETY: all texts are terminated and live during the calls; registering takes the builder.
    unsafe {
        let builder = (host.TF_NewOpDefinitionBuilder)(text(name).as_ptr());
        attrs.iter().for_each(|attr| (host.TF_OpDefinitionBuilderAddAttr)(builder, text(attr).as_ptr()));
        inputs.iter().for_each(|arg| (host.TF_OpDefinitionBuilderAddInput)(builder, text(arg).as_ptr()));
        outputs.iter().for_each(|arg| (host.TF_OpDefinitionBuilderAddOutput)(builder, text(arg).as_ptr()));
        set_flags(host, builder, *flags);
        if let Some(deprecation) = deprecation {
            let explanation = c_string(&deprecation.explanation);
            (host.TF_OpDefinitionBuilderDeprecated)(builder, deprecation.version, explanation.as_ptr());
        }
        let infer = plugin.trampolines.infer(position);
        (host.TF_OpDefinitionBuilderSetShapeInferenceFunction)(builder, infer);
        (host.TF_RegisterOpDefinition)(builder, status.raw());
    }
    status.check().map_err(|error| refused(&format!("op {name}"), &error))
}

/// Sets the flags that are set: TensorFlow 2.21 sets a flag whatever its value.
///
/// # Safety
/// The builder is alive.
unsafe fn set_flags(host: &Host, builder: *mut TF_OpDefinitionBuilder, flags: OpFlags) {
    let setters = [
        (flags.commutative, host.TF_OpDefinitionBuilderSetIsCommutative),
        (flags.aggregate, host.TF_OpDefinitionBuilderSetIsAggregate),
        (flags.stateful, host.TF_OpDefinitionBuilderSetIsStateful),
        (flags.allows_uninitialized_input, host.TF_OpDefinitionBuilderSetAllowsUninitializedInput),
    ];
    for (_, set) in setters.iter().filter(|(is_set, _)| *is_set) {
        // SAFETY: `builder` is null or alive (Safety section).
        unsafe { set(builder, true) }
    }
}

fn register_kernel(
    plugin: &Plugin,
    host: &Host,
    position: usize,
    kernel: &KernelDescriptor,
    dtypes: &[DType],
    status: &Status,
) -> Result<()> {
    let (op, device) = (c_string(kernel.op), c_string(kernel.device));
    let name = c_string(&format!("{} at {}", kernel.op, kernel.location));
    let create = plugin.trampolines.create(position);
    ensure!(create.is_some(), "a plugin holds at most {} kernels: split it", Trampolines::MOST);
    // SAFETY: all texts are terminated and live during the calls; registering takes the builder.
    unsafe {
        let builder = (host.TF_NewKernelBuilder)(op.as_ptr(), device.as_ptr(), create, Some(compute), Some(delete));
        for (attr, dtype) in kernel.type_attrs.iter().zip(dtypes) {
            let attr = c_string(attr);
            (host.TF_KernelBuilder_TypeConstraint)(builder, attr.as_ptr(), dtype.number(), status.raw());
            if let Err(error) = status.check() {
                (host.TF_DeleteKernelBuilder)(builder);
                return Err(refused(&format!("the kernel of {}", kernel.op), &error));
            }
        }
        for arg in kernel.host_memory {
            (host.TF_KernelBuilder_HostMemory)(builder, c_string(arg).as_ptr());
        }
        if kernel.priority != 0 {
            (host.TF_KernelBuilder_Priority)(builder, kernel.priority);
        }
        if !kernel.label.is_empty() {
            (host.TF_KernelBuilder_Label)(builder, c_string(kernel.label).as_ptr());
        }
        (host.TF_RegisterKernelBuilder)(name.as_ptr(), builder, status.raw());
    }
    status.check().map_err(|error| refused(&format!("the kernel of {}", kernel.op), &error))
}

fn refused(what: &str, error: &Error) -> Error {
    Error::new(error.code(), error.kind(), format!("the host refused {what}: {}", error.message()))
}

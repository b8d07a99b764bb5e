//! Kernels made from what the host tells of a node.
#![allow(unsafe_code, reason = "room: the C ABI")]

use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex};

use oplink_abi::TF_OpKernelConstruction;
use oplink_api::descriptors::KernelFunction;
use oplink_api::device::HostMemory;
use oplink_api::shape_inference::NoConstants;
use oplink_api::signature::signature;
use oplink_api::{AttrMap, DType, Error, KernelConstruction, NodeInfo, PartialShape, Result, ResultExt, ShapeContext};

use crate::compute::{Function, PluginKernel};
use crate::entry::{Loaded, LoadedKernel, loaded};
use crate::guard::guarded;
use crate::kernel_attrs::AttrReader;
use crate::status::Status;

/// Makes the kernel registered at a position. Null where it cannot be made: then the construction has the error.
///
/// # Safety
/// The construction is alive.
pub(crate) unsafe fn create(position: usize, construction: *mut TF_OpKernelConstruction) -> *mut c_void {
    let Some(loaded) = loaded() else { return ptr::null_mut() };
    let what = || match loaded.kernels.get(position) {
        Some(kernel) => format!("the kernel of {}, while it was constructed,", kernel.descriptor.op),
        None => "a kernel".to_owned(),
    };
    // SAFETY: `construction` is null or alive (Safety section).
    match guarded(what, || unsafe { make(loaded, position, construction) }) {
        Ok(kernel) => Box::into_raw(Box::new(kernel)).cast(),
        Err(error) => {
            let status = Status::new(&loaded.host);
            status.set(&error);
            // SAFETY: construction and status are alive.
            unsafe { (loaded.host.TF_OpKernelConstruction_Failure)(construction, status.raw()) };
            ptr::null_mut()
        }
    }
}

unsafe fn make(
    loaded: &'static Loaded,
    position: usize,
    construction: *mut TF_OpKernelConstruction,
) -> Result<PluginKernel> {
    let kernel = loaded.kernels.get(position).ok_or_else(|| Error::internal("a kernel that was never registered"))?;
    // SAFETY: `construction` is alive during the call, and `loaded` names the functions of its host.
    let reader = unsafe { AttrReader::new(&loaded.host, construction) };
    let node = node(kernel, &reader)?;
    refuse_handles(&node)?;
    check_attrs(kernel, &node)?;
    let function = match entry(kernel, &node.attrs)? {
        KernelFunction::Compute(function) => Function::Compute(function),
        KernelFunction::Create(create) => Function::Object(create(&KernelConstruction::new(&node))?),
        KernelFunction::Async(function) => Function::Async(function),
        KernelFunction::Program(_) => {
            return Err(Error::unimplemented(
                "hosts run no programs of plugins: a plugin's kernels on a device enqueue their work on its stream",
            ));
        }
        KernelFunction::HostFallback => {
            return Err(Error::unimplemented(
                "a plugin's kernels fall back to none of the host: declare the kernel for the device CPU",
            ));
        }
        KernelFunction::Foreign(_) => return Err(Error::internal("a kernel of a plugin is declared by an annotation")),
    };
    let descriptor = kernel.descriptor;
    let host_memory = (descriptor.device != "CPU").then(|| HostMemory::of(&node, descriptor.host_memory));
    let (host, node) = (&loaded.host, Arc::new(node));
    Ok(PluginKernel { host, node, function, host_memory, inferred: Mutex::default() })
}

/// The node with all attrs of its op.
fn node(kernel: &LoadedKernel, reader: &AttrReader<'_>) -> Result<NodeInfo> {
    let spec = &kernel.spec;
    let mut attrs = AttrMap::with_capacity(spec.attrs.len());
    for attr in &spec.attrs {
        let value = reader.read(attr).context_with(|| format!("reading attr `{}` of {}", attr.name, spec.name))?;
        attrs.set(attr.name.as_str(), value);
    }
    let (input_dtypes, input_ranges) = signature(spec, &spec.inputs, &attrs)?;
    let (output_dtypes, output_ranges) = signature(spec, &spec.outputs, &attrs)?;
    Ok(NodeInfo {
        name: reader.node_name(),
        op: spec.clone(),
        device: kernel.descriptor.device.to_owned(),
        attrs,
        input_dtypes,
        output_dtypes,
        input_ranges,
        output_ranges,
        shape_fn: kernel.shape_fn.map(Into::into),
    })
}

/// The function for the node's dtypes.
fn entry(kernel: &LoadedKernel, attrs: &AttrMap) -> Result<KernelFunction> {
    let descriptor = kernel.descriptor;
    descriptor.entry_for(attrs).map(|entry| entry.function).ok_or_else(|| {
        Error::internal(format!("the kernel of {} has no function for the dtypes {attrs:?}", descriptor.op))
    })
}

/// What a plugin cannot read or make: handles of the host.
fn refuse_handles(node: &NodeInfo) -> Result<()> {
    let op = &node.op;
    let is_handle = |dtype: &DType| matches!(dtype, DType::Resource | DType::Variant);
    let reference = op.inputs.iter().chain(&op.outputs).any(|arg| arg.is_ref);
    if reference || node.input_dtypes.iter().chain(&node.output_dtypes).any(is_handle) {
        return Err(Error::unimplemented(format!(
            "{} takes or gives resources, variants or references: kernels in a plugin cannot, since hosts do not tell \
             what is in them; build the kernel into the program instead",
            op.name
        )));
    }
    Ok(())
}

/// What the shape function of the plugin's op says of the attrs: hosts that infer its shapes without them have not
/// asked it.
fn check_attrs(kernel: &LoadedKernel, node: &NodeInfo) -> Result<()> {
    let Some(shape_fn) = kernel.shape_fn.filter(|_| !kernel.of_host) else { return Ok(()) };
    let unknown = vec![PartialShape::unknown(); node.input_dtypes.len()];
    let mut context = ShapeContext::new(node, &unknown, &NoConstants);
    shape_fn(&mut context).context_with(|| format!("checking the attrs of {}", node.op.name))
}

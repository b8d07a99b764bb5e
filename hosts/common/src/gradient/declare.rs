//! The declaration of an op that computes gradients, made of that of the differentiated op.

use std::sync::Arc;

use oplink_api::descriptors::{KernelDescriptor, KernelEntry, KernelFunction, OpDescriptor, OpFlags};
use oplink_api::foreign::KernelFactory;
use oplink_api::spec::{Allowed, ArgSpec, ArgType};
use oplink_api::{DType, OpSpec, Result};

use super::{GradientOp, NodeOps};
use crate::table::HostedOp;

/// The op that computes the gradients of another one: inputs are that op's inputs, its outputs, and the gradients of
/// these; outputs are the gradients of the inputs that have any. `None` where nothing can be differentiated.
///
/// What it makes of descriptors lives as long as the process, as other descriptors do.
pub(crate) fn gradient_op(of: &Arc<HostedOp>, nodes: &Arc<NodeOps>) -> Result<Option<HostedOp>> {
    let spec = &of.spec;
    if of.gradient.is_none() || of.refusal().is_some() || !spec.inputs.iter().any(|arg| is_differentiable(spec, arg)) {
        return Ok(None);
    }
    let name = leaked(format!("{}Grad", spec.name));
    let mut names = Names(Vec::new());
    let mut arg = |arg: &ArgSpec, prefix: &str| {
        let name = names.unused(format!("{prefix}{}", arg.name));
        leaked(ArgSpec { name, ..arg.clone() }.to_string())
    };
    let mut inputs: Vec<&'static str> = spec.inputs.iter().map(|input| arg(input, "")).collect();
    inputs.extend(spec.outputs.iter().map(|output| arg(output, "")));
    inputs.extend(spec.outputs.iter().map(|output| arg(output, "grad_")));
    let differentiable = spec.inputs.iter().filter(|arg| is_differentiable(spec, arg));
    let outputs: Vec<&'static str> = differentiable.map(|input| arg(input, "grad_")).collect();
    spec.attrs.iter().for_each(|attr| names.0.push(attr.name.clone()));
    let wanted = names.unused("wanted".to_owned());
    let mut attrs = of.descriptor.attrs.to_vec();
    attrs.push(leaked(format!("{wanted}: list(bool) = []")));
    let doc = format!(
        "The gradients of the inputs of `{0}`, by its inputs, its outputs and the gradients of these. `{wanted}` tells \
         of each input of `{0}` whether its gradient is used; one that is not used has the shape `[0]`.",
        spec.name
    );
    let descriptor = Box::leak(Box::new(OpDescriptor {
        name,
        inputs: inputs.leak(),
        outputs: outputs.leak(),
        attrs: attrs.leak(),
        flags: OpFlags::default(),
        deprecation: None,
        shape: None,
        doc: leaked(doc),
        no_gradient: false,
        facts: &[],
        excluded: false,
        location: of.descriptor.location,
    }));
    let of: &GradientOp = Box::leak(Box::new(GradientOp { of: of.clone(), nodes: nodes.clone(), wanted }));
    let factory: &'static dyn KernelFactory = Box::leak(Box::new(of));
    let kernels = of.of.kernels.iter().filter_map(|kernel| kernel_of(name, kernel, factory)).collect();
    let mut op = HostedOp::with_kernels(descriptor, kernels)?;
    op.gradient_of = Some(of);
    Ok(Some(op))
}

/// The gradient's kernel for the dtypes of a kernel of the differentiated op, as far as these have gradients.
fn kernel_of(
    op: &'static str,
    kernel: &'static KernelDescriptor,
    factory: &'static dyn KernelFactory,
) -> Option<&'static KernelDescriptor> {
    let has_gradient = |entry: &&KernelEntry| entry.dtypes.is_empty() || entry.dtypes.iter().any(|one| varies(*one));
    let make = |entry: &KernelEntry| KernelEntry::new(entry.dtypes, KernelFunction::Foreign(factory));
    let entries: Vec<KernelEntry> = kernel.entries.iter().filter(has_gradient).map(make).collect();
    let KernelDescriptor { device, label, priority, type_attrs, location, .. } = *kernel;
    let made = KernelDescriptor {
        op,
        device,
        label,
        priority,
        host_memory: &[],
        forward: &[],
        type_attrs,
        entries: entries.leak(),
        excluded: &[],
        location,
    };
    (!made.entries.is_empty()).then(|| &*Box::leak(Box::new(made)))
}

/// Whether elements of a dtype vary continuously.
fn varies(dtype: DType) -> bool {
    dtype.is_floating() || dtype.is_complex()
}

/// Whether an argument may be of a dtype that has gradients.
pub(super) fn is_differentiable(spec: &OpSpec, arg: &ArgSpec) -> bool {
    match &arg.ty {
        ArgType::Type(dtype) => varies(*dtype),
        ArgType::Attr(name) | ArgType::ListAttr(name) => match spec.attr(name).and_then(|attr| attr.allowed.as_ref()) {
            Some(Allowed::Types(types)) => types.iter().any(|dtype| varies(*dtype)),
            _ => true,
        },
    }
}

/// Names of arguments and attrs, each once.
struct Names(Vec<String>);

impl Names {
    /// The name, with what makes it one of its own.
    fn unused(&mut self, mut name: String) -> String {
        while self.0.contains(&name) {
            name.push('_');
        }
        self.0.push(name.clone());
        name
    }
}

fn leaked(text: String) -> &'static str {
    String::leak(text)
}

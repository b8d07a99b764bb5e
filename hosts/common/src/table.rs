//! The ops of a crate as hosts see them.

use std::sync::{Arc, OnceLock, RwLock};

use oplink_api::descriptors::{GradientDescriptor, KernelDescriptor, Library, OpDescriptor, OpFact};
use oplink_api::foreign::ShapeInference;
use oplink_api::resolve::{AttrDefault, DeclaredOp, attr_defaults};
use oplink_api::shape_inference::ConstantInputs;
use oplink_api::spec::{AttrSpec, Deprecation, ScalarKind, snake_case};
use oplink_api::{DType, Error, NodeInfo, OpSpec, PartialShape, Result, ShapeContext, bail};

use crate::gradient::{GradientOp, NodeOps, gradient_op};
use crate::prepare::Cache;

/// What `plugin!` makes of a crate, for hosts that are no TensorFlow.
#[derive(Debug)]
pub struct HostedPlugin {
    crate_name: &'static str,
    crate_version: &'static str,
    libraries: &'static [&'static Library],
    gradient_ops: &'static [&'static Library],
    table: OnceLock<Result<OpTable>>,
}

impl HostedPlugin {
    /// The ops of these libraries.
    #[must_use]
    pub const fn new(
        crate_name: &'static str,
        crate_version: &'static str,
        libraries: &'static [&'static Library],
    ) -> Self {
        Self { crate_name, crate_version, libraries, gradient_ops: &[], table: OnceLock::new() }
    }

    /// The same with ops that the gradients of its ops are made of beside the crate's own: no host sees them.
    #[must_use]
    pub const fn with_gradient_ops(mut self, gradient_ops: &'static [&'static Library]) -> Self {
        self.gradient_ops = gradient_ops;
        self
    }

    /// The ops with their declarations read, on first use.
    ///
    /// # Errors
    /// A declaration is wrong.
    pub fn table(&self) -> Result<&OpTable> {
        let made = self.table.get_or_init(|| OpTable::of(self));
        made.as_ref().map_err(Clone::clone)
    }

    /// The crate's name.
    pub fn crate_name(&self) -> &'static str {
        self.crate_name
    }
}

/// As many ops as a table of these libraries has, at most: those declared, and one for each gradient.
#[must_use]
pub const fn most_ops(libraries: &[&Library]) -> usize {
    let (mut ops, mut at) = (0, 0);
    while at < libraries.len() {
        ops += libraries[at].ops.len() + libraries[at].gradients.len();
        at += 1;
    }
    ops
}

/// The ops of a crate, at the positions of its libraries, and then those that compute their gradients.
#[derive(Debug)]
pub struct OpTable {
    /// The crate's name.
    pub crate_name: &'static str,
    /// The crate's version.
    pub crate_version: &'static str,
    /// The ops.
    pub ops: Vec<Arc<HostedOp>>,
    /// The ops that gradients are made of.
    pub(crate) nodes: Arc<NodeOps>,
}

impl OpTable {
    fn of(plugin: &HostedPlugin) -> Result<Self> {
        let read = |libraries: &[&'static Library]| -> Result<Vec<Arc<HostedOp>>> {
            let declared = libraries.iter().flat_map(|library| library.ops);
            declared.map(|op| HostedOp::of(op, libraries).map(Arc::new)).collect()
        };
        let mut ops = read(plugin.libraries)?;
        let nodes = Arc::new(NodeOps { own: ops.clone(), others: read(plugin.gradient_ops)? });
        let is_taken = |function: &str| ops.iter().any(|op| op.function_name == function);
        let gradients = ops.iter().filter_map(|op| gradient_op(op, &nodes).transpose()).collect::<Result<Vec<_>>>()?;
        let gradients: Vec<_> = gradients.into_iter().filter(|op| !is_taken(&op.function_name)).map(Arc::new).collect();
        ops.extend(gradients);
        Ok(Self { crate_name: plugin.crate_name, crate_version: plugin.crate_version, ops, nodes })
    }

    /// The crate's name as a name space of functions.
    pub fn namespace(&self) -> String {
        self.crate_name.replace('-', "_")
    }

    /// The op of that name.
    pub fn op(&self, name: &str) -> Option<&HostedOp> {
        self.ops.iter().find(|op| op.spec.name == name).map(|op| &**op)
    }
}

/// An op with its declaration read, its kernels and its gradient.
#[derive(Debug)]
pub struct HostedOp {
    /// The declaration.
    pub descriptor: &'static OpDescriptor,
    /// The name of the op's function.
    pub function_name: String,
    /// The gradient.
    pub gradient: Option<&'static GradientDescriptor>,
    /// The op whose gradients this op computes, where it is one that was made for that.
    pub(crate) gradient_of: Option<&'static GradientOp>,
    pub(crate) spec: Arc<OpSpec>,
    pub(crate) kernels: Vec<&'static KernelDescriptor>,
    pub(crate) cache: RwLock<Cache>,
    #[cfg(feature = "gpu")]
    pub(crate) gpu: crate::cuda::GpuKernels,
    defaults: Vec<AttrDefault>,
    given: Vec<usize>,
}

impl HostedOp {
    fn of(descriptor: &'static OpDescriptor, libraries: &[&'static Library]) -> Result<Self> {
        let name = descriptor.name;
        let all = || libraries.iter().copied();
        let serves =
            |kernel: &&KernelDescriptor| kernel.op == name && kernel.device == "CPU" && kernel.label.is_empty();
        let mut kernels: Vec<_> = all().flat_map(|library| library.kernels).copied().filter(serves).collect();
        kernels.sort_by_key(|kernel| std::cmp::Reverse(kernel.priority));
        let gradient = all().flat_map(|library| library.gradients).copied().find(|gradient| gradient.op == name);
        Ok(Self {
            gradient,
            #[cfg(feature = "gpu")]
            gpu: crate::cuda::GpuKernels::of(name, all().flat_map(|library| library.kernels).copied()),
            ..Self::with_kernels(descriptor, kernels)?
        })
    }

    /// An op with these kernels, without a gradient.
    pub(crate) fn with_kernels(
        descriptor: &'static OpDescriptor,
        kernels: Vec<&'static KernelDescriptor>,
    ) -> Result<Self> {
        let spec = Arc::new(read(descriptor)?);
        let defaults = attr_defaults(&spec)?;
        let given = (0..spec.attrs.len()).filter(|&at| !spec.is_inferred(&spec.attrs[at].name)).collect();
        let (function_name, cache) = (snake_case(descriptor.name), RwLock::default());
        let (gradient, gradient_of) = (None, None);
        Ok(Self {
            descriptor,
            function_name,
            gradient,
            gradient_of,
            spec,
            kernels,
            cache,
            #[cfg(feature = "gpu")]
            gpu: crate::cuda::GpuKernels::default(),
            defaults,
            given,
        })
    }

    /// The name of the op whose gradients this op computes, where it is one that was made for that.
    pub fn gradient_of(&self) -> Option<&'static str> {
        self.gradient_of.map(GradientOp::of_name)
    }

    /// Of an op that computes gradients, which inputs of the differentiated op its outputs are the gradients of.
    pub fn differentiable(&self) -> Vec<bool> {
        self.gradient_of.map_or_else(Vec::new, GradientOp::differentiable)
    }

    /// Whether each element of an output follows from the elements of the inputs at its position alone.
    pub fn is_elementwise(&self) -> bool {
        let mut entries = self.kernels.iter().flat_map(|kernel| kernel.entries).peekable();
        self.descriptor.facts.contains(&OpFact::Elementwise)
            || (entries.peek().is_some() && entries.all(|entry| entry.elementwise.is_some()))
    }

    /// The shapes of a node's outputs, as far as the shape function tells them.
    ///
    /// # Errors
    /// Those of the shape function.
    pub fn infer(
        &self,
        node: &NodeInfo,
        inputs: &[PartialShape],
        constants: &dyn ConstantInputs,
    ) -> Result<Vec<PartialShape>> {
        let mut context = ShapeContext::new(node, inputs, constants);
        if let Some(shape_fn) = self.shape_fn() {
            shape_fn.infer(&mut context)?;
        }
        Ok(context.into_output_shapes())
    }

    /// The attrs that calls give: those that no input tells, in the declaration's order.
    pub fn given_attrs(&self) -> impl ExactSizeIterator<Item = &AttrSpec> {
        self.given.iter().map(|&at| &self.spec.attrs[at])
    }

    /// The kernels for the device CPU, that of the highest priority first.
    pub fn kernels(&self) -> &[&'static KernelDescriptor] {
        &self.kernels
    }

    /// Whether equal calls may give different outputs, or have an effect.
    pub fn differs_by_call(&self) -> bool {
        self.spec.flags.stateful || self.descriptor.facts.contains(&OpFact::Random)
    }

    /// Why no host but TensorFlow and oplink can call the op; `None` where all can, as far as dtypes are theirs.
    pub fn refusal(&self) -> Option<String> {
        let spec = &self.spec;
        let is_handle = |dtype: DType| matches!(dtype, DType::Resource | DType::Variant);
        let args = || spec.inputs.iter().chain(&spec.outputs);
        let fixed =
            |arg: &oplink_spec::ArgSpec| matches!(arg.ty, oplink_spec::ArgType::Type(dtype) if is_handle(dtype));
        if args().any(|arg| arg.is_ref || fixed(arg)) {
            return Some(format!("{} takes or gives resources, variants or references", spec.name));
        }
        let attr = self.given_attrs().find(|attr| matches!(attr.kind.scalar, ScalarKind::Func));
        if let Some(attr) = attr {
            return Some(format!("attr `{}` of {} is a function of a graph", attr.name, spec.name));
        }
        self.kernels.is_empty().then(|| format!("{} has no kernel for the device CPU", spec.name))
    }
}

impl DeclaredOp for HostedOp {
    fn spec(&self) -> &Arc<OpSpec> {
        &self.spec
    }

    fn attr_defaults(&self) -> Result<&[AttrDefault]> {
        Ok(&self.defaults)
    }

    fn shape_fn(&self) -> Option<ShapeInference> {
        let of_gradient = self.gradient_of.map(|of| ShapeInference::Foreign(of));
        of_gradient.or_else(|| self.descriptor.shape.map(Into::into))
    }
}

fn read(descriptor: &OpDescriptor) -> Result<OpSpec> {
    let OpDescriptor { name, inputs, outputs, attrs, flags, deprecation, .. } = descriptor;
    let deprecation = deprecation.map(|(version, why)| Deprecation { version, explanation: why.to_owned() });
    match OpSpec::from_pieces(name, inputs, outputs, attrs, *flags, deprecation) {
        Ok(spec) => Ok(spec),
        Err(mistakes) => {
            let first = mistakes.first().map_or("", |(_, diagnostic)| diagnostic.message.as_str());
            bail!("op {name}, declared at {}: {first}", descriptor.location)
        }
    }
}

/// The error of an op that a crate does not have.
pub(crate) fn unknown_op(table: &OpTable, name: &str) -> Error {
    Error::not_found(format!("{} has no op {name}", table.crate_name))
}

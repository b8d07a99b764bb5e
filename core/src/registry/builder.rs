//! Gathers declarations; `seal` turns them into a registry.

use std::borrow::Cow;

use oplink_api::OpSpec;
use oplink_api::descriptors::{
    Anchor, ExcludedKernel, ExcludedOp, GradientDescriptor, KernelDescriptor, Library, Location, OpDescriptor,
    collected_anchors, collected_excluded_kernels, collected_excluded_ops, collected_gradients, collected_kernels,
    collected_ops,
};
use oplink_api::foreign::ShapeInference;
use oplink_api::shape_inference::ShapeFn;
use oplink_spec::Problem;

use super::collected::collected_hints;
use super::unlinked::Hint;
use super::{Hints, RejectedPlugin};

/// Declarations on their way into a registry. The same static descriptor may arrive by several ways and counts once.
#[derive(Default, Debug)]
pub struct RegistryBuilder {
    pub(super) ops: Vec<OpSource>,
    pub(super) kernels: Vec<&'static KernelDescriptor>,
    pub(super) gradients: Vec<&'static GradientDescriptor>,
    pub(super) excluded_ops: Vec<ExcludedOp>,
    pub(super) excluded_kernels: Vec<ExcludedKernel>,
    pub(super) anchors: Vec<&'static Anchor>,
    pub(super) hints: Vec<Hint>,
    pub(super) rejected: Vec<RejectedPlugin>,
}

/// An op declared by an annotation, or at run time.
#[derive(Debug)]
pub(super) enum OpSource {
    Static(&'static OpDescriptor),
    Dynamic(Box<DynamicOp>),
}

#[derive(Clone, Debug)]
pub(super) struct DynamicOp {
    pub(super) spec: OpSpec,
    pub(super) shape_fn: Option<ShapeInference>,
    pub(super) doc: String,
    pub(super) location: Location,
    /// [`OpSpec::check`]: programs whose ops are all annotated do without it.
    pub(super) check: fn(&OpSpec) -> Vec<Problem>,
}

impl OpSource {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Static(op) => op.name,
            Self::Dynamic(op) => &op.spec.name,
        }
    }

    pub(super) fn location(&self) -> Location {
        match self {
            Self::Static(op) => op.location,
            Self::Dynamic(op) => op.location,
        }
    }
}

impl RegistryBuilder {
    /// No declarations.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Everything that is linked into this binary.
    pub fn from_collected() -> Self {
        let mut builder = Self::empty();
        builder.ops.extend(collected_ops().into_iter().map(OpSource::Static));
        builder.kernels = collected_kernels();
        builder.gradients = collected_gradients();
        builder.excluded_ops = collected_excluded_ops();
        builder.excluded_kernels = collected_excluded_kernels();
        builder.anchors = collected_anchors();
        builder.hints.extend(collected_hints().into_iter().flat_map(Hints::each));
        builder
    }

    /// Adds an op.
    #[must_use]
    pub fn op(mut self, op: &'static OpDescriptor) -> Self {
        self.ops.push(OpSource::Static(op));
        self
    }

    /// Adds an op that is known only at run time.
    #[must_use]
    pub fn dynamic_op(
        mut self,
        spec: OpSpec,
        shape_fn: Option<ShapeFn>,
        doc: impl Into<String>,
        location: Location,
    ) -> Self {
        let shape_fn = shape_fn.map(Into::into);
        self.ops.push(OpSource::Dynamic(Box::new(DynamicOp::new(spec, shape_fn, doc.into(), location))));
        self
    }

    /// Adds a kernel.
    #[must_use]
    pub fn kernel(mut self, kernel: &'static KernelDescriptor) -> Self {
        self.kernels.push(kernel);
        self
    }

    /// Adds a gradient.
    #[must_use]
    pub fn gradient(mut self, gradient: &'static GradientDescriptor) -> Self {
        self.gradients.push(gradient);
        self
    }

    /// Tells of an op that the build's selection leaves out.
    #[must_use]
    pub fn excluded_op(mut self, op: ExcludedOp) -> Self {
        self.excluded_ops.push(op);
        self
    }

    /// Tells of a kernel whose op the build's selection leaves out.
    #[must_use]
    pub fn excluded_kernel(mut self, kernel: ExcludedKernel) -> Self {
        self.excluded_kernels.push(kernel);
        self
    }

    /// Adds an explicit list.
    #[must_use]
    pub fn library(mut self, library: &Library) -> Self {
        self.ops.extend(library.ops.iter().copied().map(OpSource::Static));
        self.kernels.extend(library.kernels);
        self.gradients.extend(library.gradients);
        self
    }

    /// Makes sealing fail where the crate contributes less than it declares.
    #[must_use]
    pub fn anchor(mut self, anchor: &'static Anchor) -> Self {
        self.anchors.push(anchor);
        self
    }

    /// Tells what would bring an op, for the error of a miss.
    #[must_use]
    pub fn hint(mut self, op: &'static str, crate_name: &'static str, how_to_enable: &'static str) -> Self {
        self.hints.push(Hint { op, crate_name, how_to_enable });
        self
    }

    /// Tells what would bring several ops, for the error of a miss.
    #[must_use]
    pub fn hints(mut self, hints: &Hints) -> Self {
        self.hints.extend(hints.each());
        self
    }

    /// Keeps note of a plugin that was refused, so that a miss can name it.
    #[must_use]
    pub fn rejected_plugin(mut self, path: impl Into<String>, reason: impl Into<String>, ops: &[&str]) -> Self {
        self.rejected.push(RejectedPlugin::new(path, reason, ops));
        self
    }
}

impl DynamicOp {
    pub(super) fn new(spec: OpSpec, shape_fn: Option<ShapeInference>, doc: String, location: Location) -> Self {
        Self { spec, shape_fn, doc, location, check: OpSpec::check }
    }

    pub(super) fn into_entry(self) -> super::OpEntry {
        super::OpEntry::new(self.spec, self.shape_fn, Cow::Owned(self.doc), self.location)
    }
}

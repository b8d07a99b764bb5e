//! Gradients of ops: functions that add nodes to a graph.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::attr::FromAttr;
use crate::descriptor::Location;
use crate::foreign::GradientFunction;
use crate::{DType, NodeInfo, Output, PartialShape, Result, Scope};

/// Adds the nodes that compute the gradient of an op.
///
/// It gets a gradient for each output of the node, zeros where nothing depends on the output, and returns one for each
/// input: `None` where the outputs do not depend on the input, or not differentiably. All that it adds goes to `scope`.
pub type GradientFn = fn(&mut dyn Scope, &OpForGradient, &[Output]) -> Result<Vec<Option<Output>>>;

/// One `#[gradient]`.
#[derive(Debug)]
pub struct GradientDescriptor {
    /// The op's name.
    pub op: &'static str,
    /// The function.
    pub function: GradientFunction,
    /// Where it is declared.
    pub location: Location,
}

/// The descriptor of a gradient named in `library!`: implemented for a hidden type of the function's name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no gradient",
    label = "not declared with #[gradient]",
    note = "a gradient is a function that `#[gradient(Op)]` stands on"
)]
pub trait HasGradientDescriptor {
    /// The descriptor.
    const DESCRIPTOR: &'static GradientDescriptor;
}

/// The node that is differentiated through, as its gradient function sees it.
#[derive(Clone, Debug)]
pub struct OpForGradient {
    node: u32,
    info: Arc<NodeInfo>,
    inputs: Vec<Output>,
    input_shapes: Vec<PartialShape>,
    output_shapes: Vec<PartialShape>,
    has_gradient: Vec<bool>,
    /// Of each input whether its gradient is used; of all, where there are none.
    wanted: Vec<bool>,
    source: String,
    /// Whether a shape was asked for; clones share it.
    reads_shapes: Arc<AtomicBool>,
}

/// Stands for an input that a node does not have: a scope refuses it.
const NOTHING: Output = Output { node: u32::MAX, index: 0 };

impl OpForGradient {
    /// A node with what is known of it; `has_gradient` tells of each output whether anything depends on it.
    pub fn new(
        node: u32,
        info: Arc<NodeInfo>,
        inputs: Vec<Output>,
        input_shapes: Vec<PartialShape>,
        output_shapes: Vec<PartialShape>,
        has_gradient: Vec<bool>,
    ) -> Self {
        Self {
            node,
            info,
            inputs,
            input_shapes,
            output_shapes,
            has_gradient,
            wanted: Vec::new(),
            source: "gradients".to_owned(),
            reads_shapes: Arc::default(),
        }
    }

    /// The same where only the gradients of some inputs are used: `wanted` tells of each input.
    #[must_use]
    pub fn with_wanted(self, wanted: Vec<bool>) -> Self {
        Self { wanted, ..self }
    }

    /// The same in a differentiation of this name.
    #[must_use]
    pub fn with_source(self, source: impl Into<String>) -> Self {
        Self { source: source.into(), ..self }
    }

    /// The name of the differentiation. What ops of it add up in a resource, such as the gradients of a tensor array,
    /// is kept apart from that of others by it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the gradient of an input is used. A gradient function may give `None` where it is not, and does where
    /// computing it takes long.
    pub fn wants(&self, index: usize) -> bool {
        self.wanted.get(index).copied().unwrap_or(true)
    }

    /// What `gradient` computes of an input, where that is used.
    ///
    /// # Errors
    /// Those of `gradient`.
    pub fn if_wanted(&self, index: usize, gradient: impl FnOnce() -> Result<Output>) -> Result<Option<Output>> {
        self.wants(index).then(gradient).transpose()
    }

    /// Name, op, attrs and dtypes.
    pub fn info(&self) -> &NodeInfo {
        &self.info
    }

    /// Where the inputs come from, in order.
    pub fn inputs(&self) -> &[Output] {
        &self.inputs
    }

    /// Where an input comes from. Of one that the node does not have, an output that adding a node with it refuses.
    pub fn input(&self, index: usize) -> Output {
        self.inputs.get(index).copied().unwrap_or(NOTHING)
    }

    /// An output of the node.
    pub fn output(&self, index: usize) -> Output {
        Output { node: self.node, index: index as u32 }
    }

    /// The number of outputs.
    pub fn num_outputs(&self) -> usize {
        self.info.output_dtypes.len()
    }

    /// Whether anything that is differentiated depends on an output: where not, its gradient is zeros.
    pub fn has_gradient(&self, index: usize) -> bool {
        self.has_gradient.get(index).copied().unwrap_or(false)
    }

    /// The dtype of an input; `Invalid` where there is no such input.
    pub fn input_dtype(&self, index: usize) -> DType {
        self.info.input_dtypes.get(index).copied().unwrap_or(DType::Invalid)
    }

    /// The shape of an input as far as the graph knows it.
    pub fn input_shape(&self, index: usize) -> PartialShape {
        self.reads_shapes.store(true, Ordering::Relaxed);
        self.input_shapes.get(index).cloned().unwrap_or_default()
    }

    /// The shape of an output as far as the graph knows it.
    pub fn output_shape(&self, index: usize) -> PartialShape {
        self.reads_shapes.store(true, Ordering::Relaxed);
        self.output_shapes.get(index).cloned().unwrap_or_default()
    }

    /// Whether a shape of an input or output was asked for. Where none was, what the gradient function added holds for
    /// tensors of any shape.
    pub fn reads_shapes(&self) -> bool {
        self.reads_shapes.load(Ordering::Relaxed)
    }

    /// An attr as a Rust type.
    ///
    /// # Errors
    /// The op has no such attr, or it is of another kind.
    pub fn attr<'a, T: FromAttr<'a>>(&'a self, name: &str) -> Result<T> {
        self.info.attr(name)
    }
}

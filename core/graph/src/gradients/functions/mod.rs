//! Gradients through nodes that call functions.
//!
//! As in TensorFlow, the forward function comes to return what the gradient needs of it (`body`), behind its own
//! results, and the node to call it (`replace`); a new node calls the backward function. `call` does this for calls,
//! `branches` for `If` and `Case`, whose branches return each other's values as placeholders, `loops` for `While`,
//! which gathers values in tensor lists that a loop in the other direction takes them from; `dependence` finds the
//! variables of a loop that take part, `library` names and keeps the functions, `symbolic` makes the gradient of a
//! whole function.

mod body;
mod branches;
mod call;
mod dependence;
mod library;
mod loops;
mod replace;
mod symbolic;

use oplink_api::call::{Arg, Call};
use oplink_api::{AttrValue, DType, Error, FuncAttr, Output, PartialShape, Result, Scope};

use crate::graph::Node;
use crate::known_ops::KnownOp;
use crate::{Graph, GraphScope};
pub(super) use library::{add_functions, free_name, op_for};
pub(super) use replace::Replaced;

/// Calls inside one another that are differentiated through.
const MAX_DEPTH: usize = 32;
/// Gradients of functions that a graph's library may have when another one is made. Functions that each call the next
/// one twice would else ask for twice as many at each level.
const MAX_FUNCTIONS: usize = 1 << 9;

/// A node to differentiate through that calls functions.
pub(super) struct Through<'a> {
    pub(super) graph: &'a mut Graph,
    /// What stands before the names of nodes.
    pub(super) prefix: &'a str,
    pub(super) replaced: &'a mut Replaced,
    pub(super) node: u32,
    /// The gradients of the outputs.
    pub(super) sums: &'a [Option<Output>],
    /// The inputs whose gradients are of use.
    pub(super) wanted: &'a [bool],
}

/// Whether a node is differentiated through by looking into functions.
pub(super) fn calls_function(graph: &Graph, node: &Node) -> bool {
    node.known().passes_arguments() || graph.registry().get_op(node.op_name()).is_none()
}

impl Through<'_> {
    /// Adds the nodes and functions of the gradient; a gradient for each input that has one.
    ///
    /// # Errors
    /// An op of a function has no gradient; a function is malformed or calls itself.
    pub(super) fn add(self) -> Result<Vec<Option<Output>>> {
        use KnownOp as Op;
        match self.of().known() {
            Op::If | Op::StatelessIf => self.through_branches(&["then_branch", "else_branch"]),
            Op::Case | Op::StatelessCase => self.through_branches(&["branches"]),
            Op::While | Op::StatelessWhile => self.through_loop(),
            _ => self.through_call(),
        }
    }

    fn of(&self) -> &Node {
        &self.graph.nodes()[self.node as usize]
    }

    fn output(&self, index: usize) -> Output {
        Output { node: self.node, index: index as u32 }
    }

    fn scope(&mut self) -> GraphScope<'_> {
        GraphScope::inside(self.graph, self.prefix)
    }

    /// The outputs that are differentiated.
    fn active(&self) -> Vec<bool> {
        let dtypes = &self.of().info().output_dtypes;
        self.sums.iter().zip(dtypes).map(|(sum, &dtype)| sum.is_some() && is_trainable(dtype)).collect()
    }

    /// The inputs from `first` on that are differentiated by.
    fn wanted(&self, first: usize) -> Vec<bool> {
        let dtypes = &self.of().info().input_dtypes[first..];
        let is_one = |(&wanted, &dtype): (&bool, &DType)| wanted && (is_trainable(dtype) || dtype == DType::Resource);
        self.wanted[first..].iter().zip(dtypes).map(is_one).collect()
    }

    /// Shapes of the inputs from `first` on.
    fn input_shapes(&self, first: usize) -> Vec<PartialShape> {
        self.of().inputs()[first..].iter().map(|&input| self.graph.shape(input)).collect()
    }

    /// The gradients of the outputs that are differentiated.
    fn dys(&self, active: &[bool]) -> Vec<Output> {
        self.sums.iter().zip(active).filter(|(_, active)| **active).filter_map(|(&sum, _)| sum).collect()
    }

    /// The node's attrs, with these in place of its own.
    fn attrs_with(&self, new: Vec<(&'static str, AttrValue)>) -> Vec<(String, AttrValue)> {
        let info = self.of().info();
        let is_new = |name: &str| new.iter().any(|(new, _)| *new == name);
        let kept = info.attrs.iter().filter(|(name, _)| !is_new(name) && *name != OUTPUT_SHAPES_NOTE);
        let kept: Vec<_> = kept.map(|(name, value)| (name.to_owned(), value.clone())).collect();
        kept.into_iter().chain(new.into_iter().map(|(name, value)| (name.to_owned(), value))).collect()
    }

    /// The attr `output_shapes` for more outputs; empty where it is.
    fn output_shapes_with(&self, more: impl IntoIterator<Item = PartialShape>) -> Result<AttrValue> {
        let shapes: &[PartialShape] = self.of().info().attr("output_shapes")?;
        Ok(match shapes {
            [] => AttrValue::Shapes(Vec::new()),
            shapes => AttrValue::Shapes(shapes.iter().cloned().chain(more).collect()),
        })
    }

    fn function(&self, attr: &str) -> Result<FuncAttr> {
        self.of().info().attr::<&FuncAttr>(attr).cloned()
    }
}

/// The attr in which TensorFlow notes what it inferred of a node's outputs.
const OUTPUT_SHAPES_NOTE: &str = "_output_shapes";

/// Whether values of this dtype have gradients. Those of lists are lists.
fn is_trainable(dtype: DType) -> bool {
    dtype.is_floating() || dtype.is_complex() || dtype == DType::Variant
}

fn dtypes(graph: &Graph, outputs: &[Output]) -> Vec<DType> {
    outputs.iter().map(|&output| graph.dtype(output).unwrap_or(DType::Invalid)).collect()
}

/// Adds a node; all its outputs.
pub(super) fn add(
    scope: &mut GraphScope<'_>,
    op: KnownOp,
    inputs: impl IntoIterator<Item = Arg<Output>>,
    attrs: Vec<(&'static str, AttrValue)>,
) -> Result<Vec<Output>> {
    let call = Call { op: op.name(), name: None, device: None, inputs: inputs.into_iter().collect(), attrs };
    Ok(scope.add(call)?.values.into_vec())
}

/// Adds a node that takes single tensors; its first output.
fn add_one(scope: &mut GraphScope<'_>, op: KnownOp, inputs: &[Output]) -> Result<Output> {
    first(add(scope, op, inputs.iter().copied().map(Arg::One), Vec::new())?)
}

fn first(outputs: Vec<Output>) -> Result<Output> {
    outputs.into_iter().next().ok_or_else(|| Error::internal("a node of a gradient has no output"))
}

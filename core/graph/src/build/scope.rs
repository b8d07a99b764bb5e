//! Building a graph by calls: name scopes, device, control inputs.

use oplink_api::call::{Call, Outputs};
use oplink_api::{AttrValue, DType, Output, PartialShape, Result, Scope, Tensor};
use smallvec::SmallVec;

use super::NewNode;
use crate::Graph;
use crate::known_ops::KnownOp;

/// A place in a graph where nodes are added: under a name prefix, for a device, behind control inputs.
///
/// A node whose name (regardless of upper and lower case) is taken gets the first free suffix `_1`, `_2`, …; so does a
/// name scope.
///
/// ```no_run
/// # fn main() -> oplink_api::Result<()> {
/// # let registry = oplink_core::Registry::global()?;
/// use oplink_api::{DType, PartialShape};
/// let mut graph = oplink_graph::Graph::new(registry);
/// let mut scope = graph.scope();
/// let x = scope.placeholder("x", DType::Float, PartialShape::new(&[None, Some(2)]))?;
/// let mut layer = scope.name_scope("layer"); // its nodes are named `layer/…`
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct GraphScope<'g> {
    graph: &'g mut Graph,
    prefix: String,
    device: String,
    control_inputs: Vec<u32>,
}

impl Graph {
    /// The graph's root scope: no prefix, no device, no control inputs.
    pub fn scope(&mut self) -> GraphScope<'_> {
        GraphScope { graph: self, prefix: String::new(), device: String::new(), control_inputs: Vec::new() }
    }
}

impl<'g> GraphScope<'g> {
    /// The root scope under a name prefix, taken as it is.
    pub(crate) fn inside(graph: &'g mut Graph, prefix: &str) -> Self {
        GraphScope { prefix: prefix.to_owned(), ..graph.scope() }
    }
}

impl GraphScope<'_> {
    /// The graph.
    pub fn graph(&self) -> &Graph {
        self.graph
    }

    /// What stands before the names of nodes: empty, or a name that ends in `/`.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// A scope inside this one. A name that ends in `/` is taken as it is, from the root: so a scope is entered again.
    pub fn name_scope(&mut self, name: &str) -> GraphScope<'_> {
        let prefix = match name.strip_suffix('/') {
            Some(_) => name.to_owned(),
            None => format!("{}/", self.unique_name(name)),
        };
        GraphScope { prefix, ..self.same() }
    }

    /// The same place with another device, such as `/device:CPU:0`, in place of the present one.
    pub fn with_device(&mut self, device: &str) -> GraphScope<'_> {
        GraphScope { device: device.to_owned(), ..self.same() }
    }

    /// The same place with more nodes that must have run before any that is added.
    pub fn with_control_inputs(&mut self, nodes: &[u32]) -> GraphScope<'_> {
        let control_inputs = self.control_inputs.iter().chain(nodes).copied().collect();
        GraphScope { control_inputs, ..self.same() }
    }

    fn same(&mut self) -> GraphScope<'_> {
        GraphScope {
            graph: self.graph,
            prefix: self.prefix.clone(),
            device: self.device.clone(),
            control_inputs: self.control_inputs.clone(),
        }
    }

    fn unique_name(&mut self, name: &str) -> String {
        self.graph.names.make(&format!("{}{name}", self.prefix))
    }

    /// Adds a value that is fed at each run. The name may get a suffix.
    ///
    /// # Errors
    /// The op `Placeholder` is not declared, or the name malformed.
    pub fn placeholder(&mut self, name: &str, dtype: DType, shape: impl Into<PartialShape>) -> Result<Output> {
        let attrs = vec![("dtype", dtype.into()), ("shape", AttrValue::Shape(shape.into()))];
        self.add_named(KnownOp::Placeholder.name(), name, attrs)
    }

    /// Adds a constant under a name, which may get a suffix.
    ///
    /// # Errors
    /// The op `Const` is not declared, or the name malformed.
    pub fn constant_named(&mut self, name: &str, value: impl Into<Tensor>) -> Result<Output> {
        let value: Tensor = value.into();
        let attrs = vec![("value", AttrValue::Tensor(value.clone())), ("dtype", value.dtype().into())];
        self.add_named(KnownOp::Const.name(), name, attrs)
    }

    /// Adds a node without inputs.
    fn add_named(&mut self, op: &'static str, name: &str, attrs: Vec<(&'static str, AttrValue)>) -> Result<Output> {
        self.add(Call { op, name: Some(name.to_owned()), device: None, inputs: SmallVec::new(), attrs })?.one(0)
    }
}

impl Scope for GraphScope<'_> {
    fn add(&mut self, call: Call<Output>) -> Result<Outputs<Output>> {
        // Names of nodes, other than those of ops, do not begin with an underscore.
        let name = self.unique_name(call.name.as_deref().unwrap_or_else(|| call.op.trim_start_matches('_')));
        let node = self.graph.add(NewNode {
            op: call.op,
            name: &name,
            device: call.device.as_deref().unwrap_or(&self.device),
            inputs: &call.inputs,
            control_inputs: &self.control_inputs,
            attrs: &call.attrs,
        })?;
        let info = self.graph.nodes[node as usize].info();
        let values = (0..info.output_dtypes.len() as u32).map(|index| Output { node, index }).collect();
        Ok(Outputs { values, ranges: info.output_ranges.iter().cloned().collect(), node })
    }

    fn constant(&mut self, value: Tensor) -> Result<Output> {
        self.constant_named(KnownOp::Const.name(), value)
    }
}

//! The variables of a graph, and the values that they have in a session.

use std::path::Path;

use oplink_api::resource::Variable as VariableResource;
use oplink_api::{Code, DType, Error, ErrorKind, Op, Output, Result, ResultExt, Tensor};
use oplink_bundle::BundleWriter;
use oplink_graph::{FeedShapes, Graph, Node, Session};
use oplink_ops::{VarHandleOp, Variable, VariableV2};

use super::files::create_folder;
use crate::checkpoint_path::variables_prefix;

/// A variable of a graph.
#[derive(Debug)]
pub(super) struct GraphVariable {
    /// The first of the nodes that are this variable.
    pub(super) node: u32,
    /// Its name in the checkpoint.
    pub(super) name: String,
    pub(super) dtype: DType,
    /// Whether it is a resource, not a reference.
    pub(super) is_resource: bool,
    /// Container, name and form: nodes that agree in these are one variable.
    identity: (String, String, bool),
}

impl GraphVariable {
    /// The handle, or the reference.
    pub(super) fn output(&self) -> Output {
        Output { node: self.node, index: 0 }
    }
}

/// The variables of a graph, each once, in the order of their nodes.
pub(super) fn find(graph: &Graph) -> Vec<GraphVariable> {
    let mut variables: Vec<GraphVariable> = Vec::new();
    for (at, node) in graph.nodes().iter().enumerate() {
        let is_resource = node.op_name() == VarHandleOp::NAME;
        if !is_resource && ![Variable::NAME, VariableV2::NAME].contains(&node.op_name()) {
            continue;
        }
        let (container, name) = identity(node);
        let identity = (container, name.clone(), is_resource);
        if variables.iter().any(|variable| variable.identity == identity) {
            continue;
        }
        let is_taken = name.is_empty() || variables.iter().any(|variable| variable.name == name);
        let name = if is_taken { node.name().to_owned() } else { name };
        let dtype = node.info().attr("dtype").unwrap_or(DType::Invalid);
        variables.push(GraphVariable { node: at as u32, name, dtype, is_resource, identity });
    }
    variables
}

/// Container and name, by which nodes share a variable.
fn identity(node: &Node) -> (String, String) {
    let text = |attr| node.info().attr::<&str>(attr).unwrap_or_default().to_owned();
    let (container, name) = (text("container"), text("shared_name"));
    if name.is_empty() { (container, node.name().to_owned()) } else { (container, name) }
}

/// The values that the variables have in the session, in the host's memory, by their names in the checkpoint.
///
/// # Errors
/// `FailedPrecondition` where a variable has no value.
pub(super) fn read(session: &Session, graph: &Graph, variables: &[GraphVariable]) -> Result<Vec<(String, Tensor)>> {
    let value = |variable: &GraphVariable| {
        let node = graph.output_name(variable.output());
        let value = || {
            let call = session.prepare_outputs(&[], &[variable.output()], &[], FeedShapes::Static)?;
            let fetched = call.run(&[])?.swap_remove(0);
            let value = match variable.is_resource {
                true if fetched.handle()?.exists() => fetched.handle()?.get::<VariableResource>()?.read()?,
                true => {
                    let message = "it has no value: run its initializer, or restore it, before the model is written";
                    return Err(Error::new(Code::FailedPrecondition, ErrorKind::InvalidArgument, message));
                }
                false => fetched,
            };
            value.to_host()
        };
        let value = value().context_with(|| format!("reading the variable `{node}`"))?;
        Ok((variable.name.clone(), value))
    };
    variables.iter().map(value).collect()
}

/// Writes the checkpoint.
pub(super) fn write(dir: &Path, values: &[(String, Tensor)]) -> Result<()> {
    let prefix = variables_prefix(dir);
    prefix.parent().map_or(Ok(()), create_folder)?;
    let mut writer = BundleWriter::new(&prefix)?;
    values.iter().try_for_each(|(name, value)| writer.add(name, value))?;
    writer.finish()
}

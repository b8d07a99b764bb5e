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
pub(crate) struct GraphVariable {
    /// The first of the nodes that are this variable.
    pub(crate) node: u32,
    /// Its name in the checkpoint.
    pub(crate) name: String,
    pub(crate) dtype: DType,
    /// Whether it is a resource, not a reference.
    pub(crate) is_resource: bool,
    /// Container, name and form: nodes that agree in these are one variable.
    pub(crate) identity: (String, String, bool),
}

impl GraphVariable {
    /// The handle, or the reference.
    pub(crate) fn output(&self) -> Output {
        Output { node: self.node, index: 0 }
    }
}

/// The variables of a graph, each once, in the order of their nodes.
pub(crate) fn find(graph: &Graph) -> Vec<GraphVariable> {
    let mut variables: Vec<GraphVariable> = Vec::new();
    for mut found in (0..graph.nodes().len() as u32).filter_map(|node| at(graph, node)) {
        if variables.iter().any(|variable| variable.identity == found.identity) {
            continue;
        }
        if found.name.is_empty() || variables.iter().any(|variable| variable.name == found.name) {
            graph.nodes()[found.node as usize].name().clone_into(&mut found.name);
        }
        variables.push(found);
    }
    variables
}

/// The variable that a node is, under the name that nodes share it by.
pub(crate) fn at(graph: &Graph, position: u32) -> Option<GraphVariable> {
    let node = graph.node(position)?;
    let is_resource = node.op_name() == VarHandleOp::NAME;
    if !is_resource && ![Variable::NAME, VariableV2::NAME].contains(&node.op_name()) {
        return None;
    }
    let (container, name) = identity(node);
    let dtype = node.info().attr("dtype").unwrap_or(DType::Invalid);
    Some(GraphVariable {
        node: position,
        name: name.clone(),
        dtype,
        is_resource,
        identity: (container, name, is_resource),
    })
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
pub(crate) fn read(session: &Session, graph: &Graph, variables: &[GraphVariable]) -> Result<Vec<(String, Tensor)>> {
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
pub(crate) fn write(dir: &Path, values: &[(String, Tensor)]) -> Result<()> {
    let prefix = variables_prefix(dir);
    prefix.parent().map_or(Ok(()), create_folder)?;
    let mut writer = BundleWriter::new(&prefix)?;
    values.iter().try_for_each(|(name, value)| writer.add(name, value))?;
    writer.finish()
}

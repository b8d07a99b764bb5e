//! Ops that this build lacks: of a graph, each once, with how many nodes need it.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::Path;

use oplink::runtime::Registry;
use oplink::spec::nearest;
use oplink::{Error, ErrorKind, Result};
use oplink_proto::{GraphDef, NodeDef};

/// What users do about an op that a plugin has.
const LOAD_PLUGIN: &str = "help: ops of a plugin are there when it is loaded: --plugin FILE";

/// An op that nothing declares.
pub(crate) struct MissingOp {
    op: String,
    nodes: usize,
    /// The first of the nodes.
    examples: Vec<String>,
    reason: String,
}

/// The ops of a graph and of its functions that this build lacks, by name.
pub(crate) fn missing_ops(def: &GraphDef, registry: &Registry) -> Vec<MissingOp> {
    let mut missing: BTreeMap<&str, MissingOp> = BTreeMap::new();
    let functions = || def.library.iter().flat_map(|library| &library.function);
    let name_of = |function| -> Option<&str> { Some(signature(function)?.name.as_str()) };
    let names: HashSet<&str> = functions().filter_map(name_of).collect();
    let of_graph = def.node.iter().map(|node| (node, None));
    let of_functions = functions().flat_map(|f| f.node_def.iter().map(move |node| (node, name_of(f))));
    for (node, function) in of_graph.chain(of_functions).filter(|(node, _)| !names.contains(node.op.as_str())) {
        if let Some(known) = missing.get_mut(node.op.as_str()) {
            known.add(node, function);
        } else if let Err(error) = registry.op(&node.op) {
            let reason = reason(&node.op, &error, registry);
            let mut found = MissingOp { op: node.op.clone(), nodes: 0, examples: Vec::new(), reason };
            found.add(node, function);
            missing.insert(&node.op, found);
        }
    }
    missing.into_values().collect()
}

fn signature(function: &oplink_proto::FunctionDef) -> Option<&oplink_proto::OpDef> {
    function.signature.as_ref()
}

impl MissingOp {
    /// Its name.
    pub(crate) fn op(&self) -> &str {
        &self.op
    }

    fn add(&mut self, node: &NodeDef, function: Option<&str>) {
        self.nodes += 1;
        if self.examples.len() < 2 {
            let within = function.map_or_else(String::new, |name| format!(" of the function `{name}`"));
            self.examples.push(format!("`{}`{within}", node.name));
        }
    }
}

/// A line for each op, and what may be done.
pub(crate) fn describe(missing: &[MissingOp]) -> String {
    let mut text = String::new();
    for MissingOp { op, nodes, examples, reason } in missing {
        let count = if *nodes == 1 { "1 node".to_owned() } else { format!("{nodes} nodes") };
        let such_as = if examples.len() < *nodes { "such as " } else { "" };
        let reason = reason.replace('\n', "\n    ");
        let _ = writeln!(text, "  {op} ({count}): {such_as}{}{reason}", examples.join(" and "));
    }
    text + LOAD_PLUGIN
}

/// Refuses a graph with ops that this build lacks.
pub(crate) fn check(path: &Path, def: &GraphDef, registry: &Registry) -> Result<()> {
    let missing = missing_ops(def, registry);
    if missing.is_empty() {
        return Ok(());
    }
    let ops = if missing.len() == 1 { "an op".to_owned() } else { format!("{} ops", missing.len()) };
    let message = format!("{} needs {ops} that this build lacks:\n{}", path.display(), describe(&missing));
    Err(Error::not_found(message).with_kind(ErrorKind::OpNotDeclared))
}

/// The error of an op that a user names.
pub(crate) fn unknown_op(op: &str, registry: &Registry) -> Result<()> {
    let Err(error) = registry.op(op) else { return Ok(()) };
    if error.kind() != ErrorKind::OpNotDeclared {
        return Err(error);
    }
    let near = reason(op, &error, registry);
    let message = format!("this build has no op `{op}`{near}\nhelp: `oplink ops` lists those it has\n{LOAD_PLUGIN}");
    Err(Error::not_found(message).with_kind(ErrorKind::OpNotDeclared))
}

/// Why an op is not there, where there is more to say: the end of a sentence.
fn reason(op: &str, error: &Error, registry: &Registry) -> String {
    if error.kind() != ErrorKind::OpNotDeclared {
        return format!("; {error}");
    }
    let near = nearest(op, registry.ops().map(|op| op.spec.name.as_str()));
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

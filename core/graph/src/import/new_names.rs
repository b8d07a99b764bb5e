//! The names that imported nodes get in a graph that has nodes already.

use std::collections::{HashMap, HashSet};

use oplink_api::{Result, bail, ensure};
use oplink_proto::GraphDef;
use oplink_spec::sorting::sort;

use super::merge_options::MergeOptions;
use crate::Graph;
use crate::names::is_valid_node_name;

/// The new name of each node of a message.
pub(super) struct NewNames {
    /// Empty, or a name that ends in `/`.
    prefix: String,
    /// Names that are not the old one under the prefix.
    renamed: HashMap<String, String>,
}

impl NewNames {
    /// Decides on the names.
    ///
    /// # Errors
    /// A name is taken and may not be changed; the prefix is malformed.
    pub(super) fn new(graph: &Graph, def: &GraphDef, options: &MergeOptions) -> Result<Self> {
        let wanted = options.prefix.strip_suffix('/').unwrap_or(&options.prefix);
        ensure!(options.prefix.is_empty() || !wanted.is_empty(), "the prefix `/` makes no names for nodes");
        let taken = Taken::new(graph);
        let mut prefix = String::new();
        if !wanted.is_empty() {
            check_prefix(wanted)?;
            prefix = match options.uniquify_prefix {
                true => format!("{}/", taken.free(wanted, &HashSet::new())),
                false => format!("{wanted}/"),
            };
        }
        let mut names = Self { prefix, renamed: HashMap::new() };
        if taken.is_empty() {
            return Ok(names);
        }
        let new: HashSet<String> = def.node.iter().map(|node| format!("{}{}", names.prefix, node.name)).collect();
        for node in &def.node {
            let name = format!("{}{}", names.prefix, node.name);
            if taken.has(&name) && options.uniquify_names {
                names.renamed.insert(node.name.clone(), taken.free(&name, &new));
            } else if taken.is_node(&name) || (names.prefix.is_empty() && taken.has(&name)) {
                bail!("the graph already has a node `{name}`: import under a prefix, or let names be made unique");
            }
        }
        Ok(names)
    }

    /// The new name of a node, or of what a node refers to.
    pub(super) fn of(&self, name: &str) -> String {
        self.renamed.get(name).cloned().unwrap_or_else(|| format!("{}{name}", self.prefix))
    }

    /// An input that was written as `text`, the output `index` of `node`, under the new name of the node.
    pub(super) fn input(&self, text: &str, node: &str, index: u32) -> String {
        match self.renamed.get(node) {
            Some(name) => format!("{name}:{index}"),
            None => format!("{}{text}", self.prefix),
        }
    }
}

/// The names of a graph's nodes and of the scopes that they are in.
struct Taken<'g> {
    graph: &'g Graph,
    /// The names of the nodes in order, those of a scope side by side.
    sorted: Vec<&'g str>,
}

impl<'g> Taken<'g> {
    fn new(graph: &'g Graph) -> Self {
        let mut sorted: Vec<&str> = graph.nodes.iter().map(|node| node.info.name.as_str()).collect();
        sort(&mut sorted);
        Self { graph, sorted }
    }

    fn is_empty(&self) -> bool {
        self.graph.nodes.is_empty()
    }

    fn is_node(&self, name: &str) -> bool {
        self.graph.index.contains_key(name)
    }

    fn has(&self, name: &str) -> bool {
        self.is_node(name) || self.is_scope(name)
    }

    /// Whether some name begins with this one and a slash.
    fn is_scope(&self, name: &str) -> bool {
        let scope = format!("{name}/");
        let at = self.sorted.partition_point(|node| *node < scope.as_str());
        self.sorted.get(at).is_some_and(|node| node.starts_with(&scope))
    }

    /// The name with the first suffix under which neither the graph nor the message has it.
    fn free(&self, name: &str, new: &HashSet<String>) -> String {
        let candidates = (1..).map(|number| format!("{name}_{number}"));
        let mut all = std::iter::once(name.to_owned()).filter(|name| !self.has(name)).chain(candidates);
        all.find(|candidate| !self.has(candidate) && (candidate == name || !new.contains(candidate)))
            .unwrap_or_default()
    }
}

/// Whether a prefix makes names that nodes may have.
fn check_prefix(prefix: &str) -> Result<()> {
    ensure!(is_valid_node_name(prefix), "the prefix `{}` makes no names for nodes", prefix.escape_debug());
    Ok(())
}

//! What a node was made of by rewrites, for messages.

use std::fmt;
use std::sync::Arc;

use oplink_api::Error;
use oplink_proto::node_def::ExperimentalDebugInfo;

/// Nodes that a message names.
const MAX_SHOWN: usize = 16;

/// Where a node comes from. One that stands in the graph as it was written has none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Provenance {
    /// The nodes whose work this one does.
    originals: Option<Arc<[OriginalNode]>>,
    /// The function that the node was inlined from.
    function: Option<Arc<str>>,
}

/// A node as somebody wrote it, of which rewrites made another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OriginalNode {
    name: String,
    /// Empty where it is not known.
    op: String,
    /// The function whose body the node is of.
    function: Option<Arc<str>>,
}

impl Provenance {
    /// Whether the node stands in the graph as it was written.
    pub(crate) fn is_empty(&self) -> bool {
        self.originals.is_none() && self.function.is_none()
    }

    /// That of a node which does the work of others, given by name, op and what they were made of.
    pub(crate) fn of_nodes<'n>(nodes: impl IntoIterator<Item = (&'n str, &'n str, &'n Self)>) -> Self {
        let mut all: Vec<OriginalNode> = Vec::new();
        for (name, op, provenance) in nodes {
            match &provenance.originals {
                Some(originals) => {
                    let new: Vec<_> = originals.iter().filter(|original| !all.contains(original)).cloned().collect();
                    all.extend(new);
                }
                None => all.push(OriginalNode {
                    name: name.to_owned(),
                    op: op.to_owned(),
                    function: provenance.function.clone(),
                }),
            }
        }
        Self { originals: Some(all.into()), function: None }
    }

    /// That of a node which another program made of others, as it wrote.
    pub(crate) fn of_debug_info(info: &ExperimentalDebugInfo) -> Self {
        let ExperimentalDebugInfo { original_node_names, original_func_names } = info;
        let function = |at: usize| original_func_names.get(at).filter(|name| !name.is_empty());
        let original = |(at, name): (usize, &String)| OriginalNode {
            name: name.clone(),
            op: String::new(),
            function: function(at).map(|name| Arc::from(name.as_str())),
        };
        let originals: Vec<OriginalNode> = original_node_names.iter().enumerate().map(original).collect();
        Self { originals: (!originals.is_empty()).then(|| originals.into()), function: None }
    }

    /// The same for a copy of the node in the place of a call of `function`.
    pub(crate) fn inlined_from(&self, function: &Arc<str>) -> Self {
        Self { originals: self.originals.clone(), function: Some(function.clone()) }
    }

    /// The names of the nodes and of their functions, as a GraphDef has them.
    pub(crate) fn debug_info(&self) -> Option<ExperimentalDebugInfo> {
        let originals = self.originals.as_ref()?;
        Some(ExperimentalDebugInfo {
            original_node_names: originals.iter().map(|original| original.name.clone()).collect(),
            original_func_names: originals
                .iter()
                .map(|original| original.function.as_deref().unwrap_or_default().to_owned())
                .collect(),
        })
    }

    /// Adds to the error of a node where the node comes from.
    #[cold]
    pub(crate) fn explain(&self, error: Error) -> Error {
        let error = match &self.originals {
            None => error,
            Some(originals) => {
                let names: Vec<String> = originals.iter().take(MAX_SHOWN).map(ToString::to_string).collect();
                let more = originals.len().saturating_sub(MAX_SHOWN);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                error.context(format!("it does the work of {}{more}", names.join(", ")))
            }
        };
        match &self.function {
            None => error,
            Some(function) => error.context(format!("it was inlined from function `{function}`")),
        }
    }
}

impl fmt::Display for OriginalNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.name)?;
        if !self.op.is_empty() {
            write!(f, " (op {})", self.op)?;
        }
        self.function.as_ref().map_or(Ok(()), |function| write!(f, " of function `{function}`"))
    }
}

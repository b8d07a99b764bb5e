//! A graph made into a GraphDef.

use std::collections::BTreeMap;

use oplink_api::{Output, Result, ResultExt};
use oplink_proto::{AttrValue as AttrMessage, GraphDef, NodeDef};

use crate::Graph;
use crate::convert::attr_to_proto;
use crate::graph::{Node, Origin};

impl Graph {
    /// The message of the graph. An imported graph gives a message equal to the one that it came from;
    /// in a build without the feature `round_trip`, one that says the same.
    ///
    /// # Errors
    /// An attr holds a tensor of resources or variants.
    pub fn to_def(&self) -> Result<GraphDef> {
        #[allow(deprecated, reason = "graphs from before `versions` have only this")]
        Ok(GraphDef {
            node: self.nodes().iter().map(|node| self.node_def(node)).collect::<Result<_>>()?,
            versions: self.versions.clone(),
            version: self.legacy_version,
            library: self.library().cloned(),
            debug_info: self.debug_info.clone(),
        })
    }

    /// The graph in the wire format; see [`Graph::to_def`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(oplink_proto::to_bytes(&self.to_def()?))
    }

    /// The graph in the text format; see [`Graph::to_def`].
    #[cfg(feature = "text")]
    pub fn to_text(&self) -> Result<String> {
        oplink_proto::to_text(&self.to_def()?).map_err(|e| oplink_api::Error::internal(e.to_string()))
    }

    /// The message of one node, with its inputs as they were written when it joined the graph.
    ///
    /// # Errors
    /// As [`Graph::node_def`].
    pub fn node_def_as_added(&self, node: &Node) -> Result<NodeDef> {
        let def = self.node_def(node)?;
        let written = node.origin.as_deref().and_then(|origin| origin.merged_inputs.clone());
        Ok(NodeDef { input: written.unwrap_or(def.input), ..def })
    }

    /// The message of one node.
    ///
    /// # Errors
    /// An attr holds a tensor of resources or variants.
    pub fn node_def(&self, node: &Node) -> Result<NodeDef> {
        let origin = node.origin.as_deref();
        Ok(NodeDef {
            name: node.name().to_owned(),
            op: node.op_name().to_owned(),
            input: origin.and_then(|origin| origin.inputs.clone()).unwrap_or_else(|| self.input_names(node)),
            device: node.device().to_owned(),
            attr: attrs(node, origin).context_with(|| format!("node `{}` (op {})", node.name(), node.op_name()))?,
            experimental_debug_info: origin
                .and_then(|origin| origin.debug_info.clone())
                .or_else(|| node.provenance.debug_info()),
            experimental_type: origin.and_then(|origin| origin.full_type.clone()),
        })
    }

    fn input_names(&self, node: &Node) -> Vec<String> {
        let data = node.inputs().iter().map(|&input| self.output_name(input));
        let control =
            node.control_inputs().iter().map(|&node| format!("^{}", self.output_name(Output { node, index: 0 })));
        data.chain(control).collect()
    }
}

fn attrs(node: &Node, origin: Option<&Origin>) -> Result<BTreeMap<String, AttrMessage>> {
    let mut attrs = origin.map(|origin| origin.attrs.clone()).unwrap_or_default();
    for (name, value) in node.info().attrs.iter() {
        if origin.is_some_and(|origin| origin.absent.iter().any(|absent| absent == name)) || attrs.contains_key(name) {
            continue;
        }
        attrs.insert(name.to_owned(), attr_to_proto(value).context_with(|| format!("attr `{name}`"))?);
    }
    Ok(attrs)
}

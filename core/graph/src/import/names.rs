//! The nodes of a message by name.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use oplink_proto::GraphDef;

use super::problems::Problems;
use crate::names::bad_name;
use crate::names::is_valid_node_name;

/// The positions of all nodes; of nodes with one name, the first.
pub(super) fn index<'d>(def: &'d GraphDef, problems: &mut Problems) -> HashMap<&'d str, u32> {
    let mut index = HashMap::with_capacity(def.node.len());
    for (position, node) in def.node.iter().enumerate() {
        if !is_valid_node_name(&node.name) {
            problems.malformed(&node.name, &node.op, bad_name(&node.name));
        }
        match index.entry(node.name.as_str()) {
            Entry::Vacant(slot) => {
                slot.insert(position as u32);
            }
            Entry::Occupied(_) => problems.malformed(&node.name, &node.op, "another node has the same name"),
        }
    }
    index
}

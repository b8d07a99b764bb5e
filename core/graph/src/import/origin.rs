//! What export needs to write an imported node as it was written.

use oplink_api::{AttrValue, NodeInfo, Result};
use oplink_proto::{AttrValue as AttrMessage, NodeDef, attr_value::Value};

use crate::convert::{Contents, attr_to_proto, is_canonical};
use crate::graph::Origin;
use crate::names::TensorName;

/// What differs between the message and how export writes the node by itself; `None` where nothing does. The
/// message was decoded without `contents`.
pub(super) fn of(def: &NodeDef, info: &NodeInfo, contents: Option<&Contents<'_>>) -> Result<Option<Box<Origin>>> {
    let absent = info.attrs.iter().filter(|(name, _)| !def.attr.contains_key(*name)).map(|(name, _)| name.to_owned());
    let mut origin = Origin {
        absent: absent.collect(),
        inputs: def.input.iter().any(|input| !is_short(input)).then(|| def.input.clone()),
        debug_info: def.experimental_debug_info.clone(),
        full_type: def.experimental_type.clone(),
        ..Origin::default()
    };
    for (name, message) in &def.attr {
        let same = match info.attrs.get(name) {
            Some(value) => writes_as(value, message)?,
            None => false,
        };
        if !same {
            let message = match contents {
                Some(contents) => contents.complete(message)?,
                None => message.clone(),
            };
            origin.attrs.insert(name.clone(), message);
        }
    }
    Ok((origin != Origin::default()).then(|| Box::new(origin)))
}

/// What of it remains for a node that joins a graph with nodes, with these inputs as they were written.
pub(super) fn of_merged(origin: Option<Box<Origin>>, inputs: Vec<String>) -> Option<Box<Origin>> {
    let is_other_form = cfg!(feature = "round_trip") && inputs.iter().any(|input| !is_short(input));
    let mut origin = origin.or_else(|| is_other_form.then(Box::default))?;
    origin.absent.clear();
    origin.merged_inputs = is_other_form.then_some(inputs);
    Some(origin)
}

/// Whether an input is written as export does: without `:0`, without leading zeros.
fn is_short(input: &str) -> bool {
    match TensorName::parse(input) {
        TensorName::Control(_) => true,
        TensorName::Data(node, 0) => node.len() == input.len(),
        TensorName::Data(node, index) => input.len() == format!("{node}:{index}").len(),
    }
}

fn writes_as(value: &AttrValue, message: &AttrMessage) -> Result<bool> {
    match (value, &message.value) {
        (AttrValue::Tensor(tensor), Some(Value::Tensor(message))) => is_canonical(message, tensor),
        _ => Ok(&attr_to_proto(value)? == message),
    }
}

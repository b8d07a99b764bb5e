//! `common_subexpressions`: nodes that compute the same from the same are one.

use std::collections::HashMap;

use oplink_api::{AttrValue, OpId, Output, Result, Tensor};

use super::rewrite::Replacements;
use super::{Pass, Rewrite};
use crate::attr_hash::{MAX_HASHED_BYTES, hash_attrs};
use crate::graph::NodeSet;

pub(super) const PASS: Pass = Pass {
    name: "common_subexpressions",
    description: "computes what several nodes compute from the same inputs once",
    run,
};

/// Op, inputs, control inputs, device, and a hash of the attrs.
type Key = (OpId, Vec<Output>, Vec<u32>, String, u64);

fn run(rewrite: &mut Rewrite) -> Result<()> {
    let mut replacements = Replacements::default();
    let mut known: HashMap<Key, Vec<u32>> = HashMap::new();
    let targets: NodeSet = rewrite.signature.targets.iter().copied().collect();
    for position in rewrite.needed()? {
        rewrite.check_time()?;
        let node = rewrite.node(position);
        let inputs: Vec<Output> = node.inputs().iter().map(|&input| replacements.resolve(input)).collect();
        let (op, device) = (node.info().op_id(), node.device().to_owned());
        if targets.contains(position) || !rewrite.is_pure(position) {
            continue;
        }
        let attrs = hash_attrs(&node.info().attrs);
        let same = known.entry((op, inputs, node.control_inputs().to_vec(), device, attrs)).or_default();
        match same.iter().find(|&&first| same_attrs(rewrite, first, position)) {
            Some(&first) => {
                for index in 0..node.num_outputs() as u32 {
                    replacements.set(Output { node: position, index }, Output { node: first, index });
                }
            }
            None => same.push(position),
        }
    }
    rewrite.replace(&replacements);
    Ok(())
}

fn same_attrs(rewrite: &Rewrite, a: u32, b: u32) -> bool {
    let (a, b) = (&rewrite.node(a).info().attrs, &rewrite.node(b).info().attrs);
    let same = |(name, value): (&str, &AttrValue)| match (value, b.get(name)) {
        (AttrValue::Tensor(a), Some(AttrValue::Tensor(b))) => same_tensor(a, b),
        (value, Some(other)) => value == other,
        (_, None) => false,
    };
    a.len() == b.len() && a.iter().all(same)
}

fn same_tensor(a: &Tensor, b: &Tensor) -> bool {
    let same_kind = a.dtype() == b.dtype() && a.shape() == b.shape();
    same_kind
        && (a.is_same_part(b)
            || a.num_bytes() <= MAX_HASHED_BYTES && AttrValue::Tensor(a.clone()) == AttrValue::Tensor(b.clone()))
}

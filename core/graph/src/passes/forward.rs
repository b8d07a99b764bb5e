//! `forwarding`: nodes that forward their input are read past, and nobody waits for a constant.

use oplink_api::{Output, Result};

use super::rewrite::Replacements;
use super::{Pass, Rewrite};
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass = Pass {
    name: "forwarding",
    description: "reads past nodes that forward their input; drops control inputs from constants",
    run,
};

fn run(rewrite: &mut Rewrite) -> Result<()> {
    let needed = rewrite.needed()?;
    let mut replacements = Replacements::default();
    for &position in &needed {
        for (index, input) in forwarded_inputs(rewrite, position) {
            replacements.set(Output { node: position, index }, input);
        }
    }
    rewrite.replace(&replacements);
    for position in needed {
        let control = rewrite.node(position).control_inputs().to_vec();
        let kept: Vec<u32> = control.iter().copied().filter(|&before| !is_free_constant(rewrite, before)).collect();
        if kept.len() < control.len() {
            rewrite.graph.nodes[position as usize].control_inputs = kept;
        }
    }
    Ok(())
}

/// The inputs that the node forwards without waiting for anything else, each with the number of its output. A reference
/// is read by its `Identity`, so that one stays.
fn forwarded_inputs(rewrite: &Rewrite, position: u32) -> Vec<(u32, Output)> {
    let node = rewrite.node(position);
    let free = node.control_inputs().is_empty() && !rewrite.is_fed(position);
    let forwards = match node.inputs() {
        [_] => node.known().is_identity() || node.known() == KnownOp::IdentityN,
        _ => node.known() == KnownOp::IdentityN,
    };
    if !free || !forwards {
        return Vec::new();
    }
    let is_value = |input: &Output| !rewrite.node(input.node).info().is_ref_output(input.index as usize);
    (0..).zip(node.inputs().iter().copied()).filter(|(_, input)| is_value(input)).collect()
}

fn is_free_constant(rewrite: &Rewrite, position: u32) -> bool {
    let node = rewrite.node(position);
    node.known() == KnownOp::Const && node.control_inputs().is_empty()
}

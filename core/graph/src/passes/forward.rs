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
        if let Some(input) = forwarded_input(rewrite, position) {
            replacements.set(Output { node: position, index: 0 }, input);
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

/// The input that the node forwards without waiting for anything else. A reference is read by its `Identity`, so that
/// one stays.
fn forwarded_input(rewrite: &Rewrite, position: u32) -> Option<Output> {
    let node = rewrite.node(position);
    let free = node.control_inputs().is_empty() && !rewrite.is_fed(position);
    match node.inputs() {
        [input] if free && node.known().is_identity() => {
            let source = rewrite.node(input.node).info();
            (!source.is_ref_output(input.index as usize)).then_some(*input)
        }
        _ => None,
    }
}

fn is_free_constant(rewrite: &Rewrite, position: u32) -> bool {
    let node = rewrite.node(position);
    node.known() == KnownOp::Const && node.control_inputs().is_empty()
}

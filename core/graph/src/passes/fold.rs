//! `constant_folding`: values that follow from constants and from known shapes are computed once.

use oplink_api::{Output, Result, Tensor};
use oplink_spec::sorting::sort;

use super::rewrite::Replacements;
use super::{Pass, Rewrite};
use crate::graph::NodeSet;
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass = Pass {
    name: "constant_folding",
    description: "computes values that follow from constants and known shapes once, as the kernels would",
    run,
};

fn run(rewrite: &mut Rewrite) -> Result<()> {
    let mut replacements = Replacements::default();
    for (output, value) in values(rewrite)? {
        let name = rewrite.graph.output_name(output).replace(':', "_");
        let control = waits_for(rewrite, output.node);
        let constant = rewrite.add_constant(&format!("{name}/folded"), value, &control)?;
        replacements.set(output, constant);
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// Outputs whose values are known, and which somebody reads that is not itself folded.
fn values(rewrite: &mut Rewrite) -> Result<Vec<(Output, Tensor)>> {
    let needed = rewrite.needed()?;
    let mut folded = NodeSet::default();
    let mut found = Vec::new();
    for &position in &needed {
        let node = rewrite.node(position);
        if node.known() == KnownOp::Const || rewrite.is_fed(position) || node.num_outputs() == 0 {
            continue;
        }
        let outputs = (0..node.num_outputs() as u32).map(|index| Output { node: position, index });
        let known: Vec<_> = outputs.map(|output| (output, rewrite.known(output))).collect();
        if known.iter().all(|(_, value)| value.is_some()) {
            folded.insert(position, ());
        }
        found.extend(known.into_iter().filter_map(|(output, value)| Some((output, value?))));
    }
    let reads = |position: &u32| rewrite.node(*position).inputs().to_vec();
    let mut read: Vec<Output> = needed.iter().filter(|position| !folded.contains(**position)).flat_map(reads).collect();
    sort(&mut read);
    let fetched = |output: &Output| rewrite.signature.fetches.contains(output);
    found.retain(|(output, _)| read.binary_search(output).is_ok() || fetched(output));
    Ok(found)
}

/// What a value waits for, so that it stays in its loop and its branch: the control inputs of its node and of all that
/// it follows from.
fn waits_for(rewrite: &Rewrite, position: u32) -> Vec<u32> {
    let mut seen = NodeSet::from_iter([position]);
    let mut pending = vec![position];
    let mut control = Vec::new();
    while let Some(position) = pending.pop() {
        let node = rewrite.node(position);
        control.extend(node.control_inputs());
        if rewrite.is_fed(position) || !node.control_inputs().is_empty() && node.known() == KnownOp::Const {
            continue;
        }
        pending.extend(node.inputs().iter().map(|input| input.node).filter(|&input| seen.insert(input, ()).is_none()));
    }
    sort(&mut control);
    control.dedup();
    control
}

//! `constant_folding`: values that follow from constants and from known shapes are computed once.

use std::collections::HashSet;
use std::rc::Rc;

use oplink_api::{Output, Result, Tensor};
use oplink_spec::sorting::sort;

use super::rewrite::Replacements;
use super::{Pass, Rewrite};
use crate::graph::{NodeMap, NodeSet};
use crate::known_ops::KnownOp;

pub(super) const PASS: Pass = Pass {
    name: "constant_folding",
    description: "computes values that follow from constants and known shapes once, as the kernels would",
    run,
};

/// A value that waits for more nodes than this is not folded.
const MAX_CONTROL: usize = 64;

/// The nodes that a value waits for; `None` where they are too many.
type Control = Option<Rc<[u32]>>;

fn run(rewrite: &mut Rewrite) -> Result<()> {
    let needed = rewrite.needed()?;
    let known = values(rewrite, &needed)?;
    if known.is_empty() {
        return Ok(());
    }
    let control = Controls::of(rewrite, &needed)?;
    let mut replacements = Replacements::default();
    for (output, value) in known {
        let Some(control) = control.of.get(output.node).cloned().flatten() else { continue };
        let name = rewrite.graph.output_name(output).replace(':', "_");
        let constant = rewrite.add_constant(&format!("{name}/folded"), value, &control)?;
        replacements.set(output, constant);
    }
    rewrite.replace(&replacements);
    Ok(())
}

/// Outputs whose values are known, and which somebody reads that is not itself folded.
fn values(rewrite: &mut Rewrite, needed: &[u32]) -> Result<Vec<(Output, Tensor)>> {
    let mut folded = NodeSet::default();
    let mut found = Vec::new();
    for &position in needed {
        rewrite.check_time()?;
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
    let readers = needed.iter().filter(|position| !folded.contains(**position));
    let read: HashSet<Output> = readers.flat_map(reads).chain(rewrite.signature.fetches.iter().copied()).collect();
    found.retain(|(output, _)| read.contains(output));
    Ok(found)
}

/// What values wait for, so that they stay in their loop and their branch: the control inputs of their nodes and of all
/// that they follow from, but for what comes from a loop's former iteration.
struct Controls {
    of: NodeMap<Control>,
    none: Rc<[u32]>,
}

impl Controls {
    fn of(rewrite: &Rewrite, needed: &[u32]) -> Result<Self> {
        let mut controls = Self { of: NodeMap::default(), none: Rc::from([]) };
        for &position in needed {
            rewrite.check_time()?;
            let control = controls.of_node(rewrite, position);
            controls.of.insert(position, control);
        }
        Ok(controls)
    }

    /// Those of a node, from those of its inputs, which come before it.
    fn of_node(&self, rewrite: &Rewrite, position: u32) -> Control {
        let node = rewrite.node(position);
        let own = node.control_inputs();
        let ends_here = rewrite.is_fed(position) || !own.is_empty() && node.known() == KnownOp::Const;
        let inputs = if ends_here { &[][..] } else { node.inputs() };
        let before = inputs.iter().filter_map(|input| self.of.get(input.node));
        let mut same: Option<&Rc<[u32]>> = None;
        if own.len() > MAX_CONTROL {
            return None;
        }
        let mut all: Vec<u32> = Vec::new();
        let mut add = |control: &[u32]| {
            for &node in control {
                if !all.contains(&node) {
                    all.push(node);
                }
            }
            all.len() <= MAX_CONTROL
        };
        add(own);
        for control in before {
            let control = control.as_ref()?;
            if control.is_empty() || same.is_some_and(|same| Rc::ptr_eq(same, control)) {
                continue;
            }
            if !add(control) {
                return None;
            }
            same = Some(control);
        }
        match same {
            None if all.is_empty() => Some(self.none.clone()),
            Some(same) if same.len() == all.len() => Some(same.clone()),
            _ => {
                sort(&mut all);
                Some(all.into())
            }
        }
    }
}

//! `unread_values`: nothing computes what nobody reads. Who waited for such a node waits for what it read.

use oplink_api::Result;
use oplink_spec::sorting::sort;

use super::{HAS_FUSIONS, Pass, Rewrite};
use crate::graph::NodeSet;

pub(super) const PASS: Pass =
    Pass { name: "unread_values", description: "leaves out nodes without effects that others only wait for", run };

/// Control inputs that leaving a node out may add.
const MOST_ADDED: usize = 64;

fn run(rewrite: &mut Rewrite) -> Result<()> {
    if !HAS_FUSIONS || rewrite.has_control_flow() {
        return Ok(());
    }
    let needed = rewrite.needed()?;
    let mut readers: Vec<Vec<u32>> = rewrite.readers()?.of;
    let kept: NodeSet = rewrite
        .signature
        .targets
        .iter()
        .copied()
        .chain(rewrite.signature.fetches.iter().map(|fetch| fetch.node))
        .collect();
    // Those that read come before what they read, so that all of a node's readers are known when its turn comes.
    for &position in needed.iter().rev() {
        rewrite.check_time()?;
        let waiting = distinct(readers[position as usize].clone());
        let before = distinct(rewrite.node(position).predecessors().collect());
        let is_read = waiting.iter().any(|&reader| reads(rewrite, reader, position));
        if is_read || kept.contains(position) || waiting.len() * before.len() > MOST_ADDED || !rewrite.is_pure(position)
        {
            continue;
        }
        for reader in waiting {
            let control = &mut rewrite.graph.nodes[reader as usize].control_inputs;
            control.retain(|&before| before != position);
            for &before in &before {
                if !control.contains(&before) {
                    control.push(before);
                    readers[before as usize].push(reader);
                }
            }
        }
        for before in before {
            readers[before as usize].retain(|&reader| reader != position);
        }
    }
    Ok(())
}

fn distinct(mut nodes: Vec<u32>) -> Vec<u32> {
    sort(&mut nodes);
    nodes.dedup();
    nodes
}

/// Whether `reader` reads a value of the node, beside waiting for it.
fn reads(rewrite: &Rewrite, reader: u32, position: u32) -> bool {
    rewrite.node(reader).inputs().iter().any(|input| input.node == position)
}

//! Checks that a pass left a sound graph.

use oplink_api::{DType, Error, Result, ResultExt, ensure};
use oplink_core::check_inputs;

use super::Rewrite;
use crate::graph::topological_order;

/// Checks inputs, dtypes and shapes of every needed node, and that nothing waits for itself.
///
/// # Errors
/// What is wrong, with the node.
pub(super) fn verify(rewrite: &Rewrite) -> Result<()> {
    let graph = &rewrite.graph;
    let needed = rewrite.needed()?;
    for &position in &needed {
        let node = rewrite.node(position);
        check_node(rewrite, position).context_with(|| format!("node `{}` (op {})", node.name(), node.op_name()))?;
    }
    let mut predecessors = vec![Vec::new(); graph.nodes.len()];
    for &position in &needed {
        let node = rewrite.node(position);
        let goes_back = |before: &u32| node.known().is_merge() && rewrite.node(*before).known().is_next_iteration();
        predecessors[position as usize] = node.predecessors().filter(|before| !goes_back(before)).collect();
    }
    let order = topological_order(&predecessors);
    match order.cycles.first() {
        None => Ok(()),
        Some(cycle) => {
            let names: Vec<&str> = cycle.iter().map(|&node| rewrite.node(node).name()).collect();
            Err(Error::internal(format!("nodes wait for themselves: {}", names.join(" -> "))))
        }
    }
}

fn check_node(rewrite: &Rewrite, position: u32) -> Result<()> {
    let node = rewrite.node(position);
    let dtype = |&input| {
        rewrite.graph.check_output(input)?;
        Ok(rewrite.graph.dtype(input).unwrap_or(DType::Invalid))
    };
    let dtypes = node.inputs().iter().map(dtype).collect::<Result<Vec<_>>>()?;
    check_inputs(node.info(), &dtypes)?;
    ensure!(
        node.output_shapes().len() == node.num_outputs(),
        "it has shapes for {} outputs",
        node.output_shapes().len()
    );
    for &before in node.control_inputs() {
        ensure!(rewrite.graph.node(before).is_some(), "it waits for node {before}, which there is not");
    }
    Ok(())
}

//! Who read a call, or waited for it, reads or waits for what its body has.

use std::collections::HashMap;

use oplink_api::Result;
use oplink_spec::sorting::sort;

use super::Inliner;
use super::copy::Copied;

/// A call that is gone.
pub(super) struct Inlined {
    copied: Copied,
}

impl Inlined {
    pub(super) fn new(copied: Copied) -> Self {
        Self { copied }
    }
}

impl Inliner<'_> {
    /// Has everybody read and wait for nodes that are there.
    pub(super) fn finish(mut self) -> Result<()> {
        if self.inlined.is_empty() {
            return Ok(());
        }
        self.rewrite.replace(&self.replacements);
        let mut ends = HashMap::new();
        // Nodes that are added here wait for none of the calls.
        for position in 0..self.rewrite.graph.nodes.len() {
            self.rewrite.check_time()?;
            let control = &self.rewrite.graph.nodes[position].control_inputs;
            if control.iter().any(|before| self.inlined.contains_key(before)) {
                let control = control.clone();
                self.rewrite.graph.nodes[position].control_inputs = self.without_calls(&control, &mut ends)?;
            }
        }
        let targets: Vec<u32> = self.rewrite.signature.targets.iter().chain(&self.effects).copied().collect();
        self.rewrite.signature.targets = self.without_calls(&targets, &mut ends)?;
        Ok(())
    }

    /// These nodes, with what a call ends with in the place of calls that are gone.
    fn without_calls(&mut self, nodes: &[u32], ends: &mut HashMap<u32, Vec<u32>>) -> Result<Vec<u32>> {
        let mut all = Vec::with_capacity(nodes.len());
        for &node in nodes {
            if self.inlined.contains_key(&node) {
                self.find_ends(node, ends)?;
                all.extend(ends.get(&node).into_iter().flatten());
            } else {
                all.push(node);
            }
        }
        sort(&mut all);
        all.dedup();
        Ok(all)
    }

    /// Finds the nodes after which a call is over. Calls are nested at most as deep as they are inlined.
    fn find_ends(&mut self, call: u32, ends: &mut HashMap<u32, Vec<u32>>) -> Result<()> {
        if ends.contains_key(&call) {
            return Ok(());
        }
        let Some(Inlined { copied }) = self.inlined.get(&call) else { return Ok(()) };
        let results = copied.results.iter().map(|&result| self.replacements.resolve(result).node);
        let waits_for: Vec<u32> = results.chain(copied.effects.iter().copied()).collect();
        let mut found = self.without_calls(&waits_for, ends)?;
        let call_node = self.rewrite.node(call).clone();
        self.rewrite.gather(&mut found, &call_node, "end")?;
        ends.insert(call, found);
        Ok(())
    }
}

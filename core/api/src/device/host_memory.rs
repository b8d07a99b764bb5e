//! Which of a node's tensors stay on the host when its kernel runs on a device with memory of its own.

use std::ops::Range;

use crate::{DType, NodeInfo};

/// The inputs and outputs of a node that are in host memory on any device, by flat position: those that the kernel's
/// `host_memory` names, those whose elements are objects of the host (strings, resources, variants), and references.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostMemory {
    inputs: Vec<Range<usize>>,
    outputs: Vec<Range<usize>>,
}

impl HostMemory {
    /// Those of `node` for a kernel with these names in `host_memory`.
    pub fn of(node: &NodeInfo, names: &[&str]) -> Self {
        let named = |name: &str| names.contains(&name);
        let inputs = node.op.inputs.iter().zip(&node.input_ranges);
        let outputs = node.op.outputs.iter().zip(&node.output_ranges);
        Self {
            inputs: inputs
                .flat_map(|(arg, range)| on_host(named(&arg.name) || arg.is_ref, range, &node.input_dtypes))
                .collect(),
            outputs: outputs
                .flat_map(|(arg, range)| on_host(named(&arg.name) || arg.is_ref, range, &node.output_dtypes))
                .collect(),
        }
    }

    /// Whether an input is in host memory.
    #[inline]
    pub fn has_input(&self, index: usize) -> bool {
        self.inputs.iter().any(|range| range.contains(&index))
    }

    /// Whether an output is in host memory.
    #[inline]
    pub fn has_output(&self, index: usize) -> bool {
        self.outputs.iter().any(|range| range.contains(&index))
    }
}

/// The part of an argument's range that is on the host: all of it, or the tensors that are never elsewhere.
fn on_host(whole: bool, range: &Range<usize>, dtypes: &[DType]) -> Vec<Range<usize>> {
    if whole {
        return vec![range.clone()];
    }
    let never_elsewhere = |&index: &usize| dtypes.get(index).is_some_and(|dtype| dtype.size().is_none());
    range.clone().filter(never_elsewhere).map(|index| index..index + 1).collect()
}

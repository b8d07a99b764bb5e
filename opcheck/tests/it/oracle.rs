//! Calls that TensorFlow answered, as samples of the built-in ops.

use std::collections::BTreeMap;

use oplink_opcheck::OpCall;

#[path = "../../../kernels/cpu/tests/it/case.rs"]
#[allow(dead_code, reason = "the answers are not looked at")]
mod case;

/// Tables of cases that stand alone.
const TABLES: &[&str] = &[
    include_str!("../../../kernels/cpu/tests/oracle/array.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/array_indices.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/array_layout.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/einsum.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/math.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/math_special.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/nn.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/nn_gradients.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/nn_more.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/nn_pools.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/reduction.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/segments.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/signal.txt"),
    include_str!("../../../kernels/cpu/tests/oracle/string.txt"),
];

/// Samples of an op, at most.
const SAMPLES: usize = 4;

/// The calls that have outputs, by op.
pub(crate) fn calls() -> BTreeMap<String, Vec<OpCall>> {
    let mut found: BTreeMap<String, Vec<OpCall>> = BTreeMap::new();
    for line in TABLES.iter().flat_map(|table| table.lines()) {
        let case = case::Case::read(line);
        let is_small = case.inputs.iter().all(|input| input.num_elements() <= 256);
        let calls = found.entry(case.op.to_owned()).or_default();
        if case.expected.is_ok() && is_small && calls.len() < SAMPLES {
            let attrs = case.attrs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            calls.push(OpCall { op: case.op.to_owned(), attrs, inputs: case.inputs });
        }
    }
    found
}

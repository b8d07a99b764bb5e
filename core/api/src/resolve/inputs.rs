//! Inputs held against what a node expects, and their names in messages.

use crate::{DType, NodeInfo, Result, bail};

/// Whether these are the dtypes of a node's inputs.
///
/// # Errors
/// Another number of inputs, or an input of another dtype; the message names it.
pub fn check_inputs(node: &NodeInfo, dtypes: &[DType]) -> Result<()> {
    let expected = &node.input_dtypes;
    if expected.len() != dtypes.len() {
        bail!("op {} takes {} inputs here, {} are given", node.op.name, expected.len(), dtypes.len());
    }
    match expected.iter().zip(dtypes).position(|(expected, given)| expected != given) {
        None => Ok(()),
        Some(at) => bail!(
            "input {} of op {} must be {}, it is {}",
            input_name(node, at),
            node.op.name,
            expected[at],
            dtypes[at]
        ),
    }
}

/// The argument that a flat input belongs to: `` `x` `` or `` `values[1]` ``.
pub fn input_name(node: &NodeInfo, index: usize) -> String {
    let arg = node.input_ranges.iter().position(|range| range.contains(&index));
    match arg.and_then(|arg| Some((node.op.inputs.get(arg)?, &node.input_ranges[arg]))) {
        Some((arg, range)) if arg.is_sequence() => format!("`{}[{}]`", arg.name, index - range.start),
        Some((arg, _)) => format!("`{}`", arg.name),
        None => format!("{index}"),
    }
}

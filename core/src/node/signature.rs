//! The flat dtypes of a node's inputs or outputs, and which of them each declared argument covers.

use std::ops::Range;

use oplink_api::{AttrMap, AttrValue, DType, Error, NodeInfo, Result, bail};
use oplink_spec::{ArgSpec, ArgType};

use crate::OpEntry;

/// Tensors that one argument may cover: far beyond any real graph, and far from exhausting memory.
pub(super) const MAX_TENSORS: usize = 1 << 20;

/// The layout that complete attrs give these arguments.
pub(super) fn signature(op: &OpEntry, args: &[ArgSpec], attrs: &AttrMap) -> Result<(Vec<DType>, Vec<Range<usize>>)> {
    let mut dtypes = Vec::with_capacity(args.len());
    let mut ranges = Vec::with_capacity(args.len());
    for arg in args {
        let start = dtypes.len();
        push_arg(op, arg, attrs, &mut dtypes)?;
        ranges.push(start..dtypes.len());
    }
    Ok((dtypes, ranges))
}

fn push_arg(op: &OpEntry, arg: &ArgSpec, attrs: &AttrMap, dtypes: &mut Vec<DType>) -> Result<()> {
    let count = match &arg.number_attr {
        Some(attr) => number(op, attr, attrs)?,
        None => 1,
    };
    match &arg.ty {
        ArgType::Type(dtype) => dtypes.extend(std::iter::repeat_n(*dtype, count)),
        ArgType::Attr(attr) => dtypes.extend(std::iter::repeat_n(attrs.read::<DType>(attr)?, count)),
        ArgType::ListAttr(attr) => {
            let list: &[DType] = attrs.read(attr)?;
            (0..count).for_each(|_| dtypes.extend_from_slice(list));
        }
    }
    Ok(())
}

fn number(op: &OpEntry, attr: &str, attrs: &AttrMap) -> Result<usize> {
    let given = attrs.get(attr);
    let count = given.and_then(|value| if let AttrValue::Int(n) = value { usize::try_from(*n).ok() } else { None });
    match count.filter(|n| *n <= MAX_TENSORS) {
        Some(count) => Ok(count),
        None => Err(Error::invalid_argument(format!(
            "attr `{attr}` of op {} is a number of tensors, it must be between 0 and {MAX_TENSORS}",
            op.name()
        ))),
    }
}

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
pub(crate) fn input_name(node: &NodeInfo, index: usize) -> String {
    let arg = node.input_ranges.iter().position(|range| range.contains(&index));
    match arg.and_then(|arg| Some((node.op.inputs.get(arg)?, &node.input_ranges[arg]))) {
        Some((arg, range)) if arg.is_sequence() => format!("`{}[{}]`", arg.name, index - range.start),
        Some((arg, _)) => format!("`{}`", arg.name),
        None => format!("{index}"),
    }
}

//! The flat dtypes of a node's inputs or outputs, and which of them each declared argument covers.

use std::ops::Range;

use oplink_spec::{ArgSpec, ArgType};

use crate::{AttrMap, AttrValue, DType, Error, OpSpec, Result};

/// Tensors that one argument may cover: far beyond any real graph, and far from exhausting memory.
pub const MAX_TENSORS: usize = 1 << 20;

/// The layout that complete attrs give some arguments of an op. Tensors whose dtype is left to a function's attr are of
/// [`DType::Invalid`].
///
/// # Errors
/// An attr that an argument names is missing, or a number of tensors is out of bounds.
pub fn signature(op: &OpSpec, args: &[ArgSpec], attrs: &AttrMap) -> Result<(Vec<DType>, Vec<Range<usize>>)> {
    let mut dtypes = Vec::with_capacity(args.len());
    let mut ranges = Vec::with_capacity(args.len());
    for arg in args {
        let start = dtypes.len();
        push_arg(op, arg, attrs, &mut dtypes)?;
        ranges.push(start..dtypes.len());
    }
    Ok((dtypes, ranges))
}

fn push_arg(op: &OpSpec, arg: &ArgSpec, attrs: &AttrMap, dtypes: &mut Vec<DType>) -> Result<()> {
    let count = match &arg.number_attr {
        Some(attr) => number(op, attr, attrs)?,
        None => 1,
    };
    match &arg.ty {
        ArgType::Type(dtype) => dtypes.extend(std::iter::repeat_n(*dtype, count)),
        ArgType::Attr(attr) => dtypes.extend(std::iter::repeat_n(dtype(attr, attrs)?, count)),
        ArgType::ListAttr(attr) => {
            let list: &[DType] = attrs.read(attr)?;
            (0..count).for_each(|_| dtypes.extend_from_slice(list));
        }
    }
    Ok(())
}

fn dtype(attr: &str, attrs: &AttrMap) -> Result<DType> {
    match attrs.get(attr) {
        Some(AttrValue::Placeholder(_)) => Ok(DType::Invalid),
        _ => attrs.read(attr),
    }
}

fn number(op: &OpSpec, attr: &str, attrs: &AttrMap) -> Result<usize> {
    let given = attrs.get(attr);
    let count = given.and_then(|value| if let AttrValue::Int(n) = value { usize::try_from(*n).ok() } else { None });
    match count.filter(|n| *n <= MAX_TENSORS) {
        Some(count) => Ok(count),
        None => Err(Error::invalid_argument(format!(
            "attr `{attr}` of op {} is a number of tensors, it must be between 0 and {MAX_TENSORS}",
            op.name
        ))),
    }
}

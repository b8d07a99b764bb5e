//! Which of a flat list of inputs each declared argument covers.

use std::ops::Range;

use crate::{AttrValue, DType, Result, bail};
use oplink_spec::{ArgSpec, ArgType, OpSpec};

/// Lays `count` flat inputs out over an op's arguments. A number attr or a list of types that `attrs` gives counts;
/// one that is not given takes what the others leave.
///
/// # Errors
/// The inputs do not fit the arguments, or several lists leave it open where one ends: then give their number attrs.
pub fn group_inputs(op: &OpSpec, count: usize, attrs: &[(&str, AttrValue)]) -> Result<Vec<Range<usize>>> {
    let sizes: Vec<Option<usize>> = op.inputs.iter().map(|arg| size_given(arg, attrs)).collect();
    let known: usize = sizes.iter().flatten().fold(0, |sum, &size| sum.saturating_add(size));
    let open: Vec<&ArgSpec> =
        op.inputs.iter().zip(&sizes).filter(|(_, size)| size.is_none()).map(|(arg, _)| arg).collect();
    let rest = count.checked_sub(known);
    let each = match (open.as_slice(), rest) {
        ([], Some(0)) => 0,
        ([first, others @ ..], Some(rest))
            if rest.is_multiple_of(open.len()) && others.iter().all(|arg| same_size(first, arg)) =>
        {
            rest / open.len()
        }
        ([first, second, ..], Some(_)) if !same_size(first, second) => {
            bail!("the inputs of op {} are several lists: give attrs that tell where `{}` ends", op.name, first.name)
        }
        _ => bail!("op {} does not take {count} inputs: it has {}", op.name, arguments(op)),
    };
    let mut start = 0;
    Ok(sizes
        .into_iter()
        .map(|size| {
            let range = start..start + size.unwrap_or(each);
            start = range.end;
            range
        })
        .collect())
}

/// Whether two lists have the same number of tensors whatever it is.
fn same_size(a: &ArgSpec, b: &ArgSpec) -> bool {
    match (&a.number_attr, &b.number_attr) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.ty == b.ty,
        _ => false,
    }
}

fn size_given(arg: &ArgSpec, attrs: &[(&str, AttrValue)]) -> Option<usize> {
    let given = |name: &str| attrs.iter().find(|(given, _)| *given == name).map(|(_, value)| value);
    match (&arg.number_attr, &arg.ty) {
        (Some(attr), _) => match given(attr)? {
            AttrValue::Int(n) => usize::try_from(*n).ok(),
            _ => None,
        },
        (None, ArgType::ListAttr(attr)) => given(attr)?.list_len(),
        (None, _) => Some(1),
    }
}

fn arguments(op: &OpSpec) -> String {
    let each: Vec<String> = op.inputs.iter().map(|arg| format!("`{arg}`")).collect();
    if each.is_empty() { "none".to_owned() } else { each.join(", ") }
}

/// The dtypes of flat inputs by argument, in the form that nodes are made from.
pub fn grouped<'a>(op: &OpSpec, dtypes: &'a [DType], ranges: &[Range<usize>]) -> Vec<super::ArgDTypes<'a>> {
    let group = |(arg, range): (&ArgSpec, &Range<usize>)| match dtypes.get(range.clone()) {
        Some([dtype]) if !arg.is_sequence() => super::ArgDTypes::One(*dtype),
        Some(dtypes) => super::ArgDTypes::List(dtypes),
        None => super::ArgDTypes::List(&[]),
    };
    op.inputs.iter().zip(ranges).map(group).collect()
}

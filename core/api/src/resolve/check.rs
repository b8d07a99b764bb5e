//! Attr values against their declaration: kind, allowed values, minimum.

use crate::{AttrKind, AttrValue, DType, Result, bail};
use oplink_spec::{Allowed, AttrSpec, ScalarKind};

use super::DeclaredOp;

/// The value, an empty list made one of the attr's kind.
///
/// # Errors
/// The value is of another kind.
pub(super) fn of_kind(op: &dyn DeclaredOp, attr: &AttrSpec, value: AttrValue) -> Result<AttrValue> {
    if let AttrValue::Placeholder(of) = &value {
        bail!(
            "attr `{}` of op {} stands for attr `{of}` of a function, which is not known here",
            attr.name,
            op.spec().name
        );
    }
    if !value.is_of(attr.kind) {
        let wanted = kind_name(attr.kind);
        bail!("attr `{}` of op {} must be {wanted}, it is {}", attr.name, op.spec().name, value.kind_name());
    }
    Ok(if matches!(value, AttrValue::EmptyList) { empty_list(attr.kind.scalar) } else { value })
}

fn kind_name(kind: AttrKind) -> String {
    let name = kind.scalar.name();
    if kind.list { format!("list({name})") } else { name.to_owned() }
}

fn empty_list(kind: ScalarKind) -> AttrValue {
    match kind {
        ScalarKind::String => AttrValue::Strings(Vec::new()),
        ScalarKind::Int => AttrValue::Ints(Vec::new()),
        ScalarKind::Float => AttrValue::Floats(Vec::new()),
        ScalarKind::Bool => AttrValue::Bools(Vec::new()),
        ScalarKind::Type => AttrValue::Types(Vec::new()),
        ScalarKind::Shape => AttrValue::Shapes(Vec::new()),
        ScalarKind::Tensor => AttrValue::Tensors(Vec::new()),
        ScalarKind::Func => AttrValue::Funcs(Vec::new()),
    }
}

/// Whether the value satisfies the attr's constraint; `whence` ends the messages: where the value comes from.
pub(super) fn constraint(op: &dyn DeclaredOp, attr: &AttrSpec, value: &AttrValue, whence: &str) -> Result<()> {
    match &attr.allowed {
        Some(Allowed::Types(allowed)) => allowed_types(op, attr, value, allowed, whence)?,
        Some(Allowed::Strings(allowed)) => allowed_strings(op, attr, value, allowed, whence)?,
        None => {}
    }
    if matches!(value, AttrValue::Type(DType::Invalid)) {
        bail!("attr `{}` of op {} is not set to a type{whence}", attr.name, op.spec().name);
    }
    let Some(minimum) = attr.minimum else { return Ok(()) };
    match value {
        AttrValue::Int(n) if *n < minimum => {
            bail!("attr `{}` of op {} is {n}{whence}, it must be at least {minimum}", attr.name, op.spec().name)
        }
        list if list.list_len().is_some_and(|len| (len as i64) < minimum) => {
            let len = list.list_len().unwrap_or(0);
            bail!(
                "attr `{}` of op {} has {len} elements{whence}, it must have at least {minimum}",
                attr.name,
                op.spec().name
            )
        }
        _ => Ok(()),
    }
}

fn allowed_types(
    op: &dyn DeclaredOp,
    attr: &AttrSpec,
    value: &AttrValue,
    allowed: &[DType],
    whence: &str,
) -> Result<()> {
    let types = match value {
        AttrValue::Type(dtype) => std::slice::from_ref(dtype),
        AttrValue::Types(dtypes) => dtypes,
        _ => &[],
    };
    let Some(refused) = types.iter().find(|dtype| !allowed.contains(dtype)) else { return Ok(()) };
    let names: Vec<&str> = allowed.iter().map(|dtype| dtype.name()).collect();
    bail!(
        "attr `{}` of op {} does not allow {refused}{whence}; it allows {}",
        attr.name,
        op.spec().name,
        names.join(", ")
    )
}

fn allowed_strings(
    op: &dyn DeclaredOp,
    attr: &AttrSpec,
    value: &AttrValue,
    allowed: &[Vec<u8>],
    whence: &str,
) -> Result<()> {
    let strings = match value {
        AttrValue::String(string) => std::slice::from_ref(string),
        AttrValue::Strings(strings) => strings,
        _ => &[],
    };
    let Some(refused) = strings.iter().find(|string| !allowed.contains(string)) else { return Ok(()) };
    let names: Vec<String> = allowed.iter().map(|string| format!("'{}'", string.escape_ascii())).collect();
    let refused = refused.escape_ascii();
    bail!(
        "attr `{}` of op {} does not allow '{refused}'{whence}; it allows {}",
        attr.name,
        op.spec().name,
        names.join(", ")
    )
}

//! The documentation of an op's function: what the crate says of the op, and what the declaration says of arguments.

use oplink_spec::{Allowed, ArgSpec, ArgType, AttrSpec, DType, OpSpec, ScalarKind};

use crate::host::Host;
use crate::python::{dtype_name, identifier, literal};

/// The text of the docstring.
pub(crate) fn documentation(op: &OpSpec, doc: &str, host: Host) -> String {
    let doc = outdented(doc);
    let summary = if doc.is_empty() { format!("The op `{}`.", op.name) } else { doc };
    let inputs = op.inputs.iter().map(|input| format!("    {}: {}", identifier(&input.name), of_input(op, input)));
    let attrs = op.attrs.iter().filter(|attr| !op.is_inferred(&attr.name));
    let attrs = attrs.filter_map(|attr| Some(format!("    {}: {}", identifier(&attr.name), of_attr(attr, host)?)));
    let arguments: Vec<String> = inputs.chain(attrs).collect();
    let deprecated = op.deprecation.as_ref().map(|old| format!("\n\nDeprecated: {}", old.explanation));
    let summary = summary + &deprecated.unwrap_or_default();
    if arguments.is_empty() { summary } else { format!("{summary}\n\nArgs:\n{}", arguments.join("\n")) }
}

/// Without the space that comments of Rust start with.
fn outdented(doc: &str) -> String {
    let lines: Vec<&str> = doc.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n").trim().to_owned()
}

fn of_input(op: &OpSpec, input: &ArgSpec) -> String {
    let what = if input.is_sequence() { "tensors" } else { "a tensor" };
    let dtypes = match &input.ty {
        ArgType::Type(dtype) => Some(dtype_name(*dtype).to_owned()),
        ArgType::Attr(attr) | ArgType::ListAttr(attr) => op.attr(attr).and_then(allowed_types),
    };
    let least = input.number_attr.as_ref().and_then(|number| op.attr(number)).and_then(|number| number.minimum);
    let least = least.filter(|least| *least > 0).map(|least| format!("; at least {least}")).unwrap_or_default();
    match dtypes {
        Some(dtypes) => format!("{what} of {dtypes}{least}"),
        None => format!("{what}{least}"),
    }
}

fn of_attr(attr: &AttrSpec, host: Host) -> Option<String> {
    let least = attr.minimum.map(|least| match attr.kind.list {
        true => format!("at least {least} of them"),
        false => format!("at least {least}"),
    });
    let allowed = (attr.kind.scalar == ScalarKind::Type).then(|| allowed_types(attr)).flatten();
    let default = attr.default.as_ref().filter(|default| literal(default, host).is_none());
    let default = default.map(|_| "`None` is the declaration's default".to_owned());
    let parts: Vec<String> = [allowed, least, default].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn allowed_types(attr: &AttrSpec) -> Option<String> {
    match attr.allowed.as_ref()? {
        Allowed::Types(types) => {
            Some(types.iter().map(|dtype: &DType| dtype_name(*dtype)).collect::<Vec<_>>().join(" or "))
        }
        Allowed::Strings(_) => None,
    }
}

//! The schemas of ops, made of their declarations.

use oplink_api::resolve::DeclaredOp;
use oplink_api::spec::{ArgSpec, ArgType, AttrSpec, ScalarKind};
use oplink_api::{AttrValue, DType};
use oplink_hosts_common::HostedOp;

use crate::dtypes;

/// What stands for an unknown rank where a shape is a list of extents.
pub(crate) const UNKNOWN_RANK: i64 = -2;

/// The schema of an op, or why PyTorch cannot carry the op.
pub(crate) fn schema(op: &HostedOp) -> Result<String, String> {
    if let Some(refusal) = op.refusal() {
        return Err(refusal);
    }
    let spec = op.spec();
    let inputs = spec.inputs.iter().map(input).collect::<Result<Vec<_>, _>>()?;
    let mut params = inputs;
    if op.given_attrs().len() > 0 {
        params.push("*".to_owned());
    }
    let defaults = op.attr_defaults().map_err(|error| error.to_string())?;
    for attr in op.given_attrs() {
        let default = defaults.iter().find(|default| *default.name == *attr.name);
        params.push(attr_param(attr, default.and_then(|default| default.default.as_ref()))?);
    }
    let outputs = spec.outputs.iter().map(|arg| Ok(format!("{} {}", tensor_type(arg)?, arg.name)));
    let outputs = outputs.collect::<Result<Vec<_>, String>>()?;
    let returns = match spec.outputs.as_slice() {
        [one] => tensor_type(one)?.to_owned(),
        _ => format!("({})", outputs.join(", ")),
    };
    Ok(format!("{}({}) -> {returns}", op.function_name, params.join(", ")))
}

fn input(arg: &ArgSpec) -> Result<String, String> {
    Ok(format!("{} {}", tensor_type(arg)?, arg.name))
}

fn tensor_type(arg: &ArgSpec) -> Result<&'static str, String> {
    match arg.ty {
        ArgType::Type(dtype) if dtypes::name(dtype).is_none() => {
            Err(format!("`{}` is of {dtype}, of which PyTorch has no tensors", arg.name))
        }
        _ => Ok(if arg.is_sequence() { "Tensor[]" } else { "Tensor" }),
    }
}

fn attr_param(attr: &AttrSpec, default: Option<&AttrValue>) -> Result<String, String> {
    let ty = match (attr.kind.scalar, attr.kind.list) {
        (ScalarKind::Int, false) => "int",
        (ScalarKind::Int, true) | (ScalarKind::Shape, false) => "int[]",
        (ScalarKind::Float, false) => "float",
        (ScalarKind::Float, true) => "float[]",
        (ScalarKind::Bool, false) => "bool",
        (ScalarKind::Bool, true) => "bool[]",
        (ScalarKind::String, false) => "str",
        (ScalarKind::String, true) => "str[]",
        (ScalarKind::Type, false) => "ScalarType",
        (ScalarKind::Type, true) => "ScalarType[]",
        (kind, list) => {
            let kind = if list { format!("list({})", kind.name()) } else { kind.name().to_owned() };
            return Err(format!("attr `{}` is of kind {kind}, of which PyTorch's schemas have none", attr.name));
        }
    };
    if is_optional(attr) {
        return Ok(format!("{ty}? {}=None", attr.name));
    }
    let default = default.and_then(literal).map_or_else(String::new, |text| format!("={text}"));
    Ok(format!("{ty} {}{default}", attr.name))
}

/// Whether the schema has `None` for the default, since schemas write no lists of strings.
pub(crate) fn is_optional(attr: &AttrSpec) -> bool {
    attr.kind.list && attr.kind.scalar == ScalarKind::String && attr.default.is_some()
}

/// A default as schemas write it; `None` for one that they cannot: then calls give the attr.
fn literal(value: &AttrValue) -> Option<String> {
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    Some(match value {
        AttrValue::Int(v) => v.to_string(),
        AttrValue::Float(v) => return float(*v),
        AttrValue::Bool(v) => boolean(*v),
        AttrValue::String(v) => return string(v),
        AttrValue::Type(v) => return dtype(*v),
        AttrValue::Shape(v) => {
            let dims = v.to_i64().unwrap_or_else(|| vec![UNKNOWN_RANK]);
            list(dims.iter().map(ToString::to_string).collect())
        }
        AttrValue::Ints(v) => list(v.iter().map(ToString::to_string).collect()),
        AttrValue::Floats(v) => list(v.iter().map(|v| float(*v)).collect::<Option<_>>()?),
        AttrValue::Bools(v) => list(v.iter().map(|v| boolean(*v)).collect()),
        AttrValue::EmptyList => "[]".to_owned(),
        AttrValue::Types(v) if v.is_empty() => "[]".to_owned(),
        _ => return None,
    })
}

/// As many digits as read back to the same double: attrs are single precision, schemas are not.
fn float(value: f32) -> Option<String> {
    value.is_finite().then(|| format!("{:?}", f64::from(value)))
}

fn boolean(value: bool) -> String {
    if value { "True" } else { "False" }.to_owned()
}

fn dtype(value: DType) -> Option<String> {
    dtypes::name(value).map(str::to_owned)
}

fn string(value: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(value).ok()?;
    let is_plain = text.chars().all(|c| !c.is_control() && c != '"' && c != '\\');
    is_plain.then(|| format!("\"{text}\""))
}

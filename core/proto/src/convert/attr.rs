//! Attrs of declarations.

use super::ConvertError;
use super::value::{attr_value_from_spec, attr_value_to_spec};
use crate::tensorflow::{AttrValue, op_def::AttrDef};
use oplink_spec as spec;
use oplink_spec::{Allowed, AttrKind, AttrSpec, ListValue, ScalarKind};

pub(super) fn attr_to_spec(attr: &AttrDef) -> Result<AttrSpec, ConvertError> {
    let kind = AttrKind::parse(&attr.r#type)
        .ok_or_else(|| ConvertError::new(format!("`{}` is no kind of attr", attr.r#type)))?;
    let allowed = attr.allowed_values.as_ref().map(|values| allowed_to_spec(kind, values));
    let default = attr.default_value.as_ref().map(set_value);
    Ok(AttrSpec {
        name: attr.name.clone(),
        kind,
        allowed: allowed.transpose()?,
        minimum: attr.has_minimum.then_some(attr.minimum),
        default: default.transpose()?,
    })
}

pub(super) fn attr_from_spec(attr: &AttrSpec) -> AttrDef {
    AttrDef {
        name: attr.name.clone(),
        r#type: kind_name(attr.kind),
        default_value: attr.default.as_ref().map(attr_value_from_spec),
        description: String::new(),
        has_minimum: attr.minimum.is_some(),
        minimum: attr.minimum.unwrap_or_default(),
        allowed_values: attr.allowed.as_ref().map(allowed_from_spec),
    }
}

fn kind_name(kind: AttrKind) -> String {
    let name = kind.scalar.name();
    if kind.list { format!("list({name})") } else { name.to_owned() }
}

/// The value of a message that has to have one.
fn set_value(message: &AttrValue) -> Result<spec::AttrValue, ConvertError> {
    attr_value_to_spec(message)?.ok_or_else(|| ConvertError::new("its default has no value"))
}

fn allowed_to_spec(kind: AttrKind, values: &AttrValue) -> Result<Allowed, ConvertError> {
    let Some(spec::AttrValue::List(list)) = attr_value_to_spec(values)? else {
        return Err(ConvertError::new("its allowed values are no list"));
    };
    let (types, strings) = (list.types.len(), list.strings.len());
    match kind.scalar {
        ScalarKind::Type if types == list.len() => Ok(Allowed::Types(list.types)),
        ScalarKind::String if strings == list.len() => Ok(Allowed::Strings(list.strings)),
        ScalarKind::Type | ScalarKind::String => {
            Err(ConvertError::new(format!("its allowed values are no list({})", kind.scalar.name())))
        }
        _ => Err(ConvertError::new("only attrs of types or strings have allowed values")),
    }
}

fn allowed_from_spec(allowed: &Allowed) -> AttrValue {
    let list = match allowed {
        Allowed::Types(types) => ListValue { types: types.clone(), ..ListValue::default() },
        Allowed::Strings(strings) => ListValue { strings: strings.clone(), ..ListValue::default() },
    };
    attr_value_from_spec(&spec::AttrValue::List(Box::new(list)))
}

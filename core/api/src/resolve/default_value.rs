//! Attr values of declarations, made into the values that nodes hold.

use crate::{AttrKind, AttrMap, AttrValue, Error, FuncAttr, PartialShape, Result};
use oplink_spec::{AttrValue as SpecValue, FuncValue, ListValue, ScalarKind, ShapeValue};

use super::tensor_from_spec;

/// A declared value as nodes hold it; `kind` tells what an empty list is a list of.
///
/// # Errors
/// A shape or a constant tensor inside is malformed.
pub fn attr_from_spec(value: &SpecValue, kind: AttrKind) -> Result<AttrValue> {
    Ok(match value {
        SpecValue::String(v) => AttrValue::String(v.clone()),
        SpecValue::Int(v) => AttrValue::Int(*v),
        SpecValue::Float(v) => AttrValue::Float(*v),
        SpecValue::Bool(v) => AttrValue::Bool(*v),
        SpecValue::Type(v) => AttrValue::Type(*v),
        SpecValue::Shape(v) => AttrValue::Shape(shape(v)?),
        SpecValue::Tensor(v) => AttrValue::Tensor(tensor_from_spec(v)?),
        SpecValue::Func(v) => AttrValue::Func(func(v)?),
        SpecValue::List(v) => list(v, kind.scalar)?,
        SpecValue::Placeholder(v) => AttrValue::Placeholder(v.clone()),
    })
}

fn list(v: &ListValue, kind: ScalarKind) -> Result<AttrValue> {
    Ok(match kind {
        ScalarKind::String => AttrValue::Strings(v.strings.clone()),
        ScalarKind::Int => AttrValue::Ints(v.ints.clone()),
        ScalarKind::Float => AttrValue::Floats(v.floats.clone()),
        ScalarKind::Bool => AttrValue::Bools(v.bools.clone()),
        ScalarKind::Type => AttrValue::Types(v.types.clone()),
        ScalarKind::Shape => AttrValue::Shapes(v.shapes.iter().map(shape).collect::<Result<_>>()?),
        ScalarKind::Tensor => AttrValue::Tensors(v.tensors.iter().map(tensor_from_spec).collect::<Result<_>>()?),
        ScalarKind::Func => AttrValue::Funcs(v.funcs.iter().map(func).collect::<Result<_>>()?),
    })
}

fn shape(value: &ShapeValue) -> Result<PartialShape> {
    PartialShape::from_i64(value.as_deref())
}

fn func(value: &FuncValue) -> Result<FuncAttr> {
    let mut attrs = AttrMap::new();
    for (name, value) in &value.attrs {
        let value = value
            .as_ref()
            .ok_or_else(|| Error::invalid_argument(format!("attr `{name}` of a function has no value")))?;
        attrs.set(name.as_str(), attr_from_spec(value, kind_of(value))?);
    }
    Ok(FuncAttr { name: value.name.clone(), attrs })
}

/// The kind of a list that no declaration tells, such as one inside a function's attrs: that of its values.
pub fn kind_of(value: &SpecValue) -> AttrKind {
    let SpecValue::List(v) = value else { return AttrKind::scalar(ScalarKind::Int) };
    let present = [
        (ScalarKind::String, v.strings.len()),
        (ScalarKind::Float, v.floats.len()),
        (ScalarKind::Bool, v.bools.len()),
        (ScalarKind::Type, v.types.len()),
        (ScalarKind::Shape, v.shapes.len()),
        (ScalarKind::Tensor, v.tensors.len()),
        (ScalarKind::Func, v.funcs.len()),
    ];
    let kind = present.iter().find(|(_, len)| *len > 0).map_or(ScalarKind::Int, |(kind, _)| *kind);
    AttrKind::list(kind)
}

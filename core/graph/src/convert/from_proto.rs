//! Messages made into the values that nodes hold.

use oplink_api::{AttrMap, AttrValue, Error, FuncAttr, Result, ensure};
use oplink_proto::NameAttrList;
use oplink_proto::attr_value::{ListValue, Value};

use super::budget::Budget;
use super::shape::{dtype, shape_from_proto};
use super::tensor::read as read_tensor;

/// The value of an attr. A list without elements becomes [`AttrValue::EmptyList`].
///
/// `max_constant_bytes` bounds tensors whose elements the message abbreviates.
///
/// # Errors
/// The message has no value, a list has values of several kinds, a type is not one of TensorFlow's, a shape or a tensor
/// is malformed.
pub fn attr_from_proto(value: &oplink_proto::AttrValue, max_constant_bytes: usize) -> Result<AttrValue> {
    read_attr(value, &Budget::new(max_constant_bytes))
}

/// As [`attr_from_proto`], with a bound for several attrs together.
pub(crate) fn read_attr(value: &oplink_proto::AttrValue, budget: &Budget<'_>) -> Result<AttrValue> {
    let value = value.value.as_ref().ok_or_else(|| Error::invalid_argument("no value is set"))?;
    Ok(match value {
        Value::S(v) => AttrValue::String(v.to_vec()),
        Value::I(v) => AttrValue::Int(*v),
        Value::F(v) => AttrValue::Float(*v),
        Value::B(v) => AttrValue::Bool(*v),
        Value::Type(v) => AttrValue::Type(dtype(*v)?),
        Value::Shape(v) => AttrValue::Shape(shape_from_proto(v)?),
        Value::Tensor(v) => AttrValue::Tensor(read_tensor(v, budget)?),
        Value::Func(v) => AttrValue::Func(func(v, budget)?),
        Value::Placeholder(v) => AttrValue::Placeholder(v.clone()),
        Value::List(v) => list(v, budget)?,
    })
}

fn func(value: &NameAttrList, budget: &Budget<'_>) -> Result<FuncAttr> {
    let mut attrs = AttrMap::new();
    for (name, value) in &value.attr {
        let value = read_attr(value, budget).map_err(|e| e.context(format!("attr `{name}` of a function")))?;
        attrs.set(name.as_str(), value);
    }
    Ok(FuncAttr { name: value.name.clone(), attrs })
}

fn list(v: &ListValue, budget: &Budget<'_>) -> Result<AttrValue> {
    let lens =
        [v.s.len(), v.i.len(), v.f.len(), v.b.len(), v.r#type.len(), v.shape.len(), v.tensor.len(), v.func.len()];
    let mut kinds = lens.iter().enumerate().filter(|(_, len)| **len > 0).map(|(kind, _)| kind);
    let Some(kind) = kinds.next() else { return Ok(AttrValue::EmptyList) };
    ensure!(kinds.next().is_none(), "a list has values of several kinds");
    Ok(match kind {
        0 => AttrValue::Strings(v.s.iter().map(|bytes| bytes.to_vec()).collect()),
        1 => AttrValue::Ints(v.i.clone()),
        2 => AttrValue::Floats(v.f.clone()),
        3 => AttrValue::Bools(v.b.clone()),
        4 => AttrValue::Types(v.r#type.iter().map(|&t| dtype(t)).collect::<Result<_>>()?),
        5 => AttrValue::Shapes(v.shape.iter().map(shape_from_proto).collect::<Result<_>>()?),
        6 => AttrValue::Tensors(v.tensor.iter().map(|t| read_tensor(t, budget)).collect::<Result<_>>()?),
        _ => AttrValue::Funcs(v.func.iter().map(|f| func(f, budget)).collect::<Result<_>>()?),
    })
}

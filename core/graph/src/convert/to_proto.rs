//! Values that nodes hold made into messages.

use oplink_api::{AttrValue, FuncAttr, Result};
use oplink_proto::NameAttrList;
use oplink_proto::attr_value::{ListValue, Value};

use super::shape::shape_to_proto;
use super::tensor::tensor_to_proto;

/// The message of an attr's value.
///
/// # Errors
/// A tensor inside holds resources or variants.
pub fn attr_to_proto(value: &AttrValue) -> Result<oplink_proto::AttrValue> {
    let value = match value {
        AttrValue::String(v) => Value::S(v.clone().into()),
        AttrValue::Int(v) => Value::I(*v),
        AttrValue::Float(v) => Value::F(*v),
        AttrValue::Bool(v) => Value::B(*v),
        AttrValue::Type(v) => Value::Type(v.number()),
        AttrValue::Shape(v) => Value::Shape(shape_to_proto(v)),
        AttrValue::Tensor(v) => Value::Tensor(tensor_to_proto(v)?),
        AttrValue::Func(v) => Value::Func(func(v)?),
        AttrValue::Placeholder(v) => Value::Placeholder(v.clone()),
        list => Value::List(list_to_proto(list)?),
    };
    Ok(oplink_proto::AttrValue { value: Some(value) })
}

fn func(value: &FuncAttr) -> Result<NameAttrList> {
    let attr = value.attrs.iter().map(|(name, value)| Ok((name.to_owned(), attr_to_proto(value)?)));
    Ok(NameAttrList { name: value.name.clone(), attr: attr.collect::<Result<_>>()? })
}

fn list_to_proto(value: &AttrValue) -> Result<ListValue> {
    let mut list = ListValue::default();
    match value {
        AttrValue::Strings(v) => list.s = v.iter().map(|bytes| bytes.clone().into()).collect(),
        AttrValue::Ints(v) => list.i.clone_from(v),
        AttrValue::Floats(v) => list.f.clone_from(v),
        AttrValue::Bools(v) => list.b.clone_from(v),
        AttrValue::Types(v) => list.r#type = v.iter().map(|dtype| dtype.number()).collect(),
        AttrValue::Shapes(v) => list.shape = v.iter().map(shape_to_proto).collect(),
        AttrValue::Tensors(v) => list.tensor = v.iter().map(tensor_to_proto).collect::<Result<_>>()?,
        AttrValue::Funcs(v) => list.func = v.iter().map(func).collect::<Result<_>>()?,
        _ => {}
    }
    Ok(list)
}

//! Values of attrs.

use super::tensor::{shape_from_spec, shape_to_spec, tensor_from_spec, tensor_to_spec};
use super::{ConvertError, value_dtype};
use crate::tensorflow::{AttrValue, NameAttrList, attr_value::ListValue, attr_value::Value};
use oplink_spec as spec;
use prost::bytes::Bytes;
use std::collections::BTreeMap;

/// The value of a message; `None` when no field of it is set.
///
/// # Errors
/// For a type that no value has, and for constants of resources or variants.
pub fn attr_value_to_spec(attr: &AttrValue) -> Result<Option<spec::AttrValue>, ConvertError> {
    let Some(value) = &attr.value else {
        return Ok(None);
    };
    Ok(Some(match value {
        Value::S(bytes) => spec::AttrValue::String(bytes.to_vec()),
        Value::I(int) => spec::AttrValue::Int(*int),
        Value::F(float) => spec::AttrValue::Float(*float),
        Value::B(bool) => spec::AttrValue::Bool(*bool),
        Value::Type(number) => spec::AttrValue::Type(value_dtype(*number)?),
        Value::Shape(shape) => spec::AttrValue::Shape(shape_to_spec(shape)),
        Value::Tensor(tensor) => spec::AttrValue::Tensor(Box::new(tensor_to_spec(tensor)?)),
        Value::Func(func) => spec::AttrValue::Func(func_to_spec(func)?),
        Value::List(list) => spec::AttrValue::List(Box::new(list_to_spec(list)?)),
        Value::Placeholder(name) => spec::AttrValue::Placeholder(name.clone()),
    }))
}

/// The message of a value.
pub fn attr_value_from_spec(value: &spec::AttrValue) -> AttrValue {
    let value = match value {
        spec::AttrValue::String(bytes) => Value::S(bytes.clone().into()),
        spec::AttrValue::Int(int) => Value::I(*int),
        spec::AttrValue::Float(float) => Value::F(*float),
        spec::AttrValue::Bool(bool) => Value::B(*bool),
        spec::AttrValue::Type(dtype) => Value::Type(dtype.number()),
        spec::AttrValue::Shape(shape) => Value::Shape(shape_from_spec(shape.as_deref())),
        spec::AttrValue::Tensor(tensor) => Value::Tensor(tensor_from_spec(tensor)),
        spec::AttrValue::Func(func) => Value::Func(func_from_spec(func)),
        spec::AttrValue::List(list) => Value::List(list_from_spec(list)),
        spec::AttrValue::Placeholder(name) => Value::Placeholder(name.clone()),
    };
    AttrValue { value: Some(value) }
}

fn list_to_spec(list: &ListValue) -> Result<spec::ListValue, ConvertError> {
    Ok(spec::ListValue {
        strings: list.s.iter().map(|bytes| bytes.to_vec()).collect(),
        ints: list.i.clone(),
        floats: list.f.clone(),
        bools: list.b.clone(),
        types: list.r#type.iter().map(|number| value_dtype(*number)).collect::<Result<_, _>>()?,
        shapes: list.shape.iter().map(shape_to_spec).collect(),
        tensors: list.tensor.iter().map(tensor_to_spec).collect::<Result<_, _>>()?,
        funcs: list.func.iter().map(func_to_spec).collect::<Result<_, _>>()?,
    })
}

fn list_from_spec(list: &spec::ListValue) -> ListValue {
    ListValue {
        s: list.strings.iter().cloned().map(Bytes::from).collect(),
        i: list.ints.clone(),
        f: list.floats.clone(),
        b: list.bools.clone(),
        r#type: list.types.iter().map(|dtype| dtype.number()).collect(),
        shape: list.shapes.iter().map(|shape| shape_from_spec(shape.as_deref())).collect(),
        tensor: list.tensors.iter().map(tensor_from_spec).collect(),
        func: list.funcs.iter().map(func_from_spec).collect(),
    }
}

fn func_to_spec(func: &NameAttrList) -> Result<spec::FuncValue, ConvertError> {
    let attr = |(name, value): (&String, &AttrValue)| match attr_value_to_spec(value) {
        Ok(value) => Ok((name.clone(), value)),
        Err(error) => Err(error.inside("attr", name).inside("function", &func.name)),
    };
    let attrs = func.attr.iter().map(attr).collect::<Result<_, _>>()?;
    Ok(spec::FuncValue { name: func.name.clone(), attrs })
}

fn func_from_spec(func: &spec::FuncValue) -> NameAttrList {
    let message = |value: &Option<spec::AttrValue>| value.as_ref().map(attr_value_from_spec).unwrap_or_default();
    let attr: BTreeMap<_, _> = func.attrs.iter().map(|(name, value)| (name.clone(), message(value))).collect();
    NameAttrList { name: func.name.clone(), attr }
}

//! Short ways to write nodes.

use oplink_proto::attr_value::Value;
use oplink_proto::{AttrValue, DataType, NameAttrList, NodeDef, TensorProto};

pub(super) const FLOAT: i32 = DataType::DtFloat as i32;
pub(super) const BOOL: i32 = DataType::DtBool as i32;
pub(super) const INT32: i32 = DataType::DtInt32 as i32;

/// A node of an op with these inputs and attrs.
pub(super) fn node(name: impl Into<String>, op: &str, input: Vec<String>, attrs: Vec<(&str, Value)>) -> NodeDef {
    let attr = attrs.into_iter().map(|(name, value)| (name.to_owned(), AttrValue { value: Some(value) })).collect();
    NodeDef { name: name.into(), op: op.to_owned(), input, attr, ..NodeDef::default() }
}

/// The attr of a dtype.
pub(super) fn dtype(number: i32) -> Value {
    Value::Type(number)
}

/// The attr of a list of dtypes.
pub(super) fn dtypes(numbers: Vec<i32>) -> Value {
    Value::List(oplink_proto::attr_value::ListValue { r#type: numbers, ..Default::default() })
}

/// The attr of a function without attrs of its own.
pub(super) fn function(name: &str) -> Value {
    Value::Func(NameAttrList { name: name.to_owned(), ..NameAttrList::default() })
}

/// A constant of one element.
pub(super) fn constant(name: impl Into<String>, number: i32, value: f32) -> NodeDef {
    let mut tensor = TensorProto {
        dtype: number,
        tensor_shape: Some(oplink_proto::TensorShapeProto::default()),
        ..TensorProto::default()
    };
    match number {
        BOOL => tensor.bool_val = vec![value != 0.0],
        INT32 => tensor.int_val = vec![value as i32],
        _ => tensor.float_val = vec![value],
    }
    node(name, "Const", Vec::new(), vec![("dtype", dtype(number)), ("value", Value::Tensor(tensor))])
}

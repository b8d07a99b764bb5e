//! Nodes as messages.

use oplink_api::spec::{AttrValue as SpecValue, FuncValue, ListValue, TensorValue};
use oplink_api::{AttrValue, DType, FuncAttr, NodeInfo, PartialShape, Result, TString, Tensor};
use oplink_proto::{NodeDef, attr_value_from_spec, to_bytes};

/// The node as a `NodeDef`.
///
/// # Errors
/// An attr holds a tensor of resources or variants.
pub(crate) fn serialized(node: &NodeInfo) -> Result<Vec<u8>> {
    let attr = |(name, value): (&str, &AttrValue)| Ok((name.to_owned(), attr_value_from_spec(&spec_value(value)?)));
    let message = NodeDef {
        name: node.name.clone(),
        op: node.op.name.clone(),
        device: node.device.clone(),
        attr: node.attrs.iter().map(attr).collect::<Result<_>>()?,
        ..NodeDef::default()
    };
    Ok(to_bytes(&message))
}

fn spec_value(value: &AttrValue) -> Result<SpecValue> {
    Ok(match value {
        AttrValue::String(v) => SpecValue::String(v.clone()),
        AttrValue::Int(v) => SpecValue::Int(*v),
        AttrValue::Float(v) => SpecValue::Float(*v),
        AttrValue::Bool(v) => SpecValue::Bool(*v),
        AttrValue::Type(v) => SpecValue::Type(*v),
        AttrValue::Shape(v) => SpecValue::Shape(v.to_i64()),
        AttrValue::Tensor(v) => SpecValue::Tensor(Box::new(tensor(v)?)),
        AttrValue::Func(v) => SpecValue::Func(func(v)?),
        AttrValue::Placeholder(v) => SpecValue::Placeholder(v.clone()),
        list => SpecValue::List(Box::new(list_value(list)?)),
    })
}

fn list_value(value: &AttrValue) -> Result<ListValue> {
    let mut list = ListValue::default();
    match value {
        AttrValue::Strings(v) => list.strings.clone_from(v),
        AttrValue::Ints(v) => list.ints.clone_from(v),
        AttrValue::Floats(v) => list.floats.clone_from(v),
        AttrValue::Bools(v) => list.bools.clone_from(v),
        AttrValue::Types(v) => list.types.clone_from(v),
        AttrValue::Shapes(v) => list.shapes = v.iter().map(PartialShape::to_i64).collect(),
        AttrValue::Tensors(v) => list.tensors = v.iter().map(tensor).collect::<Result<_>>()?,
        AttrValue::Funcs(v) => list.funcs = v.iter().map(func).collect::<Result<_>>()?,
        _ => {}
    }
    Ok(list)
}

fn func(value: &FuncAttr) -> Result<FuncValue> {
    let attr = |(name, value): (&str, &AttrValue)| Ok((name.to_owned(), Some(spec_value(value)?)));
    Ok(FuncValue { name: value.name.clone(), attrs: value.attrs.iter().map(attr).collect::<Result<_>>()? })
}

fn tensor(value: &Tensor) -> Result<TensorValue> {
    let dims = value.shape().iter().map(|&dim| dim as i64).collect();
    let mut made = TensorValue::new(value.dtype(), Some(dims));
    match value.dtype() {
        DType::String => {
            made.string_val = value.as_slice::<TString>()?.iter().map(|string| string.as_bytes().to_vec()).collect();
        }
        _ => made.content = value.as_bytes()?.to_vec(),
    }
    Ok(made)
}

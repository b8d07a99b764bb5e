//! Calls and constants as TensorFlow's messages, which hosts of gradients read.

use oplink_api::call::Call;
use oplink_api::{AttrMap, AttrValue, DType, FuncAttr, Output, PartialShape, Result, TString, Tensor};
use oplink_spec::wire::{put_bytes, put_varint};

use crate::wire_fields as f;

/// A `NodeDef` of a call's op, attrs, and wanted name and device.
pub(super) fn node_def(call: &Call<Output>) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    put_bytes(&mut out, f::NODE_NAME, call.name.as_deref().unwrap_or_default().as_bytes());
    put_bytes(&mut out, f::NODE_OP, call.op.as_bytes());
    put_bytes(&mut out, f::NODE_DEVICE, call.device.as_deref().unwrap_or_default().as_bytes());
    call.attrs.iter().try_for_each(|(name, value)| put_attr(&mut out, f::NODE_ATTR, name, value))?;
    Ok(out)
}

fn put_attr(out: &mut Vec<u8>, field: u32, name: &str, value: &AttrValue) -> Result<()> {
    let mut entry = Vec::new();
    put_bytes(&mut entry, f::ENTRY_KEY, name.as_bytes());
    put_bytes(&mut entry, f::ENTRY_VALUE, &attr_value(value)?);
    put_bytes(out, field, &entry);
    Ok(())
}

fn attr_value(value: &AttrValue) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    match value {
        AttrValue::String(v) => put_bytes(&mut out, f::VALUE_STRING, v),
        AttrValue::Int(v) => put_int(&mut out, f::VALUE_INT, *v),
        AttrValue::Float(v) => put_float(&mut out, f::VALUE_FLOAT, *v),
        AttrValue::Bool(v) => put_int(&mut out, f::VALUE_BOOL, i64::from(*v)),
        AttrValue::Type(v) => put_int(&mut out, f::VALUE_TYPE, v.number().into()),
        AttrValue::Shape(v) => put_bytes(&mut out, f::VALUE_SHAPE, &shape(v)),
        AttrValue::Tensor(v) => put_bytes(&mut out, f::VALUE_TENSOR, &tensor_proto(v)?),
        AttrValue::Func(v) => put_bytes(&mut out, f::VALUE_FUNC, &func(v)?),
        AttrValue::Placeholder(v) => put_bytes(&mut out, f::VALUE_PLACEHOLDER, v.as_bytes()),
        list => put_bytes(&mut out, f::VALUE_LIST, &list_value(list)?),
    }
    Ok(out)
}

fn list_value(list: &AttrValue) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let to = &mut out;
    match list {
        AttrValue::Strings(v) => v.iter().for_each(|one| put_bytes(to, f::LIST_STRING, one)),
        AttrValue::Ints(v) => v.iter().for_each(|&one| put_int(to, f::LIST_INT, one)),
        AttrValue::Floats(v) => v.iter().for_each(|&one| put_float(to, f::LIST_FLOAT, one)),
        AttrValue::Bools(v) => v.iter().for_each(|&one| put_int(to, f::LIST_BOOL, i64::from(one))),
        AttrValue::Types(v) => v.iter().for_each(|one| put_int(to, f::LIST_TYPE, one.number().into())),
        AttrValue::Shapes(v) => v.iter().for_each(|one| put_bytes(to, f::LIST_SHAPE, &shape(one))),
        AttrValue::Tensors(v) => {
            for one in v {
                put_bytes(to, f::LIST_TENSOR, &tensor_proto(one)?);
            }
        }
        AttrValue::Funcs(v) => {
            for one in v {
                put_bytes(to, f::LIST_FUNC, &func(one)?);
            }
        }
        _ => {}
    }
    Ok(out)
}

/// A number, 0 too: in a `oneof` and in a list it says something.
fn put_int(out: &mut Vec<u8>, field: u32, value: i64) {
    put_varint(out, u64::from(field << 3));
    put_varint(out, value as u64);
}

fn put_float(out: &mut Vec<u8>, field: u32, value: f32) {
    put_varint(out, u64::from(field << 3 | 5));
    out.extend_from_slice(&value.to_le_bytes());
}

fn shape(shape: &PartialShape) -> Vec<u8> {
    let mut out = Vec::new();
    match shape.to_i64() {
        None => put_int(&mut out, f::SHAPE_UNKNOWN_RANK, 1),
        Some(dims) => dims.into_iter().for_each(|size| {
            let mut dim = Vec::new();
            put_int(&mut dim, f::DIM_SIZE, size);
            put_bytes(&mut out, f::SHAPE_DIM, &dim);
        }),
    }
    out
}

/// A `TensorProto`.
///
/// # Errors
/// The tensor has no values here: it lies in a device's memory, or its dtype has none that can be written.
pub(super) fn tensor_proto(tensor: &Tensor) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    put_int(&mut out, f::TENSOR_DTYPE, tensor.dtype().number().into());
    put_bytes(&mut out, f::TENSOR_SHAPE, &shape(&PartialShape::from(tensor.shape().clone())));
    match tensor.dtype() {
        DType::String => {
            let strings = tensor.as_slice::<TString>()?;
            strings.iter().for_each(|string| put_bytes(&mut out, f::TENSOR_STRINGS, string.as_bytes()));
        }
        _ => put_bytes(&mut out, f::TENSOR_CONTENT, tensor.as_bytes()?),
    }
    Ok(out)
}

fn func(func: &FuncAttr) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    put_bytes(&mut out, f::FUNC_NAME, func.name.as_bytes());
    let attrs: &AttrMap = &func.attrs;
    attrs.iter().try_for_each(|(name, value)| put_attr(&mut out, f::FUNC_ATTR, name, value))?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node_def;

    /// What is written is what is read, for values of every kind.
    #[test]
    fn attrs_of_every_kind_are_read_as_they_were_written() {
        let shapes = vec![PartialShape::new(&[Some(2), None]), PartialShape::unknown(), PartialShape::new(&[])];
        let tensors = vec![
            Tensor::from_slice(&[1.5f32, -2.0]),
            Tensor::scalar(TString::from("text")),
            Tensor::zeros(DType::Int64, [0, 3]).unwrap(),
        ];
        let mut nested = AttrMap::new();
        nested.set("T", DType::Half);
        let func = FuncAttr { name: "body".to_owned(), attrs: nested };
        let attrs: Vec<(&'static str, AttrValue)> = vec![
            ("string", AttrValue::String(vec![0, 255])),
            ("int", AttrValue::Int(-7)),
            ("zero", AttrValue::Int(0)),
            ("float", AttrValue::Float(0.0)),
            ("bool", AttrValue::Bool(false)),
            ("type", AttrValue::Type(DType::BFloat16)),
            ("shape", AttrValue::Shape(shapes[0].clone())),
            ("tensor", AttrValue::Tensor(tensors[0].clone())),
            ("func", AttrValue::Func(func.clone())),
            ("strings", AttrValue::Strings(vec![Vec::new(), b"b".to_vec()])),
            ("ints", AttrValue::Ints(vec![0, -1, i64::MAX])),
            ("floats", AttrValue::Floats(vec![0.0, f32::MAX])),
            ("bools", AttrValue::Bools(vec![false, true])),
            ("types", AttrValue::Types(vec![DType::Float, DType::String])),
            ("shapes", AttrValue::Shapes(shapes)),
            ("tensors", AttrValue::Tensors(tensors)),
            ("funcs", AttrValue::Funcs(vec![func])),
            ("empty", AttrValue::EmptyList),
            ("name", AttrValue::Placeholder("T".to_owned())),
        ];
        let call = Call {
            op: "Op",
            name: Some("node".to_owned()),
            device: Some("/device:CPU:0".to_owned()),
            inputs: smallvec::SmallVec::new(),
            attrs,
        };
        let read = node_def::node(&node_def(&call).unwrap()).unwrap();
        assert_eq!((read.name.as_str(), read.device.as_str()), ("node", "/device:CPU:0"));
        assert_eq!(read.attrs.len(), call.attrs.len());
        for (name, value) in &call.attrs {
            assert_eq!(read.attrs.get(name), Some(value), "{name}");
        }
    }
}

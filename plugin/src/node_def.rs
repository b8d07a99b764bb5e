//! What is read out of a serialized `NodeDef`: attrs of the kinds that no C function reads, and whole nodes.

use oplink_api::shape::Shape;
use oplink_api::{AttrKind, AttrMap, AttrValue, DType, Error, FuncAttr, PartialShape, Result, TString, Tensor};
use oplink_spec::wire::{Value, fields, repeated};

use crate::wire_fields as f;

/// The value of an attr; `kind` tells what an empty list is a list of.
pub(crate) fn attr(node: &[u8], name: &str, kind: AttrKind) -> Result<AttrValue> {
    let value = find(node, name)?.ok_or_else(|| Error::not_found(format!("the node has no attr `{name}`")))?;
    value_of(value, kind.list)
}

/// A node: name, device, and all attrs.
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) device: String,
    pub(crate) attrs: AttrMap,
}

/// A whole node, without its inputs.
pub(crate) fn node(bytes: &[u8]) -> Result<Node> {
    let text = |field| Ok::<_, Error>(String::from_utf8_lossy(last(bytes, field)?.unwrap_or_default()).into_owned());
    Ok(Node { name: text(f::NODE_NAME)?, device: text(f::NODE_DEVICE)?, attrs: attrs(bytes, f::NODE_ATTR)? })
}

/// The entries of a map of attrs.
fn attrs(message: &[u8], field: u32) -> Result<AttrMap> {
    let mut attrs = AttrMap::new();
    for entry in all(message, field)? {
        let name = String::from_utf8_lossy(last(entry, f::ENTRY_KEY)?.unwrap_or_default()).into_owned();
        attrs.set(name, value_of(last(entry, f::ENTRY_VALUE)?.unwrap_or_default(), false)?);
    }
    Ok(attrs)
}

fn find<'a>(node: &'a [u8], name: &str) -> Result<Option<&'a [u8]>> {
    for entry in all(node, f::NODE_ATTR)? {
        if last(entry, f::ENTRY_KEY)? == Some(name.as_bytes()) {
            return Ok(Some(last(entry, f::ENTRY_VALUE)?.unwrap_or_default()));
        }
    }
    Ok(None)
}

/// An `AttrValue`; the last field decides. A message without fields is an empty list where one is wanted.
fn value_of(message: &[u8], is_list: bool) -> Result<AttrValue> {
    let mut found = None;
    each(message, |field, value| {
        found = Some(match (field, value) {
            (f::VALUE_LIST, Value::Bytes(list)) => list_of(list)?,
            (f::VALUE_STRING, Value::Bytes(bytes)) => AttrValue::String(bytes.to_vec()),
            (f::VALUE_INT, Value::Varint(number)) => AttrValue::Int(number as i64),
            (f::VALUE_FLOAT, Value::Fixed32(bits)) => AttrValue::Float(f32::from_bits(bits)),
            (f::VALUE_BOOL, Value::Varint(flag)) => AttrValue::Bool(flag != 0),
            (f::VALUE_TYPE, Value::Varint(number)) => AttrValue::Type(dtype(number as i64)?),
            (f::VALUE_SHAPE, Value::Bytes(bytes)) => AttrValue::Shape(shape(bytes)?),
            (f::VALUE_TENSOR, Value::Bytes(bytes)) => AttrValue::Tensor(tensor(bytes)?),
            (f::VALUE_PLACEHOLDER, Value::Bytes(name)) => {
                AttrValue::Placeholder(String::from_utf8_lossy(name).into_owned())
            }
            (f::VALUE_FUNC, Value::Bytes(bytes)) => AttrValue::Func(func(bytes)?),
            _ => return Ok(()),
        });
        Ok(())
    })?;
    match found {
        Some(value) => Ok(value),
        None if is_list => Ok(AttrValue::EmptyList),
        None => Err(Error::internal("the host gave an attr without a value")),
    }
}

/// A list: that of its fields which has elements.
fn list_of(message: &[u8]) -> Result<AttrValue> {
    let (mut list, mut numbers, mut floats) = (AttrValue::EmptyList, Vec::new(), Vec::new());
    each(message, |field, value| {
        match (field, value) {
            (f::LIST_INT | f::LIST_BOOL | f::LIST_TYPE, value) => repeated(value, &mut numbers).map_err(malformed)?,
            (f::LIST_FLOAT, Value::Fixed32(bits)) => floats.push(f32::from_bits(bits)),
            (f::LIST_FLOAT, Value::Bytes(packed)) => {
                floats.extend(packed.as_chunks::<4>().0.iter().map(|word| f32::from_le_bytes(*word)));
            }
            _ => {}
        }
        list = match field {
            f::LIST_STRING => AttrValue::Strings(all(message, field)?.into_iter().map(<[u8]>::to_vec).collect()),
            f::LIST_INT => AttrValue::Ints(numbers.clone()),
            f::LIST_FLOAT => AttrValue::Floats(floats.clone()),
            f::LIST_BOOL => AttrValue::Bools(numbers.iter().map(|&flag| flag != 0).collect()),
            f::LIST_TYPE => AttrValue::Types(numbers.iter().map(|&number| dtype(number)).collect::<Result<_>>()?),
            f::LIST_SHAPE => AttrValue::Shapes(all(message, field)?.into_iter().map(shape).collect::<Result<_>>()?),
            f::LIST_TENSOR => AttrValue::Tensors(all(message, field)?.into_iter().map(tensor).collect::<Result<_>>()?),
            f::LIST_FUNC => AttrValue::Funcs(all(message, field)?.into_iter().map(func).collect::<Result<_>>()?),
            _ => return Ok(()),
        };
        Ok(())
    })?;
    Ok(list)
}

fn dtype(number: i64) -> Result<DType> {
    let known = i32::try_from(number).ok().and_then(DType::from_number);
    known.ok_or_else(|| Error::internal(format!("the host gave {number}, which is the number of no dtype")))
}

fn shape(bytes: &[u8]) -> Result<PartialShape> {
    let (mut dims, mut is_unknown) = (Vec::new(), false);
    each(bytes, |field, value| {
        match (field, value) {
            (f::SHAPE_UNKNOWN_RANK, Value::Varint(flag)) => is_unknown = flag != 0,
            (f::SHAPE_DIM, Value::Bytes(dim)) => {
                let mut size = 0;
                each(dim, |field, value| {
                    if field == f::DIM_SIZE {
                        size = value.number().map_err(malformed)?;
                    }
                    Ok(())
                })?;
                dims.push(size);
            }
            _ => {}
        }
        Ok(())
    })?;
    PartialShape::from_i64((!is_unknown).then_some(&dims))
}

/// A tensor as hosts of gradients write it: strings, or the bytes of all elements.
fn tensor(bytes: &[u8]) -> Result<Tensor> {
    let (mut number, mut dims) = (0, PartialShape::default());
    each(bytes, |field, value| {
        match (field, value) {
            (f::TENSOR_DTYPE, Value::Varint(value)) => number = value as i64,
            (f::TENSOR_SHAPE, Value::Bytes(bytes)) => dims = shape(bytes)?,
            _ => {}
        }
        Ok(())
    })?;
    let shape = Shape::from_i64(&dims.to_i64().unwrap_or_default())?;
    match dtype(number)? {
        DType::String => {
            let strings = all(bytes, f::TENSOR_STRINGS)?.into_iter().map(TString::new).collect();
            Tensor::from_vec(shape, strings)
        }
        dtype => Tensor::from_bytes(dtype, shape, last(bytes, f::TENSOR_CONTENT)?.unwrap_or_default()),
    }
}

fn func(bytes: &[u8]) -> Result<FuncAttr> {
    let name = last(bytes, f::FUNC_NAME)?.unwrap_or_default();
    Ok(FuncAttr { name: String::from_utf8_lossy(name).into_owned(), attrs: attrs(bytes, f::FUNC_ATTR)? })
}

/// Calls `visit` with each field of a message.
fn each<'a>(message: &'a [u8], mut visit: impl FnMut(u32, Value<'a>) -> Result<()>) -> Result<()> {
    let mut failed = Ok(());
    let read = fields(message, |field, value| {
        if failed.is_ok() {
            failed = visit(field, value);
        }
        Ok(())
    });
    read.map_err(malformed)?;
    failed
}

/// The last field of that number, as messages have it where one is set twice.
fn last(message: &[u8], number: u32) -> Result<Option<&[u8]>> {
    Ok(all(message, number)?.pop())
}

/// The fields of that number that are bytes or messages.
fn all(message: &[u8], number: u32) -> Result<Vec<&[u8]>> {
    let mut found = Vec::new();
    let read = fields(message, |field, value| {
        if let (true, Value::Bytes(bytes)) = (field == number, value) {
            found.push(bytes);
        }
        Ok(())
    });
    read.map_err(malformed)?;
    Ok(found)
}

fn malformed(why: &str) -> Error {
    Error::internal(format!("the host gave a malformed NodeDef: {why}"))
}

#[cfg(test)]
mod tests {
    use oplink_spec::ScalarKind;

    use super::*;

    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, bytes.len() as u8], bytes].concat()
    }

    fn node(name: &str, value: &[u8]) -> Vec<u8> {
        let entry = [field(1, name.as_bytes()), field(2, value)].concat();
        [field(1, b"node"), field(2, b"Op"), field(5, &[field(1, b"other"), field(2, b"")].concat()), field(5, &entry)]
            .concat()
    }

    #[test]
    fn shapes_are_read() {
        // dim { size: 2 } dim { size: -1 }
        let minus_one = [&[8][..], &[0xff; 9], &[1]].concat();
        let dims = [field(2, &[8, 2]), field(2, &minus_one)].concat();
        let value = attr(&node("shape", &field(7, &dims)), "shape", AttrKind::scalar(ScalarKind::Shape)).unwrap();
        assert_eq!(value, AttrValue::Shape(PartialShape::new(&[Some(2), None])));
        let list = field(1, &[field(7, &dims), field(7, &[24, 1])].concat());
        let value = attr(&node("shapes", &list), "shapes", AttrKind::list(ScalarKind::Shape)).unwrap();
        let expected = vec![PartialShape::new(&[Some(2), None]), PartialShape::unknown()];
        assert_eq!(value, AttrValue::Shapes(expected));
    }

    #[test]
    fn names_of_functions_are_read() {
        let value = attr(&node("f", &field(10, &field(1, b"body"))), "f", AttrKind::scalar(ScalarKind::Func)).unwrap();
        assert_eq!(value, AttrValue::Func(FuncAttr { name: "body".to_owned(), attrs: AttrMap::new() }));
    }

    #[test]
    fn malformed_and_missing_attrs_are_errors() {
        let kind = AttrKind::scalar(ScalarKind::Shape);
        assert!(attr(&node("shape", b""), "absent", kind).unwrap_err().message().contains("no attr `absent`"));
        let cut = &node("shape", &field(7, b""))[..5];
        assert!(attr(cut, "shape", kind).unwrap_err().message().contains("malformed"));
    }
}

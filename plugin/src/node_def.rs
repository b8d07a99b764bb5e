//! Attrs of the kinds that no C function reads, out of a serialized `NodeDef`: shapes, and names of functions.

use oplink_api::{AttrKind, AttrMap, AttrValue, Error, FuncAttr, PartialShape, Result};
use oplink_spec::ScalarKind;
use oplink_spec::wire::{Value, fields};

/// `NodeDef.attr`, of entries with a key and a value.
const NODE_ATTR: u32 = 5;
const ENTRY_KEY: u32 = 1;
const ENTRY_VALUE: u32 = 2;
/// `AttrValue.shape`, and `AttrValue.ListValue.shape`.
const VALUE_SHAPE: u32 = 7;
const VALUE_FUNC: u32 = 10;
const VALUE_LIST: u32 = 1;
const LIST_FUNC: u32 = 9;
/// `TensorShapeProto`.
const SHAPE_DIM: u32 = 2;
const SHAPE_UNKNOWN_RANK: u32 = 3;
const DIM_SIZE: u32 = 1;
/// `NameAttrList.name`; a plugin cannot call functions, so their attrs are not read.
const FUNC_NAME: u32 = 1;

/// The value of an attr of kind `shape`, `func`, or a list of them.
pub(crate) fn attr(node: &[u8], name: &str, kind: AttrKind) -> Result<AttrValue> {
    let value = find(node, name)?.ok_or_else(|| Error::not_found(format!("the node has no attr `{name}`")))?;
    let is_shape = kind.scalar == ScalarKind::Shape;
    if !kind.list {
        let bytes = last(value, if is_shape { VALUE_SHAPE } else { VALUE_FUNC })?.unwrap_or_default();
        return Ok(if is_shape { AttrValue::Shape(shape(bytes)?) } else { AttrValue::Func(func(bytes)?) });
    }
    let list = last(value, VALUE_LIST)?.unwrap_or_default();
    Ok(if is_shape {
        AttrValue::Shapes(all(list, VALUE_SHAPE)?.into_iter().map(shape).collect::<Result<_>>()?)
    } else {
        AttrValue::Funcs(all(list, LIST_FUNC)?.into_iter().map(func).collect::<Result<_>>()?)
    })
}

fn find<'a>(node: &'a [u8], name: &str) -> Result<Option<&'a [u8]>> {
    for entry in all(node, NODE_ATTR)? {
        if last(entry, ENTRY_KEY)? == Some(name.as_bytes()) {
            return Ok(Some(last(entry, ENTRY_VALUE)?.unwrap_or_default()));
        }
    }
    Ok(None)
}

fn shape(bytes: &[u8]) -> Result<PartialShape> {
    let (mut dims, mut is_unknown) = (Vec::new(), false);
    let read = fields(bytes, |field, value| {
        match (field, value) {
            (SHAPE_UNKNOWN_RANK, Value::Varint(flag)) => is_unknown = flag != 0,
            (SHAPE_DIM, Value::Bytes(dim)) => {
                let mut size = 0;
                fields(dim, |field, value| {
                    if field == DIM_SIZE {
                        size = value.number()?;
                    }
                    Ok(())
                })?;
                dims.push(size);
            }
            _ => {}
        }
        Ok(())
    });
    read.map_err(malformed)?;
    PartialShape::from_i64((!is_unknown).then_some(&dims))
}

fn func(bytes: &[u8]) -> Result<FuncAttr> {
    let name = last(bytes, FUNC_NAME)?.unwrap_or_default();
    Ok(FuncAttr { name: String::from_utf8_lossy(name).into_owned(), attrs: AttrMap::new() })
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

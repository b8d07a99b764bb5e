//! Attrs of the kinds that no C function reads, out of a serialized `NodeDef`: shapes, and names of functions.

use oplink_api::{AttrKind, AttrMap, AttrValue, Error, FuncAttr, PartialShape, Result};
use oplink_spec::ScalarKind;

/// `NodeDef.attr`, of entries with a key and a value.
const NODE_ATTR: u64 = 5;
const ENTRY_KEY: u64 = 1;
const ENTRY_VALUE: u64 = 2;
/// `AttrValue.shape`, and `AttrValue.ListValue.shape`.
const VALUE_SHAPE: u64 = 7;
const VALUE_FUNC: u64 = 10;
const VALUE_LIST: u64 = 1;
const LIST_FUNC: u64 = 9;
/// `TensorShapeProto`.
const SHAPE_DIM: u64 = 2;
const SHAPE_UNKNOWN_RANK: u64 = 3;
const DIM_SIZE: u64 = 1;
/// `NameAttrList.name`; a plugin cannot call functions, so their attrs are not read.
const FUNC_NAME: u64 = 1;

/// The value of an attr of kind `shape`, `func`, or a list of them.
pub(crate) fn attr(node: &[u8], name: &str, kind: AttrKind) -> Result<AttrValue> {
    let value = find(node, name)?.ok_or_else(|| Error::not_found(format!("the node has no attr `{name}`")))?;
    let is_shape = kind.scalar == ScalarKind::Shape;
    if !kind.list {
        let bytes = last(value, if is_shape { VALUE_SHAPE } else { VALUE_FUNC })?.unwrap_or_default();
        return Ok(if is_shape { AttrValue::Shape(shape(bytes)?) } else { AttrValue::Func(func(bytes)?) });
    }
    let list = last(value, VALUE_LIST)?.unwrap_or_default();
    let all = |number| Fields(list).filter_map(move |field| bytes_of(field, number)).collect::<Result<Vec<_>>>();
    Ok(if is_shape {
        AttrValue::Shapes(all(VALUE_SHAPE)?.into_iter().map(shape).collect::<Result<_>>()?)
    } else {
        AttrValue::Funcs(all(LIST_FUNC)?.into_iter().map(func).collect::<Result<_>>()?)
    })
}

fn find<'a>(node: &'a [u8], name: &str) -> Result<Option<&'a [u8]>> {
    for entry in Fields(node).filter_map(|field| bytes_of(field, NODE_ATTR)) {
        let entry = entry?;
        if last(entry, ENTRY_KEY)? == Some(name.as_bytes()) {
            return Ok(Some(last(entry, ENTRY_VALUE)?.unwrap_or_default()));
        }
    }
    Ok(None)
}

fn shape(bytes: &[u8]) -> Result<PartialShape> {
    let mut dims = Vec::new();
    for field in Fields(bytes) {
        match field? {
            (SHAPE_UNKNOWN_RANK, Field::Number(1..)) => return Ok(PartialShape::unknown()),
            (SHAPE_DIM, Field::Bytes(dim)) => {
                let sizes = Fields(dim).filter_map(|field| match field {
                    Ok((DIM_SIZE, Field::Number(size))) => Some(Ok(size as i64)),
                    Ok(_) => None,
                    Err(error) => Some(Err(error)),
                });
                dims.push(sizes.last().transpose()?.unwrap_or(0));
            }
            _ => {}
        }
    }
    PartialShape::from_i64(Some(&dims))
}

fn func(bytes: &[u8]) -> Result<FuncAttr> {
    let name = last(bytes, FUNC_NAME)?.unwrap_or_default();
    Ok(FuncAttr { name: String::from_utf8_lossy(name).into_owned(), attrs: AttrMap::new() })
}

/// The last field of that number, as messages have it where one is set twice.
fn last(message: &[u8], number: u64) -> Result<Option<&[u8]>> {
    Fields(message).filter_map(|field| bytes_of(field, number)).last().transpose()
}

fn bytes_of(field: Result<(u64, Field<'_>)>, wanted: u64) -> Option<Result<&[u8]>> {
    match field {
        Ok((number, Field::Bytes(bytes))) if number == wanted => Some(Ok(bytes)),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    }
}

enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    Fixed,
}

/// The fields of a message in the wire format.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn varint(&mut self) -> Option<u64> {
        let length = self.0.iter().take(10).position(|byte| byte & 0x80 == 0)? + 1;
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(bytes.iter().rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7f)))
    }

    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(bytes)
    }

    fn field(&mut self) -> Option<(u64, Field<'a>)> {
        let tag = self.varint()?;
        let field = match tag & 7 {
            0 => Field::Number(self.varint()?),
            1 => self.take(8).map(|_| Field::Fixed)?,
            2 => {
                let length = self.varint()?;
                Field::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| Field::Fixed)?,
            _ => return None,
        };
        Some((tag >> 3, field))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Field<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field.ok_or_else(|| Error::internal("the host gave a malformed NodeDef")))
    }
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

//! Trees of text-proto fields to shapes, tensors, functions and attr values.

use super::text_proto::{Field, Message};
use crate::diagnostic::Diagnostic;
use crate::dtype::DType;
use crate::names::nearest;
use crate::value::{AttrValue, FuncValue, ListValue, ShapeValue, TensorValue};

pub(crate) fn shape(message: &Message<'_>) -> Result<ShapeValue, Diagnostic> {
    let mut dims = Vec::new();
    let mut unknown_rank = None;
    for field in &message.fields {
        match field.name.text {
            "dim" => dims.push(dim(field.message()?)?),
            "unknown_rank" => field.set(&mut unknown_rank, field.bool()?)?,
            _ => return Err(field.unknown("a shape", &["dim", "unknown_rank"])),
        }
    }
    if unknown_rank != Some(true) {
        return Ok(Some(dims));
    }
    if dims.is_empty() {
        return Ok(None);
    }
    let text = "a shape of unknown rank has no dimensions";
    Err(Diagnostic::new(message.range.clone(), text))
}

fn dim(message: &Message<'_>) -> Result<i64, Diagnostic> {
    let mut size = None;
    for field in &message.fields {
        match field.name.text {
            "size" => field.set(&mut size, field.int()?)?,
            "name" => {
                let text = "names of dimensions are not kept, so this one cannot be given";
                return Err(Diagnostic::new(field.name.range.clone(), text));
            }
            _ => return Err(field.unknown("a dimension", &["size"])),
        }
    }
    match size.unwrap_or(0) {
        ..-1 => Err(Diagnostic::new(message.range.clone(), "a dimension is -1 (unknown) or more")),
        size => Ok(size),
    }
}

const TENSOR_FIELDS: &[&str] = &[
    "dtype",
    "tensor_shape",
    "version_number",
    "tensor_content",
    "half_val",
    "float_val",
    "double_val",
    "int_val",
    "string_val",
    "scomplex_val",
    "int64_val",
    "bool_val",
    "dcomplex_val",
    "uint32_val",
    "uint64_val",
    "float8_val",
];

pub(crate) fn tensor(message: &Message<'_>) -> Result<TensorValue, Diagnostic> {
    let mut tensor = TensorValue::new(DType::Invalid, None);
    let (mut dtype, mut dims, mut version, mut content, mut float8) = (None, None, None, None, None);
    for field in &message.fields {
        match field.name.text {
            "dtype" => field.set(&mut dtype, dtype_of(field)?)?,
            "tensor_shape" => field.set(&mut dims, shape(field.message()?)?)?,
            "version_number" => field.set(&mut version, field.int()?)?,
            "tensor_content" => field.set(&mut content, field.text()?)?,
            "half_val" => tensor.half_val.push(field.int()?),
            "float_val" => tensor.float_val.push(field.float()?),
            "double_val" => tensor.double_val.push(field.float()?),
            "int_val" => tensor.int_val.push(field.int()?),
            "string_val" => tensor.string_val.push(field.text()?),
            "scomplex_val" => tensor.scomplex_val.push(field.float()?),
            "int64_val" => tensor.int64_val.push(field.int()?),
            "bool_val" => tensor.bool_val.push(field.bool()?),
            "dcomplex_val" => tensor.dcomplex_val.push(field.float()?),
            "uint32_val" => tensor.uint32_val.push(field.int()?),
            "uint64_val" => tensor.uint64_val.push(field.int()?),
            "float8_val" => field.set(&mut float8, field.text()?)?,
            "resource_handle_val" | "variant_val" => {
                let text = "a tensor of resources or variants cannot be a default";
                return Err(Diagnostic::new(field.name.range.clone(), text));
            }
            _ => return Err(field.unknown("a tensor", TENSOR_FIELDS)),
        }
    }
    tensor.dtype = dtype.unwrap_or(DType::Invalid);
    tensor.shape = dims.unwrap_or_else(|| Some(Vec::new()));
    tensor.version_number = version.unwrap_or_default();
    tensor.content = content.unwrap_or_default();
    tensor.float8_val = float8.unwrap_or_default();
    Ok(tensor)
}

fn dtype_of(field: &Field<'_>) -> Result<DType, Diagnostic> {
    let expected = || field.expected("a type, such as `DT_FLOAT`");
    let word = field.word().map_err(|_| expected())?;
    DType::parse_enum_name(word).or_else(|| DType::parse(word)).ok_or_else(|| {
        let names = DType::ALL.iter().map(|dtype| dtype.enum_name());
        expected().with_guess(nearest(word, names))
    })
}

pub(crate) fn func(message: &Message<'_>) -> Result<FuncValue, Diagnostic> {
    let mut name = None;
    let mut attrs: Vec<(String, Option<AttrValue>)> = Vec::new();
    for field in &message.fields {
        match field.name.text {
            "name" => field.set(&mut name, field.utf8()?)?,
            "attr" => {
                let entry = map_entry(field.message()?)?;
                match attrs.binary_search_by(|(key, _)| key.cmp(&entry.0)) {
                    Ok(_) => {
                        let text = format!("the function's attr `{}` is given twice", entry.0);
                        return Err(Diagnostic::new(field.range.clone(), text));
                    }
                    Err(place) => attrs.insert(place, entry),
                }
            }
            _ => return Err(field.unknown("a function", &["name", "attr"])),
        }
    }
    Ok(FuncValue { name: name.unwrap_or_default(), attrs })
}

fn map_entry(message: &Message<'_>) -> Result<(String, Option<AttrValue>), Diagnostic> {
    let (mut key, mut value) = (None, None);
    for field in &message.fields {
        match field.name.text {
            "key" => field.set(&mut key, field.utf8()?)?,
            "value" => field.set(&mut value, attr_value(field.message()?)?)?,
            _ => return Err(field.unknown("a function's attr", &["key", "value"])),
        }
    }
    Ok((key.unwrap_or_default(), value.flatten()))
}

const VALUE_FIELDS: &[&str] = &["s", "i", "f", "b", "type", "shape", "tensor", "func", "list", "placeholder"];

fn attr_value(message: &Message<'_>) -> Result<Option<AttrValue>, Diagnostic> {
    let mut value = None;
    for field in &message.fields {
        let this = match field.name.text {
            "s" => AttrValue::String(field.text()?),
            "i" => AttrValue::Int(field.int()?),
            "f" => AttrValue::Float(field.float()?),
            "b" => AttrValue::Bool(field.bool()?),
            "type" => AttrValue::Type(dtype_of(field)?),
            "shape" => AttrValue::Shape(shape(field.message()?)?),
            "tensor" => AttrValue::Tensor(Box::new(tensor(field.message()?)?)),
            "func" => AttrValue::Func(func(field.message()?)?),
            "list" => AttrValue::List(Box::new(list(field.message()?)?)),
            "placeholder" => AttrValue::Placeholder(field.utf8()?),
            _ => return Err(field.unknown("a value", VALUE_FIELDS)),
        };
        if value.replace(this).is_some() {
            let text = "this value is a second one for the same attr";
            return Err(Diagnostic::new(field.name.range.clone(), text));
        }
    }
    Ok(value)
}

const LIST_FIELDS: &[&str] = &["s", "i", "f", "b", "type", "shape", "tensor", "func"];

fn list(message: &Message<'_>) -> Result<ListValue, Diagnostic> {
    let mut list = ListValue::default();
    for field in &message.fields {
        match field.name.text {
            "s" => list.strings.push(field.text()?),
            "i" => list.ints.push(field.int()?),
            "f" => list.floats.push(field.float()?),
            "b" => list.bools.push(field.bool()?),
            "type" => list.types.push(dtype_of(field)?),
            "shape" => list.shapes.push(shape(field.message()?)?),
            "tensor" => list.tensors.push(tensor(field.message()?)?),
            "func" => list.funcs.push(func(field.message()?)?),
            _ => return Err(field.unknown("a list", LIST_FIELDS)),
        }
    }
    Ok(list)
}

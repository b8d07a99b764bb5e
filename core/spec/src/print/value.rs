//! Values to text: defaults as the grammar writes them, and the text protos inside braces.

use std::fmt::{self, Display, Formatter};

use crate::value::{AttrValue, FuncValue, ListValue, ShapeValue, TensorValue};

/// A default. Lists stand in brackets, messages in braces.
pub(super) fn write_default(f: &mut Formatter<'_>, value: &AttrValue) -> fmt::Result {
    match value {
        AttrValue::String(text) => quoted(text).fmt(f),
        AttrValue::Int(value) => value.fmt(f),
        AttrValue::Float(value) => Float(*value).fmt(f),
        AttrValue::Bool(value) => value.fmt(f),
        AttrValue::Type(dtype) => f.write_str(dtype.enum_name()),
        AttrValue::Shape(shape) => ShapeText(shape).fmt(f),
        AttrValue::Tensor(tensor) => TensorText(tensor).fmt(f),
        AttrValue::Func(func) => FuncText(func).fmt(f),
        AttrValue::List(list) => {
            f.write_str("[")?;
            write_elements(f, list)?;
            f.write_str("]")
        }
        AttrValue::Placeholder(name) => write!(f, "placeholder {name}"),
    }
}

fn write_elements(f: &mut Formatter<'_>, list: &ListValue) -> fmt::Result {
    comma_separated(f, list.strings.iter().map(|s| quoted(s)))?;
    comma_separated(f, &list.ints)?;
    comma_separated(f, list.floats.iter().map(|x| Float(*x)))?;
    comma_separated(f, &list.bools)?;
    comma_separated(f, list.types.iter().map(|t| t.enum_name()))?;
    comma_separated(f, list.shapes.iter().map(ShapeText))?;
    comma_separated(f, list.tensors.iter().map(TensorText))?;
    comma_separated(f, list.funcs.iter().map(FuncText))
}

pub(super) fn comma_separated<T: Display>(f: &mut Formatter<'_>, items: impl IntoIterator<Item = T>) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

/// A float's shortest text that reads back to it.
struct Float<T>(T);

impl<T: fmt::Debug + Into<f64> + Copy> Display for Float<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.into() {
            x if x.is_nan() => f.write_str("nan"),
            _ => write!(f, "{:?}", self.0),
        }
    }
}

/// Bytes in single quotes; what is not printable UTF-8 stands as an escape.
pub(crate) fn quoted(bytes: &[u8]) -> Quoted<'_> {
    Quoted(bytes)
}

pub(crate) struct Quoted<'a>(&'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("'")?;
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                write_char(f, c)?;
            }
            write_octal(f, chunk.invalid())?;
        }
        f.write_str("'")
    }
}

fn write_char(f: &mut Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        '\\' | '\'' => write!(f, "\\{c}"),
        c if c.is_control() => write_octal(f, c.encode_utf8(&mut [0; 4]).as_bytes()),
        c => write!(f, "{c}"),
    }
}

fn write_octal(f: &mut Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "\\{byte:03o}"))
}

/// A message in braces.
struct ShapeText<'a>(&'a ShapeValue);
struct TensorText<'a>(&'a TensorValue);
struct FuncText<'a>(&'a FuncValue);

impl Display for ShapeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(dims) = self.0 else {
            return f.write_str("{ unknown_rank: true }");
        };
        f.write_str("{")?;
        for size in dims {
            write!(f, " dim {{ size: {size} }}")?;
        }
        f.write_str(if dims.is_empty() { "}" } else { " }" })
    }
}

impl Display for TensorText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let t = self.0;
        write!(f, "{{ dtype: {} tensor_shape ", t.dtype.enum_name())?;
        ShapeText(&t.shape).fmt(f)?;
        if t.version_number != 0 {
            write!(f, " version_number: {}", t.version_number)?;
        }
        bytes_field(f, "tensor_content", &t.content)?;
        repeated(f, "half_val:", &t.half_val)?;
        repeated(f, "float_val:", t.float_val.iter().map(|x| Float(*x)))?;
        repeated(f, "double_val:", t.double_val.iter().map(|x| Float(*x)))?;
        repeated(f, "int_val:", &t.int_val)?;
        repeated(f, "string_val:", t.string_val.iter().map(|s| quoted(s)))?;
        repeated(f, "scomplex_val:", t.scomplex_val.iter().map(|x| Float(*x)))?;
        repeated(f, "int64_val:", &t.int64_val)?;
        repeated(f, "bool_val:", &t.bool_val)?;
        repeated(f, "dcomplex_val:", t.dcomplex_val.iter().map(|x| Float(*x)))?;
        repeated(f, "uint32_val:", &t.uint32_val)?;
        repeated(f, "uint64_val:", &t.uint64_val)?;
        bytes_field(f, "float8_val", &t.float8_val)?;
        f.write_str(" }")
    }
}

fn bytes_field(f: &mut Formatter<'_>, name: &str, bytes: &[u8]) -> fmt::Result {
    match bytes {
        [] => Ok(()),
        _ => write!(f, " {name}: {}", quoted(bytes)),
    }
}

fn repeated<T: Display>(f: &mut Formatter<'_>, name: &str, items: impl IntoIterator<Item = T>) -> fmt::Result {
    items.into_iter().try_for_each(|item| write!(f, " {name} {item}"))
}

impl Display for FuncText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{{ name: {}", quoted(self.0.name.as_bytes()))?;
        for (key, value) in &self.0.attrs {
            write!(f, " attr {{ key: {} value {{", quoted(key.as_bytes()))?;
            if let Some(value) = value {
                f.write_str(" ")?;
                write_field(f, value)?;
            }
            f.write_str(" } }")?;
        }
        f.write_str(" }")
    }
}

/// The field of a message `AttrValue` that holds the value.
fn write_field(f: &mut Formatter<'_>, value: &AttrValue) -> fmt::Result {
    match value {
        AttrValue::String(text) => write!(f, "s: {}", quoted(text)),
        AttrValue::Int(value) => write!(f, "i: {value}"),
        AttrValue::Float(value) => write!(f, "f: {}", Float(*value)),
        AttrValue::Bool(value) => write!(f, "b: {value}"),
        AttrValue::Type(dtype) => write!(f, "type: {}", dtype.enum_name()),
        AttrValue::Shape(shape) => write!(f, "shape {}", ShapeText(shape)),
        AttrValue::Tensor(tensor) => write!(f, "tensor {}", TensorText(tensor)),
        AttrValue::Func(func) => write!(f, "func {}", FuncText(func)),
        AttrValue::List(list) => write_list_field(f, list),
        AttrValue::Placeholder(name) => write!(f, "placeholder: {}", quoted(name.as_bytes())),
    }
}

fn write_list_field(f: &mut Formatter<'_>, list: &ListValue) -> fmt::Result {
    f.write_str("list {")?;
    repeated(f, "s:", list.strings.iter().map(|s| quoted(s)))?;
    repeated(f, "i:", &list.ints)?;
    repeated(f, "f:", list.floats.iter().map(|x| Float(*x)))?;
    repeated(f, "b:", &list.bools)?;
    repeated(f, "type:", list.types.iter().map(|t| t.enum_name()))?;
    repeated(f, "shape", list.shapes.iter().map(ShapeText))?;
    repeated(f, "tensor", list.tensors.iter().map(TensorText))?;
    repeated(f, "func", list.funcs.iter().map(FuncText))?;
    f.write_str(" }")
}

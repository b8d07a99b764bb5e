//! Answers as JSON text.

use oplink_api::{AttrValue, DType, PartialShape};

/// A text in quotes.
pub(super) fn text(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A list of what is JSON already.
pub(super) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// An object of names and what is JSON already.
pub(super) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|(name, value)| format!("{}:{value}", text(name))).collect();
    format!("{{{}}}", fields.join(","))
}

/// A dtype by its name; null where it is not known.
pub(super) fn dtype(dtype: DType) -> String {
    if dtype == DType::Invalid { "null".to_owned() } else { text(dtype.name()) }
}

/// The extents, null for unknown ones; null for an unknown rank.
pub(super) fn shape(shape: &PartialShape) -> String {
    let extent = |dim: &Option<usize>| dim.map_or_else(|| "null".to_owned(), |dim| dim.to_string());
    shape.dims().map_or_else(|| "null".to_owned(), |dims| list(dims.iter().map(extent)))
}

/// The bytes in hexadecimal digits.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    text(&digits)
}

/// An attr's value; null for one that JSON has no form of.
pub(super) fn attr(value: &AttrValue) -> String {
    let bool = |value: &bool| value.to_string();
    let string = |value: &Vec<u8>| text(&String::from_utf8_lossy(value));
    match value {
        AttrValue::String(v) => string(v),
        AttrValue::Int(v) => v.to_string(),
        AttrValue::Float(v) => float(*v),
        AttrValue::Bool(v) => bool(v),
        AttrValue::Type(v) => dtype(*v),
        AttrValue::Shape(v) => shape(v),
        AttrValue::Strings(v) => list(v.iter().map(string)),
        AttrValue::Ints(v) => list(v.iter().map(ToString::to_string)),
        AttrValue::Floats(v) => list(v.iter().map(|v| float(*v))),
        AttrValue::Bools(v) => list(v.iter().map(bool)),
        AttrValue::Types(v) => list(v.iter().map(|v| dtype(*v))),
        AttrValue::Shapes(v) => list(v.iter().map(shape)),
        AttrValue::EmptyList => "[]".to_owned(),
        _ => "null".to_owned(),
    }
}

/// A number as Python reads it.
fn float(value: f32) -> String {
    match value {
        v if v.is_nan() => "NaN".to_owned(),
        v if v.is_infinite() => (if v > 0.0 { "Infinity" } else { "-Infinity" }).to_owned(),
        v => format!("{:?}", f64::from(v)),
    }
}

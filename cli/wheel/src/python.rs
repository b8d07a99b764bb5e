//! Texts in Python: names, literals, docstrings.

use oplink_spec::{AttrValue, DType, ListValue, ShapeValue};

use crate::host::Host;

/// Words that are no names in Python.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Whether a name is a word of the language.
pub(crate) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// A name as Python takes it.
pub(crate) fn identifier(name: &str) -> String {
    if is_keyword(name) { format!("{name}_") } else { name.to_owned() }
}

/// A text in quotes.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A tuple of expressions.
pub(crate) fn tuple(items: &[String]) -> String {
    match items {
        [one] => format!("({one},)"),
        _ => format!("({})", items.join(", ")),
    }
}

/// A docstring with its quotes; lines after the first are indented.
pub(crate) fn docstring(text: &str, indent: &str) -> String {
    let escaped = text.trim().replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    let mut lines = escaped.lines().map(str::trim_end);
    let mut out = format!("\"\"\"{}", lines.next().unwrap_or_default());
    let mut several = false;
    for line in lines {
        several = true;
        out.push('\n');
        if !line.is_empty() {
            out.extend([indent, line]);
        }
    }
    if several {
        out.extend(["\n", indent]);
    } else if out.ends_with('"') && out.len() > 3 {
        out.insert(out.len() - 1, '\\');
    }
    out + "\"\"\""
}

/// The name of a dtype in NumPy, where it has one, and in op declarations otherwise.
pub(crate) fn dtype_name(dtype: DType) -> &'static str {
    match dtype.name() {
        "half" => "float16",
        "float" => "float32",
        "double" => "float64",
        name => name,
    }
}

/// A value as an expression of a host's module; `None` for one that has no literal there.
pub(crate) fn literal(value: &AttrValue, host: Host) -> Option<String> {
    match value {
        AttrValue::String(bytes) => text(bytes),
        AttrValue::Int(number) => Some(number.to_string()),
        AttrValue::Float(number) => Some(float(*number)),
        AttrValue::Bool(value) => Some(bool(*value)),
        AttrValue::Type(dtype) => type_literal(*dtype, host),
        AttrValue::Shape(shape) => shape_literal(shape),
        AttrValue::List(list) => list_literal(list, host),
        AttrValue::Tensor(_) | AttrValue::Func(_) | AttrValue::Placeholder(_) => None,
    }
}

fn list_literal(list: &ListValue, host: Host) -> Option<String> {
    if !list.tensors.is_empty() || !list.funcs.is_empty() {
        return None;
    }
    let strings = list.strings.iter().map(|bytes| text(bytes));
    let ints = list.ints.iter().map(|number| Some(number.to_string()));
    let floats = list.floats.iter().map(|number| Some(float(*number)));
    let bools = list.bools.iter().map(|value| Some(bool(*value)));
    let types = list.types.iter().map(|dtype| type_literal(*dtype, host));
    let shapes = list.shapes.iter().map(shape_literal);
    let items = strings.chain(ints).chain(floats).chain(bools).chain(types).chain(shapes);
    items.collect::<Option<Vec<_>>>().map(|items| tuple(&items))
}

fn text(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).ok().map(string)
}

/// The shortest number that is read as the same `float`.
fn float(number: f32) -> String {
    if number.is_finite() { format!("{number:?}") } else { format!("float(\"{number}\")").to_lowercase() }
}

fn bool(value: bool) -> String {
    (if value { "True" } else { "False" }).to_owned()
}

/// PyTorch takes no names of dtypes, and has not all of them.
fn type_literal(dtype: DType, host: Host) -> Option<String> {
    let name = dtype_name(dtype);
    match host {
        Host::PyTorch => {
            let is_known = dtype.is_integer() || dtype.is_complex() || dtype == DType::Bool || dtype.is_floating();
            let has_number = dtype.size().is_some() && !dtype.is_quantized() && name != "float8_e4m3b11fnuz";
            let is_small = matches!(name, "int2" | "int4" | "uint2" | "uint4" | "float4_e2m1fn");
            (is_known && has_number && !is_small).then(|| format!("torch.{name}"))
        }
        _ => Some(string(name)),
    }
}

/// Extents, of which `None` is open. A shape of unknown rank has no literal: `None` stands for the default.
fn shape_literal(shape: &ShapeValue) -> Option<String> {
    let extent = |dim: &i64| if *dim < 0 { "None".to_owned() } else { dim.to_string() };
    shape.as_ref().map(|dims| tuple(&dims.iter().map(extent).collect::<Vec<_>>()))
}

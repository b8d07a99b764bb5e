//! Functions as texts for readers.

use std::fmt::Write as _;

use oplink_api::DType;
use oplink_proto::attr_value::{ListValue, Value};
use oplink_proto::op_def::ArgDef;
use oplink_proto::{AttrValue, FunctionDef, NameAttrList, NodeDef, TensorShapeProto};

/// Bytes of a string attr that are shown.
const SHOWN_BYTES: usize = 80;

/// The signature and the nodes of a function, a line each, under an empty line.
#[must_use]
pub fn function_text(function: &FunctionDef) -> String {
    let signature = function.signature.clone().unwrap_or_default();
    let attrs: Vec<String> = signature.attr.iter().map(|attr| format!("{}:{}", attr.name, attr.r#type)).collect();
    let attrs = if attrs.is_empty() { String::new() } else { format!("[{}]", attrs.join(", ")) };
    let (inputs, outputs) = (args(&signature.input_arg), args(&signature.output_arg));
    let mut text = format!("\n{}{attrs}({inputs}) -> ({outputs}) {{\n", signature.name);
    for node in &function.node_def {
        let _ = writeln!(text, "  {}", node_text(node));
    }
    for (name, node) in &function.control_ret {
        let _ = writeln!(text, "  @return {name} = {node}");
    }
    for (name, value) in &function.ret {
        let _ = writeln!(text, "  return {name} = {value}");
    }
    text + "}\n"
}

fn args(args: &[ArgDef]) -> String {
    let text = |arg: &ArgDef| {
        let of_type = if arg.type_attr.is_empty() { dtype(arg.r#type) } else { arg.type_attr.clone() };
        let of_type = if arg.is_ref { format!("Ref({of_type})") } else { of_type };
        let many = if arg.number_attr.is_empty() { String::new() } else { format!("{}*", arg.number_attr) };
        let of_type = if arg.type_list_attr.is_empty() { of_type } else { arg.type_list_attr.clone() };
        format!("{}:{many}{of_type}", arg.name)
    };
    args.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn node_text(node: &NodeDef) -> String {
    let attrs: Vec<String> = node.attr.iter().map(|(name, value)| format!("{name}={}", attr(value))).collect();
    let attrs = if attrs.is_empty() { String::new() } else { format!("[{}]", attrs.join(", ")) };
    let (control, data): (Vec<&str>, Vec<&str>) =
        node.input.iter().map(String::as_str).partition(|input| input.starts_with('^'));
    let control: Vec<&str> = control.iter().map(|input| &input[1..]).collect();
    let after = if control.is_empty() { String::new() } else { format!(" @ {}", control.join(", ")) };
    format!("{} = {}{attrs}({}){after}", node.name, node.op, data.join(", "))
}

fn dtype(number: i32) -> String {
    DType::from_number(number).map_or_else(|| format!("unknown dtype {number}"), |dtype| dtype.to_string())
}

fn shape(shape: &TensorShapeProto) -> String {
    if shape.unknown_rank {
        return "<unknown>".to_owned();
    }
    let dim = |size: i64| if size < 0 { "?".to_owned() } else { size.to_string() };
    format!("[{}]", shape.dim.iter().map(|d| dim(d.size)).collect::<Vec<_>>().join(","))
}

fn string(bytes: &[u8]) -> String {
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN_BYTES)]).escape_debug().to_string();
    format!("\"{shown}{}\"", if bytes.len() > SHOWN_BYTES { "..." } else { "" })
}

fn function(function: &NameAttrList) -> String {
    let attrs: Vec<String> = function.attr.iter().map(|(name, value)| format!("{name}={}", attr(value))).collect();
    format!("{}[{}]", function.name, attrs.join(", "))
}

fn attr(value: &AttrValue) -> String {
    match &value.value {
        None => "<unset>".to_owned(),
        Some(Value::S(bytes)) => string(bytes),
        Some(Value::I(number)) => number.to_string(),
        Some(Value::F(number)) => number.to_string(),
        Some(Value::B(truth)) => truth.to_string(),
        Some(Value::Type(number)) => dtype(*number),
        Some(Value::Shape(value)) => shape(value),
        Some(Value::Tensor(tensor)) => {
            let of = tensor.tensor_shape.as_ref().map_or_else(|| "<unknown>".to_owned(), shape);
            format!("<{} {of}>", dtype(tensor.dtype))
        }
        Some(Value::List(values)) => list(values),
        Some(Value::Func(value)) => function(value),
        Some(Value::Placeholder(name)) => format!("${name}"),
    }
}

fn list(list: &ListValue) -> String {
    let numbers = list.i.iter().map(ToString::to_string).chain(list.f.iter().map(ToString::to_string));
    let all = list.s.iter().map(|bytes| string(bytes)).chain(numbers).chain(list.b.iter().map(ToString::to_string));
    let all = all.chain(list.r#type.iter().map(|&number| dtype(number))).chain(list.shape.iter().map(shape));
    let all = all.chain(list.tensor.iter().map(|tensor| format!("<{}>", dtype(tensor.dtype))));
    let all: Vec<String> = all.chain(list.func.iter().map(function)).collect();
    format!("[{}]", all.join(", "))
}

//! Programs that show what was found.

use std::fmt::Write as _;
use std::path::Path;

use oplink_api::{AttrValue, DType, FuncAttr, PartialShape, TString, Tensor};

use crate::report::Finding;
use crate::values::doubles;

/// Elements that a program writes out; of larger tensors it has the first, over and over.
const WRITTEN: usize = 256;

/// A program that runs the call of a finding and prints its outputs.
pub(crate) fn program(finding: &Finding, plugins: &[&Path]) -> String {
    let call = &finding.call;
    let mut text = format!("//! {}, {}: {}\n\n", call.op, finding.check, finding.message.replace('\n', "\n//! "));
    text.push_str("use oplink::graph::eager::EagerContext;\nuse oplink::prelude::*;\n\nfn main() -> Result<()> {\n");
    for plugin in plugins {
        writeln!(text, "    oplink::Runtime::load_plugin({:?})?;", plugin.display().to_string()).unwrap_or_default();
    }
    for (at, input) in call.inputs.iter().enumerate() {
        writeln!(text, "    let input_{at} = {};", tensor(input)).unwrap_or_default();
    }
    let inputs: Vec<String> = (0..call.inputs.len()).map(|at| format!("&input_{at}")).collect();
    let attrs = call.attrs.iter().map(|(name, value)| format!("(\"{name}\", {})", attr(value)));
    let attrs: Vec<String> = attrs.collect();
    writeln!(text, "    let attrs = [{}];", attrs.join(", ")).unwrap_or_default();
    let inputs = inputs.join(", ");
    writeln!(text, "    let outputs = EagerContext::global()?.call(\"{}\", &[{inputs}], &attrs)?;", call.op)
        .unwrap_or_default();
    text.push_str("    println!(\"{:?}\", outputs.values);\n    Ok(())\n}\n");
    text
}

/// A tensor as an expression.
fn tensor(tensor: &Tensor) -> String {
    let dims: Vec<String> = tensor.shape().iter().map(ToString::to_string).collect();
    let shape = if dims.is_empty() { "Shape::scalar()".to_owned() } else { format!("[{}]", dims.join(", ")) };
    let Some(elements) = elements(tensor) else {
        let bytes = tensor.as_bytes().unwrap_or_default();
        return format!("Tensor::from_bytes(DType::{:?}, {shape}, &{bytes:?})?", tensor.dtype());
    };
    match elements.len() <= WRITTEN {
        true => format!("Tensor::from_vec({shape}, vec![{}])?", elements.join(", ")),
        false => format!(
            "Tensor::from_vec({shape}, [{}].into_iter().cycle().take({}).collect())?",
            elements[..WRITTEN].join(", "),
            elements.len()
        ),
    }
}

/// The elements as expressions.
fn elements(tensor: &Tensor) -> Option<Vec<String>> {
    let numbers = |suffix: &'static str| -> Option<Vec<String>> {
        Some(doubles(tensor)?.into_iter().map(|number| literal(number, suffix)).collect())
    };
    let texts = |tensor: &Tensor| -> Option<Vec<String>> {
        let text = |text: &TString| format!("TString::new(b\"{}\")", text.as_bytes().escape_ascii());
        Some(tensor.as_slice::<TString>().ok()?.iter().map(text).collect())
    };
    match tensor.dtype() {
        DType::Float => numbers("f32"),
        DType::Double => numbers("f64"),
        DType::Half => Some(numbers("f32")?.iter().map(|number| format!("f16::from_f32({number})")).collect()),
        DType::BFloat16 => Some(numbers("f32")?.iter().map(|number| format!("bf16::from_f32({number})")).collect()),
        DType::Int8 => whole::<i8>(tensor, "i8"),
        DType::Int16 => whole::<i16>(tensor, "i16"),
        DType::Int32 => whole::<i32>(tensor, "i32"),
        DType::Int64 => whole::<i64>(tensor, "i64"),
        DType::UInt8 => whole::<u8>(tensor, "u8"),
        DType::UInt16 => whole::<u16>(tensor, "u16"),
        DType::UInt32 => whole::<u32>(tensor, "u32"),
        DType::UInt64 => whole::<u64>(tensor, "u64"),
        DType::Bool => Some(tensor.as_slice::<bool>().ok()?.iter().map(ToString::to_string).collect()),
        DType::String => texts(tensor),
        _ => None,
    }
}

fn whole<T: oplink_api::Element + ToString>(tensor: &Tensor, suffix: &str) -> Option<Vec<String>> {
    Some(tensor.as_slice::<T>().ok()?.iter().map(|number| format!("{}_{suffix}", number.to_string())).collect())
}

fn literal(number: f64, suffix: &str) -> String {
    match number {
        number if number.is_nan() => format!("{suffix}::NAN"),
        f64::INFINITY => format!("{suffix}::INFINITY"),
        f64::NEG_INFINITY => format!("{suffix}::NEG_INFINITY"),
        number => format!("{number:?}_{suffix}"),
    }
}

/// An attr's value as an expression.
fn attr(value: &AttrValue) -> String {
    let text = |bytes: &[u8]| format!("b\"{}\".to_vec()", bytes.escape_ascii());
    match value {
        AttrValue::String(bytes) => format!("AttrValue::String({})", text(bytes)),
        AttrValue::Int(number) => format!("AttrValue::Int({number})"),
        AttrValue::Float(number) => format!("AttrValue::Float({})", literal(f64::from(*number), "f32")),
        AttrValue::Bool(is) => format!("AttrValue::Bool({is})"),
        AttrValue::Type(dtype) => format!("AttrValue::Type(DType::{dtype:?})"),
        AttrValue::Ints(numbers) => format!("AttrValue::Ints(vec!{numbers:?})"),
        AttrValue::Floats(numbers) => {
            let all: Vec<String> = numbers.iter().map(|&number| literal(f64::from(number), "f32")).collect();
            format!("AttrValue::Floats(vec![{}])", all.join(", "))
        }
        AttrValue::Bools(all) => format!("AttrValue::Bools(vec!{all:?})"),
        AttrValue::Strings(all) => {
            let all: Vec<String> = all.iter().map(|bytes| text(bytes)).collect();
            format!("AttrValue::Strings(vec![{}])", all.join(", "))
        }
        AttrValue::Types(dtypes) => {
            let all: Vec<String> = dtypes.iter().map(|dtype| format!("DType::{dtype:?}")).collect();
            format!("AttrValue::Types(vec![{}])", all.join(", "))
        }
        AttrValue::Shape(of) => format!("AttrValue::Shape({})", shape(of)),
        AttrValue::Shapes(all) => {
            let all: Vec<String> = all.iter().map(shape).collect();
            format!("AttrValue::Shapes(vec![{}])", all.join(", "))
        }
        AttrValue::Tensor(value) => format!("AttrValue::Tensor({})", tensor(value)),
        AttrValue::Tensors(all) => {
            let all: Vec<String> = all.iter().map(tensor).collect();
            format!("AttrValue::Tensors(vec![{}])", all.join(", "))
        }
        AttrValue::Func(of) => format!("AttrValue::Func({})", function(of)),
        AttrValue::Funcs(all) => {
            let all: Vec<String> = all.iter().map(function).collect();
            format!("AttrValue::Funcs(vec![{}])", all.join(", "))
        }
        AttrValue::EmptyList => "AttrValue::EmptyList".to_owned(),
        AttrValue::Placeholder(name) => format!("AttrValue::Placeholder({name:?}.to_owned())"),
    }
}

fn shape(shape: &PartialShape) -> String {
    match shape.to_i64() {
        Some(extents) => format!("PartialShape::from_i64(Some(&{extents:?}))?"),
        None => "PartialShape::unknown()".to_owned(),
    }
}

fn function(function: &FuncAttr) -> String {
    format!("FuncAttr {{ name: {:?}.to_owned(), ..FuncAttr::default() }}", function.name)
}

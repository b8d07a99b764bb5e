//! Drawn calls with what the kernel gives, as a file: what other hosts of the same kernel are held against.
//!
//! The file has a line a call, each an object of JSON: `op`, `repeatable` (whether equal calls give equal outputs),
//! `attrs` by name, `lengths` (tensors that each declared input covers), `inputs` and `outputs`. A tensor has `dtype`,
//! `shape`, and `data`: its bytes in hexadecimal digits, or of strings a list of such texts.

use std::fmt::Write;

use oplink_api::descriptors::OpFact;
use oplink_api::{AttrValue, DType, PartialShape, Result, TString, Tensor, bail};
use oplink_core::Registry;

use crate::OpCall;
use crate::op_check::OpCheck;
use crate::runner::Runner;
use crate::samples::samples;

/// A call with what the kernel gave.
#[derive(Clone, Debug)]
pub struct Record {
    /// The call.
    pub call: OpCall,
    /// Its outputs.
    pub outputs: Vec<Tensor>,
    /// Whether equal calls give equal outputs.
    pub is_repeatable: bool,
    /// How many tensors each declared input covers.
    lengths: Vec<usize>,
    /// The attrs that no input tells.
    given: Vec<(String, AttrValue)>,
}

impl OpCheck {
    /// The calls that the checks would look at, with what the kernel gives.
    ///
    /// # Errors
    /// The op is not declared, no host is linked, or no call that was drawn is taken.
    pub fn record(&self) -> Result<Vec<Record>> {
        let registry = Registry::global()?;
        let entry = registry.op(&self.op)?;
        let runner = Runner::new(registry.clone())?;
        let found = samples(&runner, entry, &self.given, self.drawn, self.seed);
        if let Some(reason) = found.reason {
            bail!("{}: {reason}", self.op);
        }
        let is_repeatable = !entry.spec.flags.stateful && !entry.facts.contains(&OpFact::Random);
        let mut records = Vec::new();
        for call in found.calls.into_iter().chain(found.retyped) {
            let node = runner.node(&call)?;
            let lengths = node.input_ranges.iter().map(ExactSizeIterator::len).collect();
            let outputs = runner.try_drawn(&call)?;
            let is_given = |name: &str| !entry.spec.is_inferred(name);
            let given = call.attrs.iter().filter(|(name, _)| is_given(name)).cloned().collect();
            records.push(Record { call, outputs, is_repeatable, lengths, given });
        }
        Ok(records)
    }
}

impl Record {
    /// The line of the file; `None` where an attr or a tensor has no form there.
    pub fn line(&self) -> Option<String> {
        let attrs = self.given.iter().map(|(name, value)| Some(format!("{}:{}", text(name), attr(value)?)));
        let attrs = attrs.collect::<Option<Vec<_>>>()?.join(",");
        let lengths: Vec<String> = self.lengths.iter().map(ToString::to_string).collect();
        Some(format!(
            r#"{{"op":{},"repeatable":{},"attrs":{{{attrs}}},"lengths":[{}],"inputs":{},"outputs":{}}}"#,
            text(&self.call.op),
            self.is_repeatable,
            lengths.join(","),
            tensors(&self.call.inputs)?,
            tensors(&self.outputs)?,
        ))
    }
}

fn tensors(tensors: &[Tensor]) -> Option<String> {
    let one = |tensor: &Tensor| {
        let extents: Vec<String> = tensor.shape().iter().map(ToString::to_string).collect();
        let data = match tensor.dtype() {
            DType::String => {
                let texts =
                    tensor.as_slice::<TString>().ok()?.iter().map(|text| format!("\"{}\"", hex(text.as_bytes())));
                format!("[{}]", texts.collect::<Vec<_>>().join(","))
            }
            _ => format!("\"{}\"", hex(tensor.as_bytes().ok()?)),
        };
        let dtype = tensor.dtype().name();
        Some(format!(r#"{{"dtype":"{dtype}","shape":[{}],"data":{data}}}"#, extents.join(",")))
    };
    Some(format!("[{}]", tensors.iter().map(one).collect::<Option<Vec<_>>>()?.join(",")))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// An attr's value; `None` for a tensor, a function and what is no text.
fn attr(value: &AttrValue) -> Option<String> {
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    let string = |value: &Vec<u8>| std::str::from_utf8(value).ok().map(text);
    let dtype = |value: &DType| text(value.name());
    Some(match value {
        AttrValue::String(v) => string(v)?,
        AttrValue::Int(v) => v.to_string(),
        AttrValue::Float(v) => float(*v)?,
        AttrValue::Bool(v) => v.to_string(),
        AttrValue::Type(v) => dtype(v),
        AttrValue::Shape(v) => shape(v),
        AttrValue::Strings(v) => list(v.iter().map(string).collect::<Option<_>>()?),
        AttrValue::Ints(v) => list(v.iter().map(ToString::to_string).collect()),
        AttrValue::Floats(v) => list(v.iter().map(|v| float(*v)).collect::<Option<_>>()?),
        AttrValue::Bools(v) => list(v.iter().map(ToString::to_string).collect()),
        AttrValue::Types(v) => list(v.iter().map(dtype).collect()),
        AttrValue::Shapes(v) => list(v.iter().map(shape).collect()),
        AttrValue::EmptyList => "[]".to_owned(),
        _ => return None,
    })
}

fn shape(value: &PartialShape) -> String {
    let extent = |dim: &Option<usize>| dim.map_or_else(|| "null".to_owned(), |dim| dim.to_string());
    let dims = value.dims().map(|dims| dims.iter().map(extent).collect::<Vec<_>>().join(","));
    dims.map_or_else(|| "null".to_owned(), |dims| format!("[{dims}]"))
}

fn float(value: f32) -> Option<String> {
    value.is_finite().then(|| format!("{:?}", f64::from(value)))
}

fn text(value: &str) -> String {
    let mut out = String::from('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

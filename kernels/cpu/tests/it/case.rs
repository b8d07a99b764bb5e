//! Cases that TensorFlow computed, as the scripts in `../oracle` write them, and how far a result may be from theirs.
//!
//! A line is a case: `op|attrs|inputs|outputs|tolerance`. An attr is `name=kind:value`, a tensor is
//! `dtype[shape]:values`; both are separated by `;`. `!Code` in place of outputs is an error. The tolerance is in units
//! of the dtype's epsilon, relative to the largest finite magnitude of the output, or with `each:` before it to that of
//! each number. Quantized values and 8-bit floats are the integers that hold them. In a string `%` and two hexadecimal
//! digits stand for a byte, and quotes around it are left out.

use std::fmt::Debug;
use std::str::FromStr;

use oplink::element::{Float8E4M3FN, Float8E5M2, Int4, QInt8, QInt16, QInt32, QUInt8, QUInt16, UInt4};
use oplink::prelude::*;
use oplink_cpu_support::testing::{as_doubles, epsilon};

/// A line.
pub(crate) struct Case<'a> {
    pub(crate) op: &'a str,
    pub(crate) attrs: Vec<(&'a str, AttrValue)>,
    pub(crate) inputs: Vec<Tensor>,
    /// The outputs, or the name of the error's code.
    pub(crate) expected: Result<Vec<Tensor>, &'a str>,
    pub(crate) tolerance: Tolerance,
}

/// How far an element may be from the expected one.
#[derive(Clone, Copy)]
pub(crate) struct Tolerance {
    /// In units of the dtype's epsilon.
    pub(crate) epsilons: f64,
    /// Relative to each number; else to the largest.
    pub(crate) each: bool,
}

impl<'a> Case<'a> {
    /// Reads a line.
    ///
    /// # Panics
    /// Where it is none.
    pub(crate) fn read(line: &'a str) -> Self {
        let [op, attrs, inputs, outputs, tolerance] = line.split('|').collect::<Vec<_>>()[..] else { panic!("{line}") };
        Self {
            op,
            attrs: texts(attrs).map(attr).collect(),
            inputs: tensors(inputs),
            expected: outputs.strip_prefix('!').map_or_else(|| Ok(tensors(outputs)), Err),
            tolerance: Tolerance::read(tolerance),
        }
    }

    /// Whether a run gave what is expected.
    pub(crate) fn check(&self, actual: oplink::Result<Vec<Tensor>>) -> Result<(), String> {
        let expected = match (&self.expected, &actual) {
            (Err(code), Err(error)) if format!("{:?}", error.code()) == *code => return Ok(()),
            (Err(code), other) => return Err(format!("expected {code}, got {other:?}")),
            (Ok(expected), _) => expected,
        };
        let actual = actual.map_err(|error| format!("{error:?}"))?;
        if actual.len() != expected.len() {
            return Err(format!("got {} outputs for {}", actual.len(), expected.len()));
        }
        actual.iter().zip(expected).try_for_each(|(actual, expected)| compare(actual, expected, self.tolerance))
    }
}

impl Tolerance {
    pub(crate) fn read(text: &str) -> Self {
        let (each, epsilons) = text.strip_prefix("each:").map_or((false, text), |text| (true, text));
        // Programs leave it out where an op has no outputs.
        let epsilons = if epsilons.is_empty() { 0.0 } else { number(epsilons) };
        Self { epsilons, each }
    }
}

pub(crate) fn texts(list: &str) -> impl Iterator<Item = &str> {
    list.split(';').filter(|text| !text.is_empty())
}

pub(crate) fn tensors(list: &str) -> Vec<Tensor> {
    texts(list).map(tensor).collect()
}

pub(crate) fn attr(text: &str) -> (&str, AttrValue) {
    let (name, value) = text.split_once('=').unwrap();
    let (kind, value) = value.split_once(':').unwrap();
    let value = match kind {
        "bool" => (value == "1").into(),
        "int" => value.parse::<i64>().unwrap().into(),
        "float" => value.parse::<f32>().unwrap().into(),
        "string" => bytes(value).as_slice().into(),
        "strings" => value.split(',').filter(|v| !v.is_empty()).map(bytes).collect::<Vec<_>>().as_slice().into(),
        "type" => dtype(value).into(),
        "tensor" => tensor(value).into(),
        "types" => value.split(',').map(dtype).collect::<Vec<_>>().into(),
        "shape" => shape(value).into(),
        "shapes" => value.split('/').map(shape).collect::<Vec<_>>().as_slice().into(),
        "floats" => value.split(',').filter(|v| !v.is_empty()).map(number::<f32>).collect::<Vec<_>>().as_slice().into(),
        "ints" => value.split(',').filter(|v| !v.is_empty()).map(|v| v.parse().unwrap()).collect::<Vec<i64>>().into(),
        _ => panic!("attr kind {kind}"),
    };
    (name, value)
}

/// `?` is an unknown extent, `*` an unknown rank.
pub(crate) fn shape(text: &str) -> PartialShape {
    match text {
        "*" => PartialShape::unknown(),
        dims => dims.split(',').filter(|dim| !dim.is_empty()).map(|dim| dim.parse().ok()).collect(),
    }
}

pub(crate) fn dtype(name: &str) -> DType {
    match name {
        "float32" => DType::Float,
        "float64" => DType::Double,
        "float16" => DType::Half,
        name => DType::parse(name).unwrap_or_else(|| panic!("dtype {name}")),
    }
}

pub(crate) fn tensor(text: &str) -> Tensor {
    let (head, values) = text.split_once(':').unwrap();
    let (name, shape) = head.strip_suffix(']').unwrap().split_once('[').unwrap();
    let shape: Shape = shape.split(',').filter(|d| !d.is_empty()).map(|d| d.parse::<usize>().unwrap()).collect();
    match dtype(name) {
        DType::Float => read(shape, values, |v| number::<f64>(v) as f32),
        DType::Double => read(shape, values, number::<f64>),
        DType::Half => read(shape, values, |v| f16::from_f64(number(v))),
        DType::BFloat16 => read(shape, values, |v| bf16::from_f64(number(v))),
        DType::Int8 => read(shape, values, number::<i8>),
        DType::Int16 => read(shape, values, number::<i16>),
        DType::Int32 => read(shape, values, number::<i32>),
        DType::Int64 => read(shape, values, number::<i64>),
        DType::UInt8 => read(shape, values, number::<u8>),
        DType::UInt16 => read(shape, values, number::<u16>),
        DType::UInt32 => read(shape, values, number::<u32>),
        DType::UInt64 => read(shape, values, number::<u64>),
        DType::Bool => read(shape, values, |v| v == "1"),
        DType::String => read(shape, values, |v| TString::new(bytes(v))),
        DType::Complex64 => read(shape, values, complex::<f32>),
        DType::Complex128 => read(shape, values, complex::<f64>),
        DType::QInt8 => read(shape, values, |v| QInt8(number(v))),
        DType::QUInt8 => read(shape, values, |v| QUInt8(number(v))),
        DType::QInt16 => read(shape, values, |v| QInt16(number(v))),
        DType::QUInt16 => read(shape, values, |v| QUInt16(number(v))),
        DType::QInt32 => read(shape, values, |v| QInt32(number(v))),
        DType::Float8E5M2 => read(shape, values, |v| Float8E5M2(number(v))),
        DType::Float8E4M3FN => read(shape, values, |v| Float8E4M3FN(number(v))),
        DType::Int4 => read(shape, values, |v| Int4(number(v))),
        DType::UInt4 => read(shape, values, |v| UInt4(number(v))),
        other => panic!("dtype {other}"),
    }
}

/// The bytes that a string is written as.
fn bytes(text: &str) -> Vec<u8> {
    let mut parts = text.trim_matches('\'').split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

fn read<T: Element>(shape: Shape, values: &str, parse: impl Fn(&str) -> T) -> Tensor {
    let values = values.split(' ').filter(|v| !v.is_empty()).map(parse).collect();
    Tensor::from_vec(shape, values).unwrap()
}

pub(crate) fn number<T: FromStr<Err: Debug>>(text: &str) -> T {
    text.parse().unwrap()
}

fn complex<T: FromStr<Err: Debug>>(text: &str) -> Complex<T> {
    let (re, im) = text.split_once(',').unwrap();
    Complex { re: number(re), im: number(im) }
}

/// Fails unless both are equal, floats within the tolerance.
pub(crate) fn compare(actual: &Tensor, expected: &Tensor, tolerance: Tolerance) -> Result<(), String> {
    let difference = || format!("got {actual:?}\n    for {expected:?}");
    if (actual.dtype(), actual.shape()) != (expected.dtype(), expected.shape()) {
        return Err(difference());
    }
    let (Ok(values), Ok(wanted)) = (as_doubles(actual), as_doubles(expected)) else {
        let same = AttrValue::Tensor(actual.clone()) == AttrValue::Tensor(expected.clone());
        return if same { Ok(()) } else { Err(difference()) };
    };
    // The parts of a complex number have one magnitude.
    let group = if tolerance.each { values.len() / actual.num_elements().max(1) } else { values.len() }.max(1);
    for (at, (values, wanted)) in values.chunks(group).zip(wanted.chunks(group)).enumerate() {
        let largest = wanted.iter().filter(|v| v.is_finite()).fold(0f64, |a, v| a.max(v.abs()));
        let allowed = largest * epsilon(actual.dtype()) * tolerance.epsilons;
        let close = |(a, e): (&f64, &f64)| a == e || (a.is_nan() && e.is_nan()) || (a - e).abs() <= allowed;
        if !values.iter().zip(wanted).all(close) {
            return Err(format!("at {}: {values:?} for {wanted:?}\n    {}", at * group, difference()));
        }
    }
    Ok(())
}

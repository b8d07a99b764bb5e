//! The elements of a tensor as text for people, as TensorFlow prints them.

use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;

use super::printf::{Notation, digits};

/// How elements are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// `Print`: the first elements in one line, strings bare, brackets around the axes but the first.
    Line,
    /// `StringFormat`: the first and the last elements of each axis, strings quoted, brackets around every axis.
    Array,
}

/// At most `limit` elements (of each end of each axis with [`Layout::Array`]), all where it is negative. Bools without
/// elements have no brackets with [`Layout::Array`].
pub(super) fn summarize(tensor: &Tensor, limit: i64, layout: Layout) -> Vec<u8> {
    let count = tensor.num_elements();
    if count == 0 && layout == Layout::Array && tensor.dtype() == DType::Bool {
        return Vec::new();
    }
    let limit = usize::try_from(limit).map_or(count, |limit| limit.min(count));
    let Some(element) = elements(tensor, layout) else { return unknown(count, limit, layout) };
    let mut printer = Printer { dims: tensor.shape().dims(), limit, element: &*element, out: Vec::new() };
    match (tensor.rank(), layout) {
        (0, _) => printer.scalar(),
        (_, Layout::Array) => printer.array(0, 0),
        (_, Layout::Line) => printer.line(0, &mut 0),
    }
    if layout == Layout::Line || tensor.rank() == 0 {
        printer.out.extend_from_slice(if count > limit { b"..." } else { b"" });
    }
    printer.out
}

/// Question marks, for dtypes that have no text.
fn unknown(count: usize, limit: usize, layout: Layout) -> Vec<u8> {
    // bounded: no more than the elements
    let marks = vec!["?"; limit].join(" ");
    let end = if limit < count { "..." } else { "" };
    match layout {
        Layout::Line => format!("{marks}{end}").into(),
        Layout::Array => format!("[{marks}{end}]").into(),
    }
}

type ElementText<'a> = Box<dyn Fn(usize) -> Vec<u8> + 'a>;

/// Writes the element at a position; `None` for dtypes without text.
fn elements(tensor: &Tensor, layout: Layout) -> Option<ElementText<'_>> {
    fn of<'a, T: Element>(tensor: &'a Tensor, text: impl Fn(&T) -> String + 'a) -> Option<ElementText<'a>> {
        let values = tensor.as_slice::<T>().ok()?;
        Some(Box::new(move |at| text(&values[at]).into()))
    }
    match tensor.dtype() {
        DType::Float => of(tensor, |&v| single(v)),
        DType::Double => of(tensor, |&v| double(v)),
        DType::Half => of(tensor, |v: &f16| single(v.to_f32())),
        DType::BFloat16 => of(tensor, |v: &bf16| single(v.to_f32())),
        DType::Int8 => of(tensor, i8::to_string),
        DType::Int16 => of(tensor, i16::to_string),
        DType::Int32 => of(tensor, i32::to_string),
        DType::Int64 => of(tensor, i64::to_string),
        DType::UInt8 => of(tensor, u8::to_string),
        DType::UInt16 => of(tensor, u16::to_string),
        DType::UInt32 => of(tensor, u32::to_string),
        DType::UInt64 => of(tensor, u64::to_string),
        DType::QInt8 => of(tensor, |v: &QInt8| v.0.to_string()),
        DType::QInt16 => of(tensor, |v: &QInt16| v.0.to_string()),
        DType::QInt32 => of(tensor, |v: &QInt32| v.0.to_string()),
        DType::QUInt8 => of(tensor, |v: &QUInt8| v.0.to_string()),
        DType::QUInt16 => of(tensor, |v: &QUInt16| v.0.to_string()),
        DType::Bool => of(tensor, |&v: &bool| u8::from(v).to_string()),
        DType::String => {
            let values = tensor.as_slice::<TString>().ok()?;
            Some(Box::new(move |at| match layout {
                Layout::Line => escaped(values[at].as_bytes(), |_| false),
                Layout::Array => [b"\"", &escaped(values[at].as_bytes(), |_| true)[..], b"\""].concat(),
            }))
        }
        _ => None,
    }
}

/// The fewest digits of 6 and 9 that read back as the number.
fn single(value: f32) -> String {
    let short = general(f64::from(value), 6);
    if short.parse() == Ok(value) || value.is_nan() { short } else { general(f64::from(value), 9) }
}

/// The fewest digits of 15 and 17 that read back as the number.
fn double(value: f64) -> String {
    let short = general(value, 15);
    if short.parse() == Ok(value) || value.is_nan() { short } else { general(value, 17) }
}

fn general(value: f64, precision: usize) -> String {
    let sign = if value.is_sign_negative() && !value.is_nan() { "-" } else { "" };
    match value.is_finite() {
        true => format!("{sign}{}", digits(value.abs(), precision, Notation::Shortest)),
        false if value.is_nan() => "nan".to_owned(),
        false => format!("{sign}inf"),
    }
}

/// Text with C's escapes for quotes, backslashes, control characters and what `is_plain` says of bytes of other
/// characters.
fn escaped(bytes: &[u8], is_plain: impl Fn(u8) -> bool) -> Vec<u8> {
    // bounded: as long as the text
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'"' | b'\'' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0..0x20 | 0x7F => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            _ if byte >= 0x80 && !is_plain(byte) => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out
}

struct Printer<'a> {
    dims: &'a [usize],
    limit: usize,
    element: &'a dyn Fn(usize) -> Vec<u8>,
    out: Vec<u8>,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn scalar(&mut self) {
        if self.limit > 0 {
            self.out.extend((self.element)(0));
        }
    }

    /// The elements from `index` on that lie along `axis` and those after it.
    fn array(&mut self, axis: usize, index: usize) {
        let Some(&extent) = self.dims.get(axis) else {
            self.out.extend((self.element)(index));
            return;
        };
        let step: usize = self.dims[axis + 1..].iter().product();
        self.push("[");
        for i in 0..self.limit.min(extent) {
            if i > 0 {
                self.space(axis);
            }
            self.array(axis + 1, index + i * step);
        }
        if extent > 2 * self.limit {
            self.space(axis);
            self.push("...");
        }
        for i in self.limit.max(extent.saturating_sub(self.limit))..extent {
            self.space(axis);
            self.array(axis + 1, index + i * step);
        }
        self.push("]");
    }

    /// What stands between neighbours along an axis: a space, or as many new lines as axes follow and an indent.
    fn space(&mut self, axis: usize) {
        let inner = self.dims.len() - axis - 1;
        // bounded: the rank
        let text = if inner == 0 { " ".to_owned() } else { "\n".repeat(inner) + &" ".repeat(axis + 1) };
        self.push(&text);
    }

    fn line(&mut self, axis: usize, index: &mut usize) {
        if *index >= self.limit {
            return;
        }
        let is_last = axis + 1 == self.dims.len();
        for i in 0..self.dims[axis] {
            let is_open = *index < self.limit;
            if is_last && !is_open {
                self.push(if axis == 0 { "" } else { "..." });
                return;
            }
            if is_last {
                self.push(if i > 0 { " " } else { "" });
                self.out.extend((self.element)(*index));
                *index += 1;
                continue;
            }
            self.push(if is_open { "[" } else { "" });
            self.line(axis + 1, index);
            self.push(if is_open || *index < self.limit { "]" } else { "" });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tensor: impl Into<Tensor>, limit: i64, layout: Layout) -> String {
        String::from_utf8(summarize(&tensor.into(), limit, layout)).unwrap()
    }

    #[test]
    fn numbers_read_back() {
        let singles = [0.1f32, 1.0 / 3.0, 1e10, 123_456_792.0, -0.0, 1_234_567.0, f32::NAN, f32::NEG_INFINITY];
        assert_eq!(text(singles, -1, Layout::Array), "[0.1 0.333333343 1e+10 123456792 -0 1234567 nan -inf]");
        assert_eq!(text([1e10f64, 0.1, 1.0 / 3.0], -1, Layout::Array), "[10000000000 0.1 0.33333333333333331]");
        assert_eq!(text([Complex::new(1f32, 2.0)], -1, Layout::Array), "[?]");
    }

    #[test]
    fn layouts() {
        let matrix = || Tensor::from_vec([7, 2], (0..14).collect::<Vec<i32>>()).unwrap();
        assert_eq!(text(matrix(), 1, Layout::Array), "[[0 1]\n ...\n [12 13]]");
        assert_eq!(text(matrix(), 3, Layout::Line), "[0 1][2...]...");
        assert_eq!(text(TString::from("a\"b\n\u{e9}"), 3, Layout::Array), "\"a\\\"b\\n\u{e9}\"");
        assert_eq!(text(TString::from("\u{e9}"), 3, Layout::Line), "\\303\\251");
    }
}

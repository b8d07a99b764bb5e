//! `StringToNumber`: numbers written as text.
//!
//! White space at both ends is ignored. Integers are decimal with an optional sign (unsigned ones take no `-`) and must
//! fit the dtype. Floating-point numbers are decimal, hexadecimal with a binary exponent, `inf`, `infinity` or `nan` in
//! letters of either case; beyond the range they become infinite. Anything else is an error.

use super::strings::{shown, trimmed, try_map};
use oplink::prelude::*;
use oplink_ops::string::StringToNumber;
use std::str::FromStr;

/// `StringToNumber` of every dtype.
#[kernel(StringToNumber, device = CPU, out_type = any)]
pub fn string_to_number_cpu(string_tensor: &Tensor, out_type: DType, env: Env<'_>) -> Result<Tensor> {
    match out_type {
        DType::Float => read(string_tensor, env, &float::<f32>),
        DType::Double => read(string_tensor, env, &float::<f64>),
        DType::Int32 => read(string_tensor, env, &integer::<i32>),
        DType::Int64 => read(string_tensor, env, &integer::<i64>),
        DType::UInt32 => read(string_tensor, env, &unsigned::<u32>),
        _ => read(string_tensor, env, &unsigned::<u64>),
    }
}

fn read<T: Element>(input: &Tensor, env: Env<'_>, parse: &dyn Fn(&str) -> Option<T>) -> Result<Tensor> {
    let dtype = T::DTYPE;
    try_map(input, env, &|bytes| {
        let text = std::str::from_utf8(trimmed(bytes)).ok();
        text.and_then(parse)
            .ok_or_else(|| Error::invalid_argument(format!("{} is no number of dtype {dtype}", shown(bytes))))
    })
}

pub(super) fn integer<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn unsigned<T: FromStr>(text: &str) -> Option<T> {
    if text.starts_with('-') { None } else { integer(text) }
}

/// A floating-point number, without white space around it.
pub(super) fn float<T: Hexadecimal>(text: &str) -> Option<T> {
    let (is_negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let lower = digits.to_ascii_lowercase();
    let value = match lower.as_str() {
        "inf" | "infinity" => T::infinity(),
        "nan" => T::nan(),
        _ if is_nan_with_payload(&lower) => T::nan(),
        _ => match lower.strip_prefix("0x") {
            Some(digits) => {
                hexadecimal_parts(digits).map(|(significand, exponent)| T::hexadecimal(significand, exponent))?
            }
            None => decimal(&lower)?,
        },
    };
    Some(if is_negative { -value } else { value })
}

/// A float whose dtype has the hexadecimal form.
pub(super) trait Hexadecimal: num_traits::Float + FromStr {
    /// The number of a significand and an exponent of 2.
    fn hexadecimal(significand: u64, exponent: i32) -> Self;
}

impl Hexadecimal for f32 {
    fn hexadecimal(significand: u64, exponent: i32) -> Self {
        hexadecimal_single(significand, exponent)
    }
}

impl Hexadecimal for f64 {
    fn hexadecimal(significand: u64, exponent: i32) -> Self {
        hexadecimal_double(significand, exponent)
    }
}

fn is_nan_with_payload(text: &str) -> bool {
    let payload = text.strip_prefix("nan(").and_then(|rest| rest.strip_suffix(')'));
    payload.is_some_and(|payload| payload.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// Digits with at most one point, and an exponent; without a sign.
fn decimal<T: FromStr>(text: &str) -> Option<T> {
    let (significand, exponent) = text.split_once('e').map_or((text, None), |(s, e)| (s, Some(e)));
    let exponent = exponent.map_or("0", |exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = significand.split_once('.').unwrap_or((significand, ""));
    let is_number = is_digits(whole)
        && is_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && is_digits(exponent)
        && !exponent.is_empty();
    if is_number { text.parse().ok() } else { None }
}

/// The significand of a hexadecimal number, with the last bit set where lower ones are left out, and its exponent of 2.
fn hexadecimal_parts(text: &str) -> Option<(u64, i32)> {
    let (digits, exponent) = match text.split_once('p') {
        Some((digits, exponent)) => (digits, binary_exponent(exponent)?),
        None => (text, 0),
    };
    let (mut significand, mut scale, mut seen, mut is_fraction) = (0u64, exponent, false, false);
    for digit in digits.chars() {
        if digit == '.' && !is_fraction {
            is_fraction = true;
            continue;
        }
        let value = u64::from(digit.to_digit(16)?);
        seen = true;
        if significand >> 59 == 0 {
            significand = significand << 4 | value;
            scale = scale.saturating_sub(if is_fraction { 4 } else { 0 });
        } else {
            significand |= u64::from(value != 0);
            scale = scale.saturating_add(if is_fraction { 0 } else { 4 });
        }
    }
    seen.then_some((significand, scale))
}

fn binary_exponent(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let limit = if text.starts_with('-') { i32::MIN / 2 } else { i32::MAX / 2 };
    is_number.then(|| text.parse().unwrap_or(limit))
}

fn hexadecimal_double(significand: u64, exponent: i32) -> f64 {
    libm::ldexp(significand as f64, exponent)
}

fn hexadecimal_single(significand: u64, exponent: i32) -> f32 {
    libm::ldexpf(significand as f32, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_error, check_with};

    #[test]
    fn numbers() {
        let doubles = ["1e3", " -.5", "0x1.8p1", "-Infinity", "nan(x_1)", "1e400", "0x10"].map(TString::from);
        let expected = [1000.0, -0.5, 3.0, f64::NEG_INFINITY, f64::NAN, f64::INFINITY, 16.0];
        check_with("StringToNumber", &[("out_type", DType::Double.into())], [doubles.into()], expected);
        check_with(
            "StringToNumber",
            &[],
            [["0x1.ffffffp0", "3.4028236e38"].map(TString::from).into()],
            [2.0, f32::INFINITY],
        );
        let integers = ["+1", " -007\t"].map(TString::from);
        check_with("StringToNumber", &[("out_type", DType::Int32.into())], [integers.into()], [1, -7]);
    }

    #[test]
    fn other_text_is_no_number() {
        for text in ["", " ", ".", "1e", "e5", "0x", "0x.", "0x1p", "--1", "+-1", "1_0", "infin", "nan(", "1\0", "1f"] {
            check_error("StringToNumber", [text.into()], "is no number of dtype float");
        }
        for text in ["2147483648", "1.5", "-", "0x10"] {
            assert_eq!(integer::<i32>(text), None);
        }
        assert_eq!(unsigned::<u32>("-0"), None);
    }
}

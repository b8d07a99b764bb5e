//! Floating-point numbers as decimal text.
//!
//! A `double` gets the fewest digits that read back to it; a `float` the fewest from six on that do. Both are written
//! with a point or an exponent, so that they read as floating-point numbers: TensorFlow's Python writes the same text.

/// The text of a `float`.
pub(super) fn float(value: f32) -> String {
    if !value.is_finite() {
        return double(value.into());
    }
    let reads_back = |digits: &usize| rounded(value, *digits) as f32 == value;
    let digits = (6..9).find(reads_back).unwrap_or(9);
    double(rounded(value, digits))
}

/// The text of a `double`.
pub(super) fn double(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value != 0.0 && value.is_finite() && !(1e-4..1e16).contains(&value.abs()) {
        return scientific(value);
    }
    match format!("{value}") {
        whole if whole.bytes().all(|b| b == b'-' || b.is_ascii_digit()) => whole + ".0",
        other => other,
    }
}

/// The number of so many significant digits nearest to the value.
fn rounded(value: f32, digits: usize) -> f64 {
    let text = format!("{:.*e}", digits - 1, f64::from(value));
    text.parse().unwrap_or(f64::from(value))
}

/// `1e-05`, `1.5e+20`: the exponent has a sign and at least two digits.
fn scientific(value: f64) -> String {
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

#[cfg(test)]
mod tests {
    use super::{double, float};

    #[test]
    fn floats_as_python_writes_them() {
        let cases = [
            (0.1_f32, "0.1"),
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e-5, "1e-05"),
            (1e20, "1e+20"),
            (16_777_216.0, "16777216.0"),
            (f32::MAX, "3.4028235e+38"),
            (f32::from_bits(1), "1.4013e-45"),
            (f32::INFINITY, "inf"),
            (f32::NEG_INFINITY, "-inf"),
            (f32::NAN, "nan"),
        ];
        for (value, text) in cases {
            assert_eq!(float(value), text);
        }
    }

    #[test]
    fn doubles_as_python_writes_them() {
        let cases = [
            (0.1, "0.1"),
            (0.0001, "0.0001"),
            (0.00001234, "1.234e-05"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (-2.5e-300, "-2.5e-300"),
            (f64::from_bits(1), "5e-324"),
        ];
        for (value, text) in cases {
            assert_eq!(double(value), text);
        }
    }
}

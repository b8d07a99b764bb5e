//! `UnicodeEncode`: strings of code points, the rows of a ragged matrix.
//!
//! `input_splits` says where rows start and end in the vector `input_values`: it starts with 0, does not decrease and
//! ends with the number of code points. What is no code point of Unicode, or is a surrogate, becomes `replacement_char`
//! (U+FFFD where that is one itself), is left out or is an error, as `errors` says. `output_encoding` is UTF-8,
//! UTF-16-BE or UTF-32-BE.

use super::unicode::OnError;
use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::string::{UnicodeEncode, UnicodeEncodeOutputEncoding, UnicodeErrors};

/// `UnicodeEncode` with row splits of int32 and int64.
#[kernel(UnicodeEncode, device = CPU, Tsplits = any)]
pub fn unicode_encode_cpu(
    input_values: &Tensor,
    input_splits: &Tensor,
    errors: UnicodeErrors,
    output_encoding: UnicodeEncodeOutputEncoding,
    replacement_char: i64,
) -> Result<Tensor> {
    let push = match output_encoding {
        UnicodeEncodeOutputEncoding::Utf8 => push_utf8,
        UnicodeEncodeOutputEncoding::Utf16Be => push_utf16,
        UnicodeEncodeOutputEncoding::Utf32Be => push_utf32,
    };
    let encoder = Encoder { on_error: OnError::new(errors, replacement_char)?.0, push };
    for (tensor, name) in [(input_values, "input_values"), (input_splits, "input_splits")] {
        ensure!(tensor.rank() == 1, "{name} must be a vector, its shape is {}", tensor.shape());
    }
    let (values, splits) = (input_values.as_slice::<i32>()?, int_values(input_splits)?);
    check_splits(&splits, values.len())?;
    let rows = splits.windows(2).map(|row| encoder.encode(&values[row[0] as usize..row[1] as usize]));
    Ok(rows.collect::<Result<Vec<TString>>>()?.into())
}

/// Writes code points in an encoding.
struct Encoder {
    on_error: OnError,
    push: fn(char, &mut Vec<u8>),
}

fn check_splits(splits: &[i64], count: usize) -> Result<()> {
    let (Some(&first), Some(&last)) = (splits.first(), splits.last()) else { bail!("input_splits must not be empty") };
    ensure!(first == 0, "input_splits must start with 0, they start with {first}");
    ensure!(last == count as i64, "input_splits must end with the number of values {count}, they end with {last}");
    ensure!(splits.is_sorted(), "input_splits must not decrease, they are {splits:?}");
    Ok(())
}

impl Encoder {
    fn encode(&self, values: &[i32]) -> Result<TString> {
        let mut bytes = try_vec(values.len())?;
        for &value in values {
            match (code_point(value), self.on_error) {
                (Some(c), _) => (self.push)(c, &mut bytes),
                (None, OnError::Replace(by)) => {
                    (self.push)(code_point(by).unwrap_or(char::REPLACEMENT_CHARACTER), &mut bytes);
                }
                (None, OnError::Ignore) => {}
                (None, OnError::Strict) => bail!("{value} is no code point of Unicode, or a surrogate"),
            }
        }
        Ok(TString::new(bytes))
    }
}

pub(super) fn code_point(value: i32) -> Option<char> {
    char::from_u32(u32::try_from(value).ok()?)
}

pub(super) fn push_utf8(c: char, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

pub(super) fn push_utf16(c: char, bytes: &mut Vec<u8>) {
    bytes.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes()));
}

pub(super) fn push_utf32(c: char, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&u32::from(c).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check_with, run};

    #[test]
    fn encodings() {
        let inputs = || [Tensor::from([97, 0x1F600]), Tensor::from([0i64, 1, 2])];
        let expected = |rows: [&[u8]; 2]| Tensor::from(rows.map(TString::new));
        let cases: [(&str, [&[u8]; 2]); 3] = [
            ("UTF-8", [b"a", b"\xF0\x9F\x98\x80"]),
            ("UTF-16-BE", [b"\0a", b"\xD8\x3D\xDE\0"]),
            ("UTF-32-BE", [b"\0\0\0a", b"\0\x01\xF6\0"]),
        ];
        for (encoding, rows) in cases {
            check_with("UnicodeEncode", &[("output_encoding", encoding.into())], inputs(), expected(rows));
        }
    }

    #[test]
    fn what_is_no_code_point() {
        let inputs = || vec![Tensor::from([-1, 0xD800, 98]), Tensor::from([0i64, 3])];
        let run = |errors: &str| {
            let attrs = [("output_encoding", "UTF-8".into()), ("errors", errors.into())];
            run("UnicodeEncode", &attrs, inputs())?.remove(0).to_scalar::<TString>()
        };
        assert_eq!(run("replace").unwrap(), "\u{fffd}\u{fffd}b".into());
        assert_eq!(run("ignore").unwrap(), "b".into());
        assert!(run("strict").is_err());
    }
}

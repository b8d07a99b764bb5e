//! `UnicodeDecode`: the code points of strings, as a ragged matrix with a row for each string.
//!
//! The outputs are the row splits, one more than strings, and the code points. A malformed sequence becomes
//! `replacement_char`, is left out or is an error, as `errors` says; with `replace_control_characters` so do the
//! control characters below 0x20, but for the error. `input_encoding` is UTF-8, UTF-16 or UTF-32 (with `-BE` or `-LE`,
//! or by byte order mark), US-ASCII or ISO-8859-1; others that TensorFlow takes from ICU are not implemented.

use super::unicode::{Encoding, OnError, decode};
use oplink::prelude::*;
use oplink_ops::string::{UnicodeDecode, UnicodeDecodeInputs, UnicodeDecodeOutputs};

/// `UnicodeDecode` with row splits of int32 and int64.
pub struct UnicodeDecodeCpu {
    encoding: Encoding,
    on_error: OnError,
    on_control: Option<OnError>,
}

#[kernel(UnicodeDecode, device = CPU, Tsplits = any)]
impl Kernel for UnicodeDecodeCpu {
    type Op = UnicodeDecode;

    fn new(construction: Construction<'_, UnicodeDecode>) -> Result<Self> {
        let attrs = construction.attrs;
        let (on_error, replacement) = OnError::new(attrs.errors, attrs.replacement_char)?;
        let replaced = match on_error {
            OnError::Ignore => OnError::Ignore,
            _ => OnError::Replace(replacement),
        };
        let encoding = Encoding::from_name(attrs.input_encoding)?;
        Ok(Self { encoding, on_error, on_control: attrs.replace_control_characters.then_some(replaced) })
    }

    fn compute(
        &self,
        inputs: UnicodeDecodeInputs<'_>,
        outputs: &mut UnicodeDecodeOutputs<'_>,
        _: Env<'_>,
    ) -> Result<()> {
        let (mut values, mut splits) = (Vec::new(), vec![0]);
        for string in inputs.input.as_slice::<TString>()? {
            self.decode(string.as_bytes(), &mut values)?;
            splits.push(values.len() as i64);
        }
        outputs.row_splits.set(match outputs.row_splits.dtype() {
            DType::Int32 => splits.iter().map(|&split| split as i32).collect::<Vec<_>>().into(),
            _ => splits.into(),
        });
        outputs.char_values.set(values.into());
        Ok(())
    }
}

impl UnicodeDecodeCpu {
    fn decode(&self, bytes: &[u8], values: &mut Vec<i32>) -> Result<()> {
        let mut is_well_formed = true;
        decode(self.encoding, bytes, &mut |c| {
            let problem = match c {
                Some('\0'..='\x1F') => self.on_control,
                Some(_) => None,
                None => Some(self.on_error),
            };
            match (problem, c) {
                (None, Some(c)) => values.push(u32::from(c) as i32),
                (Some(OnError::Replace(replacement)), _) => values.push(replacement),
                (Some(OnError::Strict), _) => is_well_formed = false,
                _ => {}
            }
        });
        ensure!(is_well_formed, "an input string is malformed: \"{}\"", bytes.escape_ascii());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn decoded(encoding: &str, errors: &str, bytes: &[u8]) -> Result<Vec<i32>> {
        let attrs = [("input_encoding", encoding.into()), ("errors", errors.into())];
        let out = run("UnicodeDecode", &attrs, vec![TString::new(bytes).into()])?;
        assert_eq!(out[0].as_slice::<i64>()?, [0, out[1].num_elements() as i64]);
        Ok(out[1].as_slice()?.to_vec())
    }

    #[test]
    fn code_points_of_encodings() {
        assert_eq!(decoded("UTF-8", "strict", "a\u{e9}\u{1f600}".as_bytes()).unwrap(), [97, 233, 0x1F600]);
        assert_eq!(decoded("utf_16-be", "strict", b"\0a\xD8\x3D\xDE\0").unwrap(), [97, 0x1F600]);
        assert_eq!(decoded("UTF-16", "strict", b"\xFF\xFEa\0").unwrap(), [97]);
        assert_eq!(decoded("latin1", "strict", b"\xE9\x80").unwrap(), [0xE9, 0x80]);
        assert_eq!(decoded("EBCDIC", "strict", b"").unwrap_err().code(), Code::Unimplemented);
    }

    #[test]
    fn malformed_sequences() {
        assert_eq!(decoded("UTF-8", "replace", b"a\xE4\xBDb").unwrap(), [97, 0xFFFD, 98]);
        assert_eq!(decoded("UTF-8", "ignore", b"a\xE4\xBDb").unwrap(), [97, 98]);
        assert!(decoded("UTF-8", "strict", b"a\xE4\xBDb").is_err());
    }
}

//! `UnicodeDecode`, `UnicodeDecodeWithOffsets`: the code points of strings, as a ragged matrix with a row for each
//! string.

use super::unicode::Reader;
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink_ops::string::{UnicodeDecode, UnicodeDecodeWithOffsets};

/// The code points of strings.
#[derive(Default)]
struct Decoded {
    splits: Vec<i64>,
    values: Vec<i32>,
    starts: Vec<i64>,
}

impl Decoded {
    fn new(reader: &Reader, strings: &Tensor, env: &Env<'_>) -> Result<Self> {
        let mut decoded = Self { splits: vec![0], ..Self::default() };
        for string in env.watch(strings.as_slice::<TString>()?) {
            reader.read(string.as_bytes(), &mut |start, value| {
                decoded.values.push(value);
                decoded.starts.push(start as i64);
            })?;
            decoded.splits.push(decoded.values.len() as i64);
        }
        Ok(decoded)
    }
}

/// The row splits in the dtype of their output.
fn splits_of(splits: Vec<i64>, dtype: DType) -> Tensor {
    match dtype {
        DType::Int32 => splits.iter().map(|&split| split as i32).collect::<Vec<_>>().into(),
        _ => splits.into(),
    }
}

/// Declares kernels that differ in their outputs alone.
macro_rules! decoders {
    ($($(#[doc = $doc:literal])* #[kernel($op:ident $($keys:tt)*)] $name:ident:
        $($output:ident = $part:ident),*;)*) => {$(
        $(#[doc = $doc])*
        pub struct $name(Reader);

        #[oplink::kernel($op $($keys)*)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let a = construction.attrs;
                Reader::new(a.input_encoding, a.errors, a.replacement_char, a.replace_control_characters).map(Self)
            }

            fn compute(
                &self,
                inputs: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                let decoded = Decoded::new(&self.0, &inputs.input, &env)?;
                let dtype = outputs.row_splits.dtype();
                outputs.row_splits.set(splits_of(decoded.splits, dtype));
                $(outputs.$output.set(decoded.$part.into());)*
                Ok(())
            }
        }
    )*};
}

decoders! {
    /// `UnicodeDecode` with row splits of int32 and int64.
    #[kernel(UnicodeDecode, device = CPU, Tsplits = any)]
    UnicodeDecodeCpu: char_values = values;

    /// `UnicodeDecodeWithOffsets` with row splits of int32 and int64.
    #[kernel(UnicodeDecodeWithOffsets, device = CPU, Tsplits = any)]
    UnicodeDecodeWithOffsetsCpu: char_values = values, char_to_byte_starts = starts;
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
    fn offsets_count_bytes() {
        let attrs = |encoding: &str| [("input_encoding", encoding.into())];
        let offsets = |encoding: &str, bytes: &[u8]| {
            let out = run("UnicodeDecodeWithOffsets", &attrs(encoding), vec![TString::new(bytes).into()]).unwrap();
            out[2].as_slice::<i64>().unwrap().to_vec()
        };
        assert_eq!(offsets("UTF-8", b"h\xC3\xA9\xFF!"), [0, 1, 3, 4]);
        assert_eq!(offsets("UTF-16", b"\xFF\xFEa\0b\0c"), [0, 4, 6]);
        assert_eq!(offsets("UTF-32-BE", b"\0\0\0h\0\x11\0\0"), [0, 4]);
    }

    #[test]
    fn malformed_sequences() {
        assert_eq!(decoded("UTF-8", "replace", b"a\xE4\xBDb").unwrap(), [97, 0xFFFD, 98]);
        assert_eq!(decoded("UTF-8", "ignore", b"a\xE4\xBDb").unwrap(), [97, 98]);
        assert!(decoded("UTF-8", "strict", b"a\xE4\xBDb").is_err());
    }
}

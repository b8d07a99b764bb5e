//! `UnicodeTranscode`: text from one encoding into another.

use super::strings::try_map;
use super::unicode::Reader;
use super::unicode_encode::{code_point, push_utf8, push_utf16, push_utf32};
use oplink::prelude::*;
use oplink_ops::string::{
    UnicodeTranscode, UnicodeTranscodeInputs, UnicodeTranscodeOutputEncoding, UnicodeTranscodeOutputs,
};

/// `UnicodeTranscode`.
pub struct UnicodeTranscodeCpu {
    reader: Reader,
    push: fn(char, &mut Vec<u8>),
}

#[kernel(UnicodeTranscode, device = CPU)]
impl Kernel for UnicodeTranscodeCpu {
    type Op = UnicodeTranscode;

    fn new(construction: Construction<'_, UnicodeTranscode>) -> Result<Self> {
        let a = construction.attrs;
        let reader = Reader::new(a.input_encoding, a.errors, a.replacement_char, a.replace_control_characters)?;
        let push = match a.output_encoding {
            UnicodeTranscodeOutputEncoding::Utf8 => push_utf8,
            UnicodeTranscodeOutputEncoding::Utf16Be => push_utf16,
            UnicodeTranscodeOutputEncoding::Utf32Be => push_utf32,
        };
        Ok(Self { reader: reader.strict_about_controls(), push })
    }

    fn compute(
        &self,
        inputs: UnicodeTranscodeInputs<'_>,
        outputs: &mut UnicodeTranscodeOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        let transcoded = try_map(&inputs.input, env, &|string| {
            let mut bytes = Vec::new();
            self.reader.read(string, &mut |_, value| {
                (self.push)(code_point(value).unwrap_or(char::REPLACEMENT_CHARACTER), &mut bytes);
            })?;
            Ok(TString::new(bytes))
        })?;
        outputs.output.set(transcoded);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::run;

    fn transcoded(to: &str, attrs: &[(&'static str, AttrValue)], bytes: &[u8]) -> Result<Vec<u8>> {
        let attrs = [attrs, &[("input_encoding", "UTF-8".into()), ("output_encoding", to.into())]].concat();
        let out = run("UnicodeTranscode", &attrs, vec![TString::new(bytes).into()])?;
        Ok(out[0].to_scalar::<TString>()?.as_bytes().to_vec())
    }

    #[test]
    fn text_is_that_of_tensorflow() {
        assert_eq!(transcoded("UTF-16-BE", &[], b"h\xC3\xA9\xFF").unwrap(), b"\0h\0\xE9\xFF\xFD");
        assert_eq!(transcoded("UTF-8", &[("errors", "ignore".into())], b"h\xFF!").unwrap(), b"h!");
        assert_eq!(transcoded("UTF-8", &[("replacement_char", 0xD800.into())], b"\xFF").unwrap(), b"\xEF\xBF\xBD");
        assert!(transcoded("UTF-8", &[("errors", "strict".into())], b"\xFF").is_err());
        let controls = ("replace_control_characters", true.into());
        assert_eq!(transcoded("UTF-8", std::slice::from_ref(&controls), b"a\x01").unwrap(), b"a\xEF\xBF\xBD");
        assert!(transcoded("UTF-8", &[controls, ("errors", "strict".into())], b"a\x01").is_err());
    }
}

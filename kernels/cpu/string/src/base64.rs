//! `EncodeBase64` and `DecodeBase64`: bytes as text of the URL- and filename-safe alphabet (RFC 4648, section 5).
//!
//! Encoding adds `=` up to a multiple of four characters where the attr `pad` says so. Decoding takes text with and
//! without them; a character outside of the alphabet, a length of 1 modulo 4 and padding short of a multiple of four
//! are errors.

use super::strings::{map, shown, try_map};
use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use oplink::prelude::*;
use oplink_ops::string::{DecodeBase64, EncodeBase64};

/// Without padding; bits of the last character that no byte takes are ignored.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_encode_padding(false)
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::RequireNone);

const UNPADDED: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, LENIENT);

const PADDED: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, LENIENT.with_encode_padding(true));

/// `EncodeBase64`.
#[kernel(EncodeBase64, device = CPU)]
pub fn encode_base64_cpu(input: &Tensor, pad: bool, env: Env<'_>) -> Result<Tensor> {
    let engine = if pad { PADDED } else { UNPADDED };
    map(input, env, &|bytes| TString::from(engine.encode(bytes)))
}

/// `DecodeBase64`.
#[kernel(DecodeBase64, device = CPU)]
pub fn decode_base64_cpu(input: &Tensor, env: Env<'_>) -> Result<Tensor> {
    try_map(input, env, &|text| {
        let bytes = UNPADDED.decode(without_padding(text));
        let bytes = bytes.map_err(|error| Error::invalid_argument(format!("{} is no base64: {error}", shown(text))))?;
        Ok(TString::new(bytes))
    })
}

/// The text without the one or two `=` that fill up a group of four.
fn without_padding(text: &[u8]) -> &[u8] {
    match text {
        _ if !text.len().is_multiple_of(4) => text,
        [rest @ .., b'=', b'='] | [rest @ .., b'='] => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error, check_with};

    #[test]
    fn there_and_back() {
        let bytes = || Tensor::from([TString::new([0xFF, 0xFE, 0xFD, 0]), "fo".into()]);
        check("EncodeBase64", [bytes()], ["__79AA", "Zm8"].map(TString::from));
        check_with("EncodeBase64", &[("pad", true.into())], [bytes()], ["__79AA==", "Zm8="].map(TString::from));
        check("DecodeBase64", [["__79AA==", "Zm9"].map(TString::from).into()], bytes());
    }

    #[test]
    fn other_text_is_an_error() {
        for text in ["Zg=", "Z", "//79", "====", "Zm9v====", "Z==="] {
            check_error("DecodeBase64", [text.into()], "is no base64");
        }
    }
}

//! `DecodeJSONExample`: messages of examples from JSON.
//!
//! Fields are written in the order in which they stand in the text, values one by one and not packed, as protobuf's
//! converter does it.

use std::collections::HashSet;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use oplink::prelude::*;
use oplink_ops::string::DecodeJsonExample;

use super::json::{Parsed, Reader, Scalar};
use crate::strings::try_map;
use oplink_cpu_support::wire::Message;

/// With and without padding; bits of the last character that no byte takes are ignored.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// `DecodeJSONExample`.
#[kernel(DecodeJsonExample, device = CPU)]
pub fn decode_json_example_cpu(json_examples: &Tensor, env: Env<'_>) -> Result<Tensor> {
    try_map(json_examples, env, &|text| {
        let message = example(text).map_err(|why| Error::invalid_argument(format!("cannot read JSON: {why}")))?;
        Ok(TString::new(message))
    })
}

fn example(text: &[u8]) -> Parsed<Vec<u8>> {
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    let mut reader = Reader::new(text);
    let mut example = Message::default();
    reader.object(|reader, key| {
        known(&key, &["features"])?;
        if !reader.null() {
            let features = features(reader)?;
            example = std::mem::take(&mut example).bytes(1, &features);
        }
        Ok(())
    })?;
    reader.end()?;
    Ok(example.into_bytes())
}

/// The position of a field's name among those that there are.
fn known(key: &str, names: &[&str]) -> Parsed<usize> {
    names.iter().position(|&name| name == key).ok_or_else(|| format!("there is no field {key:?} here"))
}

fn features(reader: &mut Reader<'_>) -> Parsed<Vec<u8>> {
    let mut features = Message::default();
    reader.object(|reader, key| {
        known(&key, &["feature"])?;
        if reader.null() {
            return Ok(());
        }
        let mut seen = HashSet::new();
        reader.object(|reader, key| {
            let mut entry = Message::default().bytes(1, key.as_bytes());
            if !reader.null() {
                entry = entry.bytes(2, &feature(reader)?);
            }
            features = std::mem::take(&mut features).bytes(1, &entry.into_bytes());
            if seen.insert(key.clone()) { Ok(()) } else { Err(format!("the feature {key:?} stands there twice")) }
        })
    })?;
    Ok(features.into_bytes())
}

fn feature(reader: &mut Reader<'_>) -> Parsed<Vec<u8>> {
    let mut feature = Message::default();
    let mut has_list = false;
    reader.object(|reader, key| {
        let names = ["bytesList", "floatList", "int64List", "bytes_list", "float_list", "int64_list"];
        let kind = known(&key, &names)? % 3;
        if reader.null() {
            return Ok(());
        }
        if std::mem::replace(&mut has_list, true) {
            return Err("a feature has two lists".into());
        }
        let mut list = Message::default();
        reader.object(|reader, key| {
            known(&key, &["value"])?;
            if reader.null() {
                return Ok(());
            }
            reader.scalars(&mut |value| {
                let own = std::mem::take(&mut list);
                list = match kind {
                    0 => own.bytes(1, &bytes(&value)?),
                    1 => own.single(1, float(&value)?),
                    _ => own.integer(1, integer(&value)? as u64),
                };
                Ok(())
            })
        })?;
        feature = std::mem::take(&mut feature).bytes(kind as u32 + 1, &list.into_bytes());
        Ok(())
    })?;
    Ok(feature.into_bytes())
}

fn bytes(value: &Scalar<'_>) -> Parsed<Vec<u8>> {
    match value {
        Scalar::Text(text) => {
            let text = text.replace('-', "+").replace('_', "/");
            BASE64.decode(&text).map_err(|error| format!("{text:?} is no base64: {error}"))
        }
        Scalar::Number(number) => Err(format!("{number} where a string is expected")),
        Scalar::Null => Ok(Vec::new()),
    }
}

/// A number of single precision; those that only infinity is near to are an error.
fn float(value: &Scalar<'_>) -> Parsed<f32> {
    let (text, named) = match value {
        Scalar::Text(text) => (text.trim_ascii(), true),
        Scalar::Number(number) => (*number, false),
        Scalar::Null => return Ok(0.0),
    };
    let number: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
    let is_named = named && text.trim_start_matches(['+', '-']).starts_with(['i', 'I']);
    if number.abs() > f64::from(f32::MAX) && !is_named {
        return Err(format!("{text} is too large for single precision"));
    }
    Ok(number as f32)
}

/// An integer, also one that is written with a fraction of 0 or an exponent.
fn integer(value: &Scalar<'_>) -> Parsed<i64> {
    let text = match value {
        Scalar::Text(text) => text.as_str(),
        Scalar::Number(number) => number,
        Scalar::Null => return Ok(0),
    };
    let invalid = || format!("{text:?} is no integer of 64 bits");
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) if text.contains(['.', 'e', 'E']) => {
            let number: f64 = text.parse().map_err(|_| invalid())?;
            let fits = number.fract() == 0.0 && number.abs() < -(i64::MIN as f64);
            if fits { Ok(number as i64) } else { Err(invalid()) }
        }
        Err(_) => Err(invalid()),
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;
    use oplink_cpu_support::testing::{check, check_error};

    /// An example with one feature.
    fn with(feature: &str) -> Tensor {
        format!(r#"{{"features":{{"feature":{{"a":{feature}}}}}}}"#).as_str().into()
    }

    #[test]
    fn messages_are_those_of_tensorflow() {
        let is =
            |json: Tensor, message: &[u8]| check("DecodeJSONExample", [json], Tensor::scalar(TString::new(message)));
        is("{}".into(), b"");
        is(r#"{"features":{},}"#.into(), b"\n\0");
        is(with("null"), b"\n\x05\n\x03\n\x01a");
        is(
            with(r#"{"int64List":{"value":[1,["2"],3.0]}}"#),
            b"\n\x0f\n\r\n\x01a\x12\x08\x1a\x06\x08\x01\x08\x02\x08\x03",
        );
        is(with(r#"{"bytes_list":{"value":["aGVsbG9="]}}"#), b"\n\x10\n\x0e\n\x01a\x12\t\n\x07\n\x05hello");
        is(with(r#"{"floatList":{"value":"inf"}}"#), b"\n\x0e\n\x0c\n\x01a\x12\x07\x12\x05\r\0\0\x80\x7f");
        is(r#"{features:{'feature':{"\u00e9\ud83d\ude00":{}}}}"#.into(), "\n\x0c\n\n\n\x06é😀\x12\0".as_bytes());
    }

    #[test]
    fn other_text_is_an_error() {
        for (json, why) in [
            ("", "the text ends where { is expected"),
            ("{} x", "after the end"),
            (r#"{"other":1}"#, "there is no field \"other\""),
            (r#"{"features":5}"#, "where { is expected"),
            ("{\"features\":{\"feature\":{\"a\":{},\"a\":{}}}}", "stands there twice"),
            ("{\"features\":{\"feature\":{\"\\ud83d\":{}}}}", "half of a character"),
        ] {
            check_error("DecodeJSONExample", [json.into()], why);
        }
        for feature in ["1.5", "01", "1e19", "9223372036854775808", "true", "[1", "1e"] {
            check_error(
                "DecodeJSONExample",
                [with(&format!(r#"{{"int64List":{{"value":{feature}}}}}"#))],
                "cannot read JSON",
            );
        }
        for feature in ["1e39", "3.4028236e38", "NaN", ".5", "5."] {
            check_error(
                "DecodeJSONExample",
                [with(&format!(r#"{{"floatList":{{"value":{feature}}}}}"#))],
                "cannot read JSON",
            );
        }
        check_error("DecodeJSONExample", [with(r#"{"int64List":{},"floatList":{}}"#)], "two lists");
    }
}

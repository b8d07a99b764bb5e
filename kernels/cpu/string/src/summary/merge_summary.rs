//! `MergeSummary`: the values of all summaries in one.
//!
//! Each input holds summaries, in any shape. A tag that two values have is an error, as is a string that is no summary.

use crate::strings::shown;
use oplink::prelude::*;
use oplink_cpu_support::summary::{HISTOGRAM, IMAGE, METADATA, TAG, TENSOR};
use oplink_cpu_support::wire::{Message, Problem, Value, fields};
use oplink_ops::string::MergeSummary;
use std::collections::HashSet;

/// `MergeSummary`.
#[kernel(MergeSummary, device = CPU)]
pub fn merge_summary_cpu(inputs: &[Tensor]) -> Result<TString> {
    let (mut merged, mut tags) = (Message::default(), HashSet::new());
    for input in inputs {
        for summary in input.as_slice::<TString>()? {
            let values = values(summary.as_bytes());
            let values = values.map_err(|why| Error::invalid_argument(format!("an input is no summary: {why}")))?;
            for (value, tag) in values {
                ensure!(tag.is_empty() || tags.insert(tag.to_vec()), "the tag {} is in two summaries", shown(tag));
                merged = merged.bytes(1, value);
            }
        }
    }
    Ok(TString::new(merged.into_bytes()))
}

/// A value and its tag.
pub(super) type Tagged<'a> = (&'a [u8], &'a [u8]);

/// The values of a summary.
pub(super) fn values(summary: &[u8]) -> Result<Vec<Tagged<'_>>, Problem> {
    let mut values = Vec::new();
    for field in fields(summary)? {
        if let (1, Value::Bytes(value)) = (field.number, field.value) {
            values.push((value, tag(value)?));
        }
    }
    Ok(values)
}

/// The tag of a value whose messages are well-formed.
fn tag(value: &[u8]) -> Result<&[u8], Problem> {
    let mut tag: &[u8] = &[];
    for field in fields(value)? {
        match (field.number as u32, field.value) {
            (TAG, Value::Bytes(bytes)) => {
                std::str::from_utf8(bytes).map_err(|_| "a tag is not UTF-8")?;
                tag = bytes;
            }
            (IMAGE | HISTOGRAM | TENSOR | METADATA, Value::Bytes(bytes)) => {
                fields(bytes)?;
            }
            _ => {}
        }
    }
    Ok(tag)
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn values_of_all_inputs() {
        let (a, b) = (TString::new(b"\x0a\x03\x0a\x01a"), TString::new(b"\x0a\x03\x0a\x01b"));
        let expected = TString::new([a.as_bytes(), b.as_bytes()].concat());
        check("MergeSummary", [a.clone().into(), [b].into()], expected);
        check_error("MergeSummary", [a.clone().into(), a.into()], "the tag \"a\" is in two summaries");
        check_error("MergeSummary", ["x".into()], "no summary");
    }
}

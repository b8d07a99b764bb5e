//! `ScalarSummary`: a number for each tag.
//!
//! `tags` and `values` have one shape. Numbers are written in single precision.

use super::doubles;
use oplink::prelude::*;
use oplink_cpu_support::summary::{SIMPLE_VALUE, TAG, add_value};
use oplink_cpu_support::wire::Message;
use oplink_ops::string::ScalarSummary;

/// `ScalarSummary` of every real dtype.
#[kernel(ScalarSummary, device = CPU, T = any)]
pub fn scalar_summary_cpu(tags: &Tensor, values: &Tensor) -> Result<TString> {
    ensure!(
        tags.shape() == values.shape(),
        "tags and values must have the same shape, theirs are {} and {}",
        tags.shape(),
        values.shape()
    );
    let values = doubles(values)?;
    let summary = tags.as_slice::<TString>()?.iter().zip(values).fold(Message::default(), |summary, (tag, value)| {
        let number = Message::default().bytes_unless_empty(TAG, tag.as_bytes()).single(SIMPLE_VALUE, value as f32);
        add_value(summary, number)
    });
    Ok(TString::new(summary.into_bytes()))
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn bytes_are_those_of_tensorflow() {
        let tags = ["a", "b"].map(TString::from);
        let expected = b"\x0a\x08\x0a\x01a\x15\0\0\xc0\x3f\x0a\x08\x0a\x01b\x15\0\0\0\0";
        check("ScalarSummary", [tags.into(), [1.5f64, 0.0].into()], TString::new(expected));
        check_error("ScalarSummary", ["a".into(), [1i32].into()], "must have the same shape");
    }
}

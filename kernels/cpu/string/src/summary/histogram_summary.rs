//! `HistogramSummary`: how the elements of a tensor are spread.
//!
//! NaN and infinity are errors.

use super::doubles;
use crate::strings::scalar;
use oplink::prelude::*;
use oplink_cpu_support::summary::{Histogram, add_value, histogram_value};
use oplink_cpu_support::wire::Message;
use oplink_ops::string::HistogramSummary;

/// `HistogramSummary` of every real dtype.
#[kernel(HistogramSummary, device = CPU, T = any)]
pub fn histogram_summary_cpu(tag: &Tensor, values: &Tensor) -> Result<TString> {
    let summary = histogram_of(scalar(tag, "tag")?, values)?;
    Ok(TString::new(summary.into_bytes()))
}

/// The summary of how elements are spread.
pub(super) fn histogram_of(tag: &[u8], values: &Tensor) -> Result<Message> {
    let values = doubles(values)?;
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        bail!("values[{at}] is {}, a histogram takes finite numbers only", values[at]);
    }
    let mut histogram = Histogram::default();
    values.into_iter().for_each(|value| histogram.add(value));
    Ok(add_value(Message::default(), histogram_value(tag, &histogram)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn bytes_are_those_of_tensorflow() {
        let expected = b"\x0a\x42\x0a\x01h\x2a\x3d\x19\0\0\0\0\0\0\0\x40\x32\x18\0\0\0\0\0\0\0\0\x11\xea\x2d\x81\x99\x97\x71\
                         \x3d\xff\xff\xff\xff\xff\xff\xef\x7f\x3a\x18\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\0";
        check("HistogramSummary", ["h".into(), [0f32, 0.0].into()], TString::new(expected));
        check_error("HistogramSummary", ["h".into(), [0.0, f32::NAN].into()], "values[1] is NaN");
    }
}

//! `HistogramSummary`: how the elements of a tensor are spread.
//!
//! Counts by buckets whose limits grow by a tenth from 1e-12 to 1e20 on both sides of 0, runs of empty ones taken
//! together, with the smallest and the largest element, the count, the sum and the sum of squares. NaN and infinity are
//! errors.

use super::{HISTOGRAM, TAG, add_value, doubles};
use crate::strings::scalar;
use oplink::prelude::*;
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
    let value = Message::default().bytes_unless_empty(TAG, tag).bytes(HISTOGRAM, &histogram(&values).into_bytes());
    Ok(add_value(Message::default(), value))
}

/// The upper limits of the buckets, ascending.
fn limits() -> Vec<f64> {
    let positive = std::iter::successors(Some(1.0e-12), |limit| Some(limit * 1.1)).take_while(|&limit| limit < 1.0e20);
    let positive: Vec<f64> = positive.chain([f64::MAX]).collect();
    positive.iter().rev().map(|limit| -limit).chain([0.0]).chain(positive.iter().copied()).collect()
}

fn histogram(values: &[f64]) -> Message {
    let limits = limits();
    // bounded: the limits are constants
    let mut counts = vec![0.0; limits.len()];
    let (mut sum, mut squares, mut min, mut max) = (0.0, 0.0, f64::MAX, -f64::MAX);
    for &value in values {
        let bucket = limits.partition_point(|&limit| limit <= value).min(limits.len() - 1);
        counts[bucket] += 1.0;
        sum += value;
        squares += value * value;
        min = value.min(min);
        max = value.max(max);
    }
    let (limits, counts) = without_empty_runs(&limits, &counts);
    Message::default()
        .double_unless_zero(1, min)
        .double_unless_zero(2, max)
        .double_unless_zero(3, values.len() as f64)
        .double_unless_zero(4, sum)
        .double_unless_zero(5, squares)
        .doubles(6, &limits)
        .doubles(7, &counts)
}

/// The buckets with the limit of the last one for each run of empty ones.
fn without_empty_runs(limits: &[f64], counts: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let runs = limits.iter().zip(counts).enumerate();
    let ends = runs.filter(|&(at, (_, &count))| count > 0.0 || counts.get(at + 1).is_none_or(|&next| next > 0.0));
    ends.map(|(_, (&limit, &count))| (limit, count)).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn runs_of_empty_buckets_are_one() {
        let (limits, counts) = without_empty_runs(&[1.0, 2.0, 3.0, 4.0, 5.0], &[0.0, 0.0, 7.0, 1.0, 0.0]);
        assert_eq!((limits, counts), (vec![2.0, 3.0, 4.0, 5.0], vec![0.0, 7.0, 1.0, 0.0]));
    }

    #[test]
    fn bytes_are_those_of_tensorflow() {
        let expected = b"\x0a\x42\x0a\x01h\x2a\x3d\x19\0\0\0\0\0\0\0\x40\x32\x18\0\0\0\0\0\0\0\0\x11\xea\x2d\x81\x99\x97\x71\
                         \x3d\xff\xff\xff\xff\xff\xff\xef\x7f\x3a\x18\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\0";
        check("HistogramSummary", ["h".into(), [0f32, 0.0].into()], TString::new(expected));
        check_error("HistogramSummary", ["h".into(), [0.0, f32::NAN].into()], "values[1] is NaN");
    }
}

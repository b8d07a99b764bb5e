//! Histograms with fixed limits between their buckets.

use std::sync::Arc;

use oplink_api::{Result, ensure};

use crate::messages::HistogramProto;

/// The most buckets of one histogram.
const MAX_BUCKETS: usize = 1 << 16;

/// Limits that grow by a factor; the last is the greatest number.
pub(super) fn exponential(scale: f64, growth_factor: f64, count: i32) -> Result<Arc<[f64]>> {
    ensure!(scale > 0.0, "the scale of exponential buckets is {scale}: it must be above 0");
    ensure!(growth_factor > 1.0, "the growth factor of exponential buckets is {growth_factor}: it must be above 1");
    let count = usize::try_from(count).unwrap_or(0);
    ensure!((1..=MAX_BUCKETS).contains(&count), "a histogram has 1 to {MAX_BUCKETS} buckets, not {count}");
    let limits = std::iter::successors(Some(scale), |limit| Some(limit * growth_factor)).take(count);
    Ok(limits.take_while(|limit| *limit < f64::MAX).chain([f64::MAX]).collect())
}

/// What was counted so far.
#[derive(Debug)]
pub(super) struct Histogram {
    limits: Arc<[f64]>,
    buckets: Vec<f64>,
    min: f64,
    max: f64,
    num: f64,
    sum: f64,
    sum_squares: f64,
}

impl Histogram {
    /// Nothing so far. A bucket reaches from the limit before it to its own, which it does not contain.
    pub(super) fn new(limits: Arc<[f64]>) -> Self {
        let buckets = vec![0.0; limits.len()];
        Self { limits, buckets, min: f64::MAX, max: f64::MIN, num: 0.0, sum: 0.0, sum_squares: 0.0 }
    }

    /// Counts a value.
    pub(super) fn add(&mut self, value: f64) {
        let bucket = self.limits.partition_point(|limit| *limit <= value).min(self.buckets.len().saturating_sub(1));
        if let Some(bucket) = self.buckets.get_mut(bucket) {
            *bucket += 1.0;
        }
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.num += 1.0;
        self.sum += value;
        self.sum_squares += value * value;
    }

    /// The histogram as a message, with all its buckets.
    pub(super) fn message(&self) -> HistogramProto {
        HistogramProto {
            min: self.min,
            max: self.max,
            num: self.num,
            sum: self.sum,
            sum_squares: self.sum_squares,
            bucket_limit: self.limits.to_vec(),
            bucket: self.buckets.clone(),
        }
    }
}

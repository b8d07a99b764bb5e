//! How numbers are spread.
//!
//! Counts by buckets whose limits grow by a tenth from 1e-12 to 1e20 on both sides of 0, runs of empty ones taken
//! together, with the smallest and the largest number, the count, the sum and the sum of squares.

use std::sync::LazyLock;

use crate::wire::Message;

/// The upper limits of the buckets, ascending.
static LIMITS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let positive = std::iter::successors(Some(1.0e-12), |limit| Some(limit * 1.1)).take_while(|&limit| limit < 1.0e20);
    let positive: Vec<f64> = positive.chain([f64::MAX]).collect();
    positive.iter().rev().map(|limit| -limit).chain([0.0]).chain(positive.iter().copied()).collect()
});

/// How the numbers that it was given are spread.
#[derive(Clone, Debug)]
pub struct Histogram {
    counts: Vec<f64>,
    num: f64,
    min: f64,
    max: f64,
    sum: f64,
    squares: f64,
}

impl Default for Histogram {
    fn default() -> Self {
        // bounded: the limits are constants
        Self { counts: vec![0.0; LIMITS.len()], num: 0.0, min: f64::MAX, max: -f64::MAX, sum: 0.0, squares: 0.0 }
    }
}

impl Histogram {
    /// Adds a finite number.
    pub fn add(&mut self, value: f64) {
        let bucket = LIMITS.partition_point(|&limit| limit <= value).min(LIMITS.len() - 1);
        self.counts[bucket] += 1.0;
        self.num += 1.0;
        self.sum += value;
        self.squares += value * value;
        self.min = value.min(self.min);
        self.max = value.max(self.max);
    }

    /// As the message `HistogramProto`.
    pub fn message(&self) -> Message {
        let (limits, counts) = without_empty_runs(&LIMITS, &self.counts);
        Message::default()
            .double_unless_zero(1, self.min)
            .double_unless_zero(2, self.max)
            .double_unless_zero(3, self.num)
            .double_unless_zero(4, self.sum)
            .double_unless_zero(5, self.squares)
            .doubles(6, &limits)
            .doubles(7, &counts)
    }
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

    #[test]
    fn runs_of_empty_buckets_are_one() {
        let (limits, counts) = without_empty_runs(&[1.0, 2.0, 3.0, 4.0, 5.0], &[0.0, 0.0, 7.0, 1.0, 0.0]);
        assert_eq!((limits, counts), (vec![2.0, 3.0, 4.0, 5.0], vec![0.0, 7.0, 1.0, 0.0]));
    }
}

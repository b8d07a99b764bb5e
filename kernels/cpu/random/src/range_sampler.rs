//! Distributions over the integers from 0 to a number less 1, for candidate sampling.

use std::sync::{Mutex, PoisonError};

use oplink::memory::{try_collect, try_filled, try_reserve};
use oplink::prelude::*;
use oplink_ops::philox::{Philox, Singles};

/// Numbers drawn one by one.
pub(super) struct Numbers(Singles);

impl Numbers {
    /// The numbers from a position on.
    pub(super) fn new(start: Philox) -> Self {
        Self(Singles::new(start))
    }
}

/// A distribution over the integers below a number.
pub(super) trait RangeSampler: Send + Sync {
    /// Draws an integer.
    fn sample(&self, numbers: &mut Numbers) -> u64;
    /// How likely an integer of the range is.
    fn probability(&self, value: u64) -> f32;
    /// Takes notice of integers that occurred.
    fn update(&self, _: &[i64]) {}
}

/// Every integer below this number with the same probability.
pub(super) struct Uniform(pub(super) u64);

impl RangeSampler for Uniform {
    fn sample(&self, numbers: &mut Numbers) -> u64 {
        numbers.0.long_below(self.0)
    }

    fn probability(&self, _: u64) -> f32 {
        (1.0 / self.0 as f64) as f32
    }
}

/// The integers below this number, smaller ones more often: the logarithm of each plus 1 is nearly uniform.
pub(super) struct LogUniform(pub(super) u64);

impl LogUniform {
    fn logarithm(&self) -> f64 {
        (self.0 as f64).ln_1p()
    }
}

impl RangeSampler for LogUniform {
    fn sample(&self, numbers: &mut Numbers) -> u64 {
        let number = numbers.0.double();
        ((number * self.logarithm()).exp() as u64).saturating_sub(1) % self.0
    }

    fn probability(&self, value: u64) -> f32 {
        (((value as f64 + 2.0) / (value as f64 + 1.0)).ln() / self.logarithm()) as f32
    }
}

/// Integers in proportion to 1 more than the times that they occurred.
pub(super) struct Learned {
    range: usize,
    counts: Mutex<Counts>,
}

/// Partial sums of counts, each over as many as the lowest set bit of its position (Fenwick, "A new data structure for
/// cumulative frequency tables", 1994).
struct Counts {
    sums: Vec<u32>,
    total: u32,
}

impl Learned {
    /// Every integer below `range` once.
    ///
    /// # Errors
    /// The range is 2^31 - 1 or more, or memory runs out.
    pub(super) fn new(range: u64) -> Result<Self> {
        ensure!(range < i32::MAX as u64, "range_max must be less than {}, it is {range}", i32::MAX);
        let range = range as usize;
        let mut sums = Vec::new();
        try_reserve(&mut sums, range + 1)?;
        // The lowest set bit of each position: those behind a power of two are those before it.
        sums.push(0);
        while sums.len() <= range {
            let power = sums.len();
            sums.extend_from_within(..power.min(range + 1 - power));
            sums[power] = power as u32;
        }
        Ok(Self { range, counts: Mutex::new(Counts { sums, total: range as u32 }) })
    }
}

impl Counts {
    /// The sum of the counts of the integers below `end`.
    fn below(&self, mut end: usize) -> u32 {
        let mut sum = 0;
        while end > 0 {
            sum += self.sums[end];
            end &= end - 1;
        }
        sum
    }

    /// The integer in whose part of the sum of all a position lies.
    fn at(&self, mut position: u32) -> usize {
        let mut found = 0;
        let mut step = (self.sums.len() - 1).checked_ilog2().map_or(0, |log| 1 << log);
        while step > 0 {
            if let Some(&sum) = self.sums.get(found + step).filter(|&&sum| sum <= position) {
                position -= sum;
                found += step;
            }
            step /= 2;
        }
        found
    }
}

impl RangeSampler for Learned {
    fn sample(&self, numbers: &mut Numbers) -> u64 {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.at(numbers.0.below(counts.total)) as u64
    }

    fn probability(&self, value: u64) -> f32 {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        (counts.below(value as usize + 1) - counts.below(value as usize)) as f32 / counts.total as f32
    }

    fn update(&self, values: &[i64]) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let left = (i32::MAX as u32 - counts.total) as usize;
        for &value in values.iter().take(left) {
            let mut at = value as usize + 1;
            while at <= self.range {
                counts.sums[at] += 1;
                at += at & at.wrapping_neg();
            }
            counts.total += 1;
        }
    }
}

/// Integers in proportion to weights: Walker's method of aliases (Knuth, "Seminumerical algorithms", 3.4.1).
pub(super) struct Weighted {
    weights: Vec<f32>,
    total: f32,
    aliases: Vec<(f32, u32)>,
}

impl Weighted {
    /// From weights, of which there is one at least, and their sum.
    ///
    /// # Errors
    /// Memory runs out.
    pub(super) fn new(weights: Vec<f32>, total: f32) -> Result<Self> {
        let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
        let count = weights.len() as f32;
        let mut shares = try_collect(weights.iter().map(|&weight| f64::from(weight * count) / sum))?;
        let mut aliases = try_filled((1.0, 0), weights.len())?;
        let (mut high, mut low) = (Vec::new(), Vec::new());
        for (at, &share) in shares.iter().enumerate() {
            let side = if share < 1.0 { &mut low } else { &mut high };
            side.push(at);
        }
        while let (Some(&above), Some(&below)) = (high.last(), low.last()) {
            low.pop();
            aliases[below].1 = above as u32;
            shares[above] -= 1.0 - shares[below];
            if shares[above] < 1.0 {
                high.pop();
                low.push(above);
            }
        }
        aliases.iter_mut().zip(&shares).for_each(|(alias, &share)| alias.0 = share as f32);
        for at in high.into_iter().chain(low) {
            aliases[at] = (1.0, at as u32);
        }
        Ok(Self { weights, total, aliases })
    }
}

impl RangeSampler for Weighted {
    fn sample(&self, numbers: &mut Numbers) -> u64 {
        let number = numbers.0.single();
        let at = numbers.0.below(self.aliases.len() as u32);
        let (share, alias) = self.aliases[at as usize];
        if number < share { at.into() } else { alias.into() }
    }

    fn probability(&self, value: u64) -> f32 {
        self.weights.get(value as usize).map_or(0.0, |weight| weight / self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_by_position() {
        let learned = Learned::new(5).unwrap();
        learned.update(&[0, 3, 3, 4]);
        let counts = learned.counts.lock().unwrap();
        let found: Vec<usize> = (0..9).map(|position| counts.at(position)).collect();
        assert_eq!(found, [0, 0, 1, 2, 3, 3, 3, 4, 4]);
        assert_eq!((counts.total, counts.below(4)), (9, 7));
    }
}

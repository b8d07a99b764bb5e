//! A normal distribution that is cut at two bounds, in the arithmetic of its dtype.
//!
//! Where either bound is 1.3 deviations from the mean and the other beyond it, normal numbers are drawn until they lie
//! inside. Otherwise uniform numbers are accepted with the ratio of the densities, where the bounds are near each
//! other; or numbers of an exponential distribution from the lower bound on, where they are not (Robert, "Simulation of
//! truncated normal variables", 1995).

use oplink::prelude::*;
use oplink_ops::philox::Philox;

use super::box_muller;
use oplink_ops::philox::{double, single};

/// Deviations between mean and bound from which normal numbers are drawn.
const INSIDE: f32 = 1.3;
/// Attempts after which there is an error.
const ATTEMPTS: usize = 1000;

/// A floating dtype whose numbers are made of blocks.
pub(super) trait DrawnDType: Float {
    /// Numbers in `[0, 1)`, as many as a block gives; the second is how many.
    fn uniforms(block: [u32; 4]) -> ([Self; 4], usize);
    /// Numbers of the standard normal distribution.
    fn normals(block: [u32; 4]) -> ([Self; 4], usize);
}

impl DrawnDType for f32 {
    fn uniforms(block: [u32; 4]) -> ([Self; 4], usize) {
        (block.map(single), 4)
    }

    fn normals([a, b, c, d]: [u32; 4]) -> ([Self; 4], usize) {
        let ([a, b], [c, d]) = (box_muller::singles([a, b]), box_muller::singles([c, d]));
        ([a, b, c, d], 4)
    }
}

impl DrawnDType for f16 {
    fn uniforms(block: [u32; 4]) -> ([Self; 4], usize) {
        (block.map(|bits| Self::from_bits(0x3C00 | (bits & 0x03FF) as u16) - Self::ONE), 4)
    }

    fn normals(block: [u32; 4]) -> ([Self; 4], usize) {
        (f32::normals(block).0.map(Self::from_f32), 4)
    }
}

impl DrawnDType for f64 {
    fn uniforms([a, b, c, d]: [u32; 4]) -> ([Self; 4], usize) {
        ([double(a, b), double(c, d), 0.0, 0.0], 2)
    }

    fn normals(block: [u32; 4]) -> ([Self; 4], usize) {
        let [a, b] = box_muller::doubles(block);
        ([a, b, 0.0, 0.0], 2)
    }
}

/// A distribution. The deviation is negative where the bounds were exchanged, so that a bound that is alone, or both
/// where they lie on one side of the mean, lie above it.
#[derive(Debug)]
pub(super) struct CutNormal<T> {
    mean: T,
    deviation: T,
    low: T,
    high: T,
}

impl<T: DrawnDType> CutNormal<T> {
    /// From the mean, the deviation and the bounds.
    ///
    /// # Errors
    /// The deviation is not positive, the bounds are not in order, or neither is finite.
    pub(super) fn new([mean, mut deviation, mut low, mut high]: [T; 4]) -> Result<Self> {
        ensure!(
            deviation > T::zero() && low < high && (low.is_finite() || high.is_finite()),
            "a deviation must be above 0, and bounds in order and one of them finite; they are {deviation:?}, {low:?} \
             and {high:?}"
        );
        if low == T::neg_infinity() || high < mean {
            std::mem::swap(&mut low, &mut high);
            deviation = -deviation;
        }
        Ok(Self { mean, deviation, low: (low - mean) / deviation, high: (high - mean) / deviation })
    }

    /// Draws numbers from the next block on.
    ///
    /// # Errors
    /// `Internal`: none of 1000 numbers was accepted.
    pub(super) fn fill<'a>(&self, next: &mut Philox, out: impl Iterator<Item = &'a mut T>) -> Result<()> {
        let Self { low, high, .. } = *self;
        let inside = T::from_f32(INSIDE);
        let root = (low * low + four()).sqrt();
        let cutoff = two::<T>() * (T::from_f32(0.5) + (low * (low - root)) / four()).exp() / (low + root);
        if low < -inside && high >= T::zero() || high > inside && low <= T::zero() {
            self.place(out, ATTEMPTS + 1, |numbers| {
                let (drawn, count) = T::normals(next.block());
                numbers.extend(drawn[..count].iter().map(|&z| (z, z >= low && z <= high)));
            })
        } else if high - low < cutoff {
            let (extent, offset) = (high - low, if low < T::zero() { T::zero() } else { low * low });
            self.place(out, ATTEMPTS, |numbers| {
                let (drawn, count) = T::uniforms(next.block());
                let (tests, _) = T::uniforms(next.block());
                numbers.extend((0..count).map(|at| {
                    let z = drawn[at] * extent + low;
                    (z, tests[at] <= ((offset - z * z) / two()).exp())
                }));
            })
        } else {
            let alpha = (low + root) / two();
            self.place(out, ATTEMPTS, |numbers| {
                let (drawn, count) = T::uniforms(next.block());
                numbers.extend(drawn[..count].as_chunks().0.iter().map(|&[first, test]| {
                    let z = -first.ln() / alpha + low;
                    let x = if low < alpha { alpha - z } else { low - alpha };
                    (z, test <= (-x * x / two()).exp() && z < high)
                }));
            })
        }
    }

    /// Writes the accepted numbers of those that `draw` adds; the rest of the last ones is dropped.
    fn place<'a>(
        &self,
        mut out: impl Iterator<Item = &'a mut T>,
        attempts: usize,
        mut draw: impl FnMut(&mut Vec<(T, bool)>),
    ) -> Result<()> {
        // bounded: the numbers of a block
        let mut numbers = Vec::with_capacity(Philox::BLOCK);
        let (mut slot, mut rejected) = (out.next(), 0);
        while slot.is_some() {
            numbers.clear();
            draw(&mut numbers);
            for &(number, is_accepted) in &numbers {
                if !is_accepted {
                    rejected += 1;
                    if rejected >= attempts {
                        return Err(self.failure());
                    }
                } else if let Some(place) = slot.take() {
                    *place = number * self.deviation + self.mean;
                    rejected = 0;
                    slot = out.next();
                }
                if slot.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn failure(&self) -> Error {
        let message = "none of 1000 numbers lies between the bounds of a normal distribution, in deviations from its \
                       mean";
        Error::internal(format!("{message}: {:?} and {:?}", self.low, self.high))
    }
}

fn two<T: Float>() -> T {
    T::from_f32(2.0)
}

fn four<T: Float>() -> T {
    T::from_f32(4.0)
}

//! The energies of a spectrum in overlapping bands, which are evenly spaced by the mel scale.

use super::transform::Fixed;
use oplink::memory::{try_filled, try_reserve, try_vec};
use oplink::prelude::*;

/// Bits behind the point of weights.
pub(super) const WEIGHT_BITS: u32 = 12;

/// The lower slope of a band, with the upper slope of the one before it: frequencies from one on, each with the weight
/// that the band before has of it and the one that this band has.
struct Slope {
    first: usize,
    weights: Vec<(i16, i16)>,
}

/// The bands.
pub(super) struct Filterbank {
    slopes: Vec<Slope>,
}

fn mel(frequency: f32) -> f32 {
    (1127.0 * (f64::from(frequency) / 700.0).ln_1p()) as f32
}

impl Filterbank {
    /// So many bands of a spectrum of `bins` frequencies up to half of `rate`.
    ///
    /// # Errors
    /// A band reaches beyond the spectrum.
    pub(super) fn new(channels: usize, [lower, upper]: [f32; 2], rate: i64, bins: usize) -> Result<Self> {
        ensure!(lower >= 0.0, "lower_band_limit must be at least 0, it is {lower}");
        let low = mel(lower);
        let spacing = (mel(upper) - low) / (channels + 1) as f32;
        let bin = (0.5 * rate as f64 / f64::from(bins as f32 - 1.0)) as f32;
        let mel_of = |frequency: usize| mel(frequency as f32 * bin);
        let mut slopes = try_vec(channels + 1)?;
        let (mut first, mut before) = ((1.5 + f64::from(lower / bin)) as usize, low);
        for channel in 0..=channels {
            let center = low + spacing * (channel + 1) as f32;
            let mut weights = Vec::new();
            while mel_of(first + weights.len()) <= center {
                let frequency = first + weights.len();
                if frequency >= bins {
                    return Err(beyond(frequency, bins));
                }
                let weight = (center - mel_of(frequency)) / (center - before);
                let scale = (1 << WEIGHT_BITS) as f32;
                let fixed = |value: f64| (value + 0.5).floor() as i16;
                try_reserve(&mut weights, 1)?;
                let rest = (1.0 - f64::from(weight)) * f64::from(scale);
                weights.push((fixed(f64::from(weight * scale)), fixed(rest)));
            }
            let next = first + weights.len();
            slopes.push(Slope { first, weights });
            (first, before) = (next, center);
        }
        if first >= bins {
            return Err(beyond(first, bins));
        }
        Ok(Self { slopes })
    }

    /// The roots of the energies of a spectrum, each divided by 2^`shift`.
    pub(super) fn energies(&self, spectrum: &[Fixed], shift: u32, out: &mut [u32]) {
        let mut rest = 0u64;
        for (at, slope) in self.slopes.iter().enumerate() {
            let (mut sum, mut next) = (rest, 0u64);
            for (&value, &(weight, other)) in spectrum[slope.first.min(spectrum.len())..].iter().zip(&slope.weights) {
                let energy = energy(value);
                sum = sum.wrapping_add(energy.wrapping_mul(weight as u64));
                next = next.wrapping_add(energy.wrapping_mul(other as u64));
            }
            rest = next;
            // Below the first band there is no band.
            if let Some(channel) = at.checked_sub(1) {
                out[channel] = root(sum) >> shift;
            }
        }
    }

    /// Memory for the channels.
    pub(super) fn channels(&self) -> Result<Vec<u32>> {
        try_filled(0, self.slopes.len().saturating_sub(1))
    }
}

#[cold]
fn beyond(frequency: usize, bins: usize) -> Error {
    Error::internal(format!(
        "upper_band_limit is beyond the spectrum: a band reaches the frequency {frequency} of {bins}; lower it"
    ))
}

/// The square of a number's absolute value, as a number of 32 bits with a sign has it.
fn energy(value: Fixed) -> u64 {
    let [re, im] = [value.re, value.im].map(i32::from);
    (re * re).wrapping_add(im * im) as u64
}

/// The square root, rounded but for numbers near 2^32.
fn root(number: u64) -> u32 {
    if number >> 32 == 0 { root_up_to(number, 0xFFFF) } else { root_up_to(number, 0xFFFF_FFFF) }
}

/// The square root bit by bit; what is rounded up is at most `most`.
fn root_up_to(mut number: u64, most: u64) -> u32 {
    if number == 0 {
        return 0;
    }
    let mut bit = 1u64 << (number.ilog2() & !1);
    let mut root = 0;
    while bit != 0 {
        let tried = root + bit;
        root >>= 1;
        if number >= tried {
            number -= tried;
            root += bit;
        }
        bit >>= 2;
    }
    (root + u64::from(number > root && root != most)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_rounded() {
        for (number, expected) in [(0, 0), (1, 1), (2, 1), (3, 2), (16, 4), (20, 4), (21, 5), (1 << 40, 1 << 20)] {
            assert_eq!(root(number), expected, "{number}");
        }
        assert_eq!([root(u64::from(u32::MAX)), root(u64::MAX)], [0xFFFF, 0xFFFF_FFFF]);
    }

    #[test]
    fn bands_beyond_the_spectrum_are_refused() {
        assert!(Filterbank::new(32, [125.0, 7500.0], 16_000, 257).is_ok());
        for limits in [[125.0, 8000.0], [125.0, f32::INFINITY], [-1.0, 10.0]] {
            assert!(Filterbank::new(32, limits, 16_000, 257).is_err(), "{limits:?}");
        }
        assert!(Filterbank::new(3, [f32::NAN, f32::NAN], 16_000, 257).is_err());
    }
}

//! What follows the energies of channels: noise is subtracted, gain controlled, the logarithm taken.

use oplink::memory::try_filled;
use oplink::prelude::*;

/// Bits behind the point of the parts that the noise follows by.
const NOISE_BITS: u32 = 14;
/// Bits behind the point of a signal by its noise.
const RATIO_BITS: i64 = 12;
/// Bits behind the point of what gain control gives.
const OUTPUT_BITS: i64 = 6;
/// Bits behind the point of logarithms.
const LOG_BITS: u32 = 16;
/// Parts of the table of logarithms, as bits.
const LOG_TABLE_BITS: u32 = 7;
/// The natural logarithm of 2.
const LOG_OF_TWO: u64 = 45_426;
/// By how much the logarithm to base 2 of 1 + x is above x, for each 128th x.
const LOG_TABLE: [u16; 130] = [
    0, 224, 442, 654, 861, 1063, 1259, 1450, 1636, 1817, 1992, 2163, 2329, 2490, 2646, 2797, 2944, 3087, 3224, 3358,
    3487, 3611, 3732, 3848, 3960, 4068, 4172, 4272, 4368, 4460, 4549, 4633, 4714, 4791, 4864, 4934, 5001, 5063, 5123,
    5178, 5231, 5280, 5326, 5368, 5408, 5444, 5477, 5507, 5533, 5557, 5578, 5595, 5610, 5622, 5631, 5637, 5640, 5641,
    5638, 5633, 5626, 5615, 5602, 5586, 5568, 5547, 5524, 5498, 5470, 5439, 5406, 5370, 5332, 5291, 5249, 5203, 5156,
    5106, 5054, 5000, 4944, 4885, 4825, 4762, 4697, 4630, 4561, 4490, 4416, 4341, 4264, 4184, 4103, 4020, 3935, 3848,
    3759, 3668, 3575, 3481, 3384, 3286, 3186, 3084, 2981, 2875, 2768, 2659, 2549, 2437, 2323, 2207, 2090, 1971, 1851,
    1729, 1605, 1480, 1353, 1224, 1094, 963, 830, 695, 559, 421, 282, 142, 0, 0,
];

/// The noise of each channel, which is subtracted.
pub(super) struct Noise {
    bits: u32,
    /// The part that the noise follows a channel by, of even channels and of odd ones.
    follows: [u16; 2],
    least: u16,
    estimates: Vec<u32>,
}

impl Noise {
    /// Noise of so many channels, with so many more bits; it follows even and odd channels by these parts, and leaves
    /// at least the last one.
    pub(super) fn new(channels: usize, bits: i64, [even, odd, least]: [f32; 3]) -> Result<Self> {
        let bits = u32::try_from(bits).ok().filter(|&bits| bits < 32);
        let Some(bits) = bits else { bail!("smoothing_bits must be from 0 to 31") };
        let part = |value: f32| (value * (1 << NOISE_BITS) as f32) as u16;
        Ok(Self { bits, follows: [part(even), part(odd)], least: part(least), estimates: try_filled(0, channels)? })
    }

    pub(super) fn subtract(&mut self, signal: &mut [u32]) {
        for (at, (signal, estimate)) in signal.iter_mut().zip(&mut self.estimates).enumerate() {
            let follows = u32::from(self.follows[at % 2]);
            let rest = (1u32 << NOISE_BITS).wrapping_sub(follows);
            let scaled = *signal << self.bits;
            let products = [(scaled, follows), (*estimate, rest)].map(|(a, b)| u64::from(a) * u64::from(b));
            *estimate = (products[0].wrapping_add(products[1]) >> NOISE_BITS) as u32;
            let floor = ((u64::from(*signal) * u64::from(self.least)) >> NOISE_BITS) as u32;
            *signal = (scaled.saturating_sub(*estimate) >> self.bits).max(floor);
        }
    }
}

/// Gains by the noise of a channel: quadratic functions between powers of 2.
pub(super) struct Gains {
    /// The gains of 0 and 1, and for each interval from a power of 2 to the next the coefficients.
    first: [i16; 2],
    intervals: [[i16; 3]; 31],
    shift: u32,
}

impl Gains {
    /// Gains with so many bits, of noise with `noise_bits` more bits than a channel that has `correction` too few.
    pub(super) fn new(strength: f32, offset: f32, gain_bits: i64, noise_bits: u32, correction: i64) -> Result<Self> {
        let within = |name: &str, value: i64, most: u32| {
            let fitting = u32::try_from(value).ok().filter(|&value| value <= most);
            fitting.ok_or_else(|| Error::invalid_argument(format!("{name} must be from 0 to {most}, it is {value}")))
        };
        let input = within("smoothing_bits without the bits of the window", i64::from(noise_bits) - correction, 31)?;
        let bits = within("gain_bits", gain_bits, 31)?;
        let shift = within("gain_bits without those of the signal", gain_bits - correction - RATIO_BITS, 63)?;
        let gain = |noise: u32| -> i16 {
            let noise = noise as f32 / (1u32 << input) as f32;
            let gain = (1u32 << bits) as f32 * (noise + offset).powf(-strength);
            if gain > f32::from(i16::MAX) { i16::MAX } else { (gain + 0.5) as i32 as i16 }
        };
        let interval = |at: usize| {
            let low = 1u32 << (at + 1);
            let high = low.saturating_mul(2);
            let [y0, y1, y2] = [low, low + (low >> 1), high].map(|noise| i32::from(gain(noise)));
            let linear = 4 * (y1 - y0) - (y2 - y0);
            [y0 as i16, linear as i16, (y2 - y0 - linear) as i16]
        };
        Ok(Self { first: [gain(0), gain(1)], intervals: std::array::from_fn(interval), shift })
    }

    fn of(&self, noise: u32) -> i16 {
        if let Some(&gain) = self.first.get(noise as usize) {
            return gain;
        }
        let bits = noise.ilog2() + 1;
        let [constant, linear, square] = self.intervals[bits as usize - 2];
        if noise == 2 {
            return constant;
        }
        let fraction = if bits < 11 { noise << (11 - bits) } else { noise >> (bits - 11) } & 0x3FF;
        let fraction = fraction as i32;
        let slope = ((i32::from(square) * fraction) >> 5).wrapping_add(i32::from(linear) << 5);
        let rise = slope.wrapping_mul(fraction).wrapping_add(1 << 14) >> 15;
        rise.wrapping_add(i32::from(constant)) as i16
    }

    /// Multiplies channels by the gains of their noise.
    pub(super) fn control(&self, noise: &Noise, signal: &mut [u32]) {
        for (signal, &noise) in signal.iter_mut().zip(&noise.estimates) {
            let gain = i32::from(self.of(noise)) as u32;
            *signal = shrunk(((u64::from(*signal) * u64::from(gain)) >> self.shift) as u32);
        }
    }
}

/// A ratio, of which 1 is taken off; small ones become their squares.
fn shrunk(ratio: u32) -> u32 {
    if ratio < 2 << RATIO_BITS {
        ratio.wrapping_mul(ratio) >> (2 + 2 * RATIO_BITS - OUTPUT_BITS)
    } else {
        (ratio >> (RATIO_BITS - OUTPUT_BITS)) - (1 << OUTPUT_BITS)
    }
}

/// The natural logarithm of a number above 0, times 2^`scale`.
pub(super) fn logarithm(number: u32, scale: u32) -> u32 {
    let whole = number.ilog2();
    let above = i64::from(number) - (1i64 << whole);
    let fraction = if whole < LOG_BITS { above << (LOG_BITS - whole) } else { above >> (whole - LOG_BITS) } as i32;
    let part = (fraction >> (LOG_BITS - LOG_TABLE_BITS)) as usize;
    let [here, next] = [LOG_TABLE[part], LOG_TABLE[part + 1]].map(i32::from);
    let into = fraction - ((part as i32) << (LOG_BITS - LOG_TABLE_BITS));
    let fraction = fraction + here + (((next - here) * into) >> LOG_BITS);
    let by_two = (whole << LOG_BITS).wrapping_add(fraction as u32);
    let half = 1u32 << (LOG_BITS - 1);
    let natural = ((LOG_OF_TWO * u64::from(by_two) + u64::from(half)) >> LOG_BITS) as u32;
    (natural << scale).wrapping_add(half) >> LOG_BITS
}

//! Inverse cosine transforms of blocks, in the integers of libjpeg.

use std::num::Wrapping;

/// Ways of computing the transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transform {
    /// `jidctint`: products with 13 bits after the point.
    Accurate,
    /// `jidctfst`: products with 8 bits after the point, without rounding.
    Fast,
}

type Number = Wrapping<i32>;

const fn number(value: i32) -> Number {
    Wrapping(value)
}

/// What the factors of the fast transform are scaled by, with 14 bits after the point: the product of one for each
/// axis.
const SCALES: [[i32; 8]; 8] = [
    [16384, 22725, 21407, 19266, 16384, 12873, 8867, 4520],
    [22725, 31521, 29692, 26722, 22725, 17855, 12299, 6270],
    [21407, 29692, 27969, 25172, 21407, 16819, 11585, 5906],
    [19266, 26722, 25172, 22654, 19266, 15137, 10426, 5315],
    [16384, 22725, 21407, 19266, 16384, 12873, 8867, 4520],
    [12873, 17855, 16819, 15137, 12873, 10114, 6967, 3552],
    [8867, 12299, 11585, 10426, 8867, 6967, 4799, 2446],
    [4520, 6270, 5906, 5315, 4520, 3552, 2446, 1247],
];

impl Transform {
    /// What coefficients are multiplied by, of a table of quantization.
    pub(super) fn factors(self, table: &[u16; 64]) -> [i32; 64] {
        std::array::from_fn(|at| match self {
            Self::Accurate => i32::from(table[at]),
            Self::Fast => ((i64::from(table[at]) * i64::from(SCALES[at / 8][at % 8]) + 2048) >> 12) as i32,
        })
    }

    /// The pixels of a block of coefficients.
    pub(super) fn pixels(self, coefficients: &[i16], factors: &[i32; 64]) -> [u8; 64] {
        let mut values: [Number; 64] =
            std::array::from_fn(|at| number(i32::from(coefficients[at])) * number(factors[at]));
        for column in 0..8 {
            let line = std::array::from_fn(|row| values[row * 8 + column]);
            let line = self.line(line, 11);
            line.into_iter().enumerate().for_each(|(row, value)| values[row * 8 + column] = value);
        }
        let mut pixels = [0; 64];
        for (row, pixels) in pixels.chunks_exact_mut(8).enumerate() {
            let line = self.line(std::array::from_fn(|column| values[row * 8 + column]), 18);
            for (pixel, value) in pixels.iter_mut().zip(line) {
                let value = if self == Self::Fast { value >> 5 } else { value };
                *pixel = (value + number(128)).0.clamp(0, 255) as u8;
            }
        }
        pixels
    }

    fn line(self, line: [Number; 8], shift: usize) -> [Number; 8] {
        match self {
            Self::Accurate => accurate(line, shift),
            Self::Fast => fast(line),
        }
    }
}

/// The transform of a line, rounded to leave out `shift` bits.
fn accurate(x: [Number; 8], shift: usize) -> [Number; 8] {
    let [a, b, c, d] = {
        let middle = (x[2] + x[6]) * number(4433);
        let (low, high) = (middle - x[6] * number(15137), middle + x[2] * number(6270));
        let (sum, difference) = ((x[0] + x[4]) << 13, (x[0] - x[4]) << 13);
        [sum + high, difference + low, difference - low, sum - high]
    };
    let [z1, z2, z3, z4] = [x[7] + x[1], x[5] + x[3], x[7] + x[3], x[5] + x[1]];
    let z5 = (z3 + z4) * number(9633);
    let (z1, z2) = (z1 * number(-7373), z2 * number(-20995));
    let (z3, z4) = (z3 * number(-16069) + z5, z4 * number(-3196) + z5);
    let e = x[1] * number(12299) + z1 + z4;
    let f = x[3] * number(25172) + z2 + z3;
    let g = x[5] * number(16819) + z2 + z4;
    let h = x[7] * number(2446) + z1 + z3;
    let half = number(1 << (shift - 1));
    [a + e, b + f, c + g, d + h, d - h, c - g, b - f, a - e].map(|value| (value + half) >> shift)
}

/// The transform of a line of scaled numbers.
fn fast(x: [Number; 8]) -> [Number; 8] {
    let times = |value: Number, factor: i32| (value * number(factor)) >> 8;
    let (sum, difference, both) = (x[0] + x[4], x[0] - x[4], x[2] + x[6]);
    let turned = times(x[2] - x[6], 362) - both;
    let [a, b, c, d] = [sum + both, difference + turned, difference - turned, sum - both];
    let [z13, z10, z11, z12] = [x[5] + x[3], x[5] - x[3], x[1] + x[7], x[1] - x[7]];
    let z5 = times(z10 + z12, 473);
    let e = z11 + z13;
    let f = times(z10, -669) + z5 - e;
    let g = times(z11 - z13, 362) - f;
    let h = times(z12, 277) - z5 + g;
    [a + e, b + f, c + g, d - h, d + h, c - g, b - f, a - e]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_one_coefficient_is_flat() {
        let mut coefficients = [0i16; 64];
        coefficients[0] = 20;
        for transform in [Transform::Accurate, Transform::Fast] {
            let factors = transform.factors(&[16; 64]);
            assert_eq!(transform.pixels(&coefficients, &factors), [128 + 40; 64], "{transform:?}");
        }
    }

    #[test]
    fn pixels_are_near_those_of_the_formula() {
        let coefficients: [i16; 64] = std::array::from_fn(|at| ((at * 37 % 41) as i16 - 20) / (1 + at as i16 / 8));
        let cosine = |at: usize, k: usize| {
            let scale = if k == 0 { 0.5f64.sqrt() } else { 1.0 };
            scale * (std::f64::consts::PI * (2 * at + 1) as f64 * k as f64 / 16.0).cos() / 2.0
        };
        for (transform, tolerance) in [(Transform::Accurate, 0.55), (Transform::Fast, 3.0)] {
            let pixels = transform.pixels(&coefficients, &transform.factors(&[3; 64]));
            for (at, &pixel) in pixels.iter().enumerate() {
                let terms =
                    (0..64).map(|k| f64::from(coefficients[k]) * 3.0 * cosine(at / 8, k / 8) * cosine(at % 8, k % 8));
                let expected = (terms.sum::<f64>() + 128.0).clamp(0.0, 255.0);
                assert!((f64::from(pixel) - expected).abs() < tolerance, "{transform:?} {at}: {pixel} {expected}");
            }
        }
    }
}

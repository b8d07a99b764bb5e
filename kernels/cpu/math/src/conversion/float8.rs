//! The bits of 8-bit floats.

use oplink::prelude::*;

/// A format of 8-bit floats: the sign, the exponent and the mantissa from the highest bit down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// Bits of the mantissa.
    pub(super) mantissa: u32,
    /// What is subtracted of the exponent.
    bias: i32,
    /// The bits of infinity, or of NaN where there is no infinity.
    infinity: u8,
    /// The bits of NaN.
    nan: u8,
}

/// Five bits of exponent, with infinities.
const E5M2: Format = Format { mantissa: 2, bias: 15, infinity: 0x7c, nan: 0x7e };
/// Four bits of exponent, without infinities; NaN has all other bits set.
const E4M3FN: Format = Format { mantissa: 3, bias: 7, infinity: 0x7f, nan: 0x7f };

impl Format {
    /// The format of a dtype, if it is one that converts.
    pub(super) fn of(dtype: DType) -> Option<Self> {
        match dtype {
            DType::Float8E5M2 => Some(E5M2),
            DType::Float8E4M3FN => Some(E4M3FN),
            _ => None,
        }
    }

    /// The number that bits stand for.
    pub(super) fn decode(self, bits: u8) -> f32 {
        let (sign, magnitude) = (if bits >> 7 == 0 { 1.0 } else { -1.0 }, bits & 0x7f);
        let exponent = i32::from(magnitude >> self.mantissa);
        let fraction = f32::from(magnitude & ((1 << self.mantissa) - 1));
        let unit = |exponent: i32| (f32::from(2u8)).powi(exponent - self.bias - self.mantissa as i32);
        sign * match magnitude {
            magnitude if magnitude == self.infinity && self.infinity != self.nan => f32::INFINITY,
            magnitude if magnitude >= self.infinity => f32::NAN,
            _ if exponent == 0 => fraction * unit(1),
            _ => (fraction + f32::from(1u8 << self.mantissa)) * unit(exponent),
        }
    }

    /// The bits nearest to a number, of two the even ones; what is too large becomes infinity.
    pub(super) fn encode(self, value: f64) -> u8 {
        let sign = if value.is_sign_negative() { 0x80 } else { 0 };
        if value.is_nan() {
            return sign | self.nan;
        }
        let magnitude = value.abs();
        let bits = magnitude.to_bits();
        // The exponent of the number, not below that of the smallest normal one.
        let exponent = ((bits >> 52) as i32 - 1023).max(1 - self.bias);
        let unit = 2f64.powi(exponent - self.mantissa as i32);
        // In such units a normal number is at least the implicit bit, and a carry moves on to the next exponent.
        let units = (magnitude / unit).round_ties_even();
        let encoded = f64::from((exponent + self.bias - 1) << self.mantissa) + units;
        sign | if encoded >= f64::from(self.infinity) { self.infinity } else { encoded as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bits_there_and_back() {
        for format in [E5M2, E4M3FN] {
            for bits in 0..=255u8 {
                let value = format.decode(bits);
                if value.is_nan() {
                    assert_eq!(format.encode(value.into()) & 0x7f, format.nan, "{bits:#x}");
                } else {
                    assert_eq!(format.encode(value.into()), bits, "{bits:#x}: {value}");
                }
            }
        }
        assert_eq!((E5M2.decode(0x7b), E4M3FN.decode(0x7e), E4M3FN.decode(1)), (57344.0, 448.0, 0.001_953_125));
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        assert_eq!([1.0625, 1.0625 + 1e-12, 1.1875, 464.0, 464.1].map(|v| E4M3FN.encode(v)), [56, 57, 58, 126, 127]);
        assert_eq!([1.125, 1.375, 61439.0, 61440.0, 1e300].map(|v| E5M2.encode(v)), [60, 62, 0x7b, 0x7c, 0x7c]);
        assert_eq!([2f64.powi(-17), 2f64.powi(-17) * 1.01, -f64::INFINITY].map(|v| E5M2.encode(v)), [0, 1, 0xfc]);
    }
}

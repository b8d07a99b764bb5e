//! 16-bit floats as bits, to and from single precision, without branches.

/// The single-precision value of bfloat16 bits.
#[inline(always)]
pub fn bf16_to_single(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// The bfloat16 bits nearest to a value, ties to even; a NaN keeps its sign and becomes quiet.
#[inline(always)]
pub fn single_to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    let nan = ((bits >> 16) & 0x8000) | 0x7fc0;
    (if value.is_nan() { nan } else { rounded }) as u16
}

/// The single-precision value of half-precision bits: rebiases the exponent by a multiplication, which is exact and
/// normalises subnormal values.
#[inline(always)]
pub fn f16_to_single(bits: u16) -> f32 {
    let magnitude = u32::from(bits & 0x7fff) << 13;
    let scaled = (f32::from_bits(magnitude) * f32::from_bits(0x7780_0000)).to_bits();
    let special = if magnitude >= 0x0f80_0000 { magnitude | 0x7f80_0000 } else { scaled };
    f32::from_bits(special | (u32::from(bits & 0x8000) << 16))
}

/// The half-precision bits nearest to a value, ties to even; a NaN keeps its sign and becomes quiet.
#[inline(always)]
pub fn single_to_f16(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    // Adding a value whose unit in the last place is the one wanted leaves the rounded subnormal in the low bits.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let normal = magnitude.wrapping_sub(0x3800_0000 - 0xfff).wrapping_add((magnitude >> 13) & 1) >> 13;
    let finite = if magnitude < 0x3880_0000 { subnormal } else { normal };
    let special = if magnitude > 0x7f80_0000 { 0x7e00 } else { 0x7c00 };
    (sign | if magnitude >= 0x4780_0000 { special } else { finite }) as u16
}

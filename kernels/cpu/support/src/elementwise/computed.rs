//! The type that an element's arithmetic is done in.

use oplink::element::{QInt8, QInt16, QInt32, QUInt8, QUInt16};
use oplink::prelude::*;

use oplink_vmath::half::{bf16_to_single, f16_to_single, single_to_bf16, single_to_f16};
use oplink_vmath::loops::map;

/// An element that can be computed with, and the type its arithmetic is done in: `f32` for the 16-bit floats, itself
/// for every other one.
pub trait Computed: Element + Copy {
    /// The type computed in.
    type ComputeType: Element + Copy;

    /// The elements, where they are of the compute type.
    fn computed(elements: &[Self]) -> Option<&[Self::ComputeType]>;

    /// The elements to be written, where they are of the compute type.
    fn computed_mut(elements: &mut [Self]) -> Option<&mut [Self::ComputeType]>;

    /// Converts elements to the compute type; both have the same length.
    fn widen(elements: &[Self], computed: &mut [Self::ComputeType]);

    /// Rounds computed values to elements, to nearest even; both have the same length.
    fn narrow(computed: &[Self::ComputeType], elements: &mut [Self]);

    /// One element in the compute type.
    fn to_computed(self) -> Self::ComputeType;

    /// One computed value as an element.
    fn from_computed(value: Self::ComputeType) -> Self;
}

macro_rules! own_computed {
    ($($ty:ty),*) => {$(
        impl Computed for $ty {
            type ComputeType = Self;
            #[inline]
            fn computed(elements: &[Self]) -> Option<&[Self]> { Some(elements) }
            #[inline]
            fn computed_mut(elements: &mut [Self]) -> Option<&mut [Self]> { Some(elements) }
            #[inline]
            fn widen(elements: &[Self], computed: &mut [Self]) { computed.copy_from_slice(elements); }
            #[inline]
            fn narrow(computed: &[Self], elements: &mut [Self]) { elements.copy_from_slice(computed); }
            #[inline]
            fn to_computed(self) -> Self { self }
            #[inline]
            fn from_computed(value: Self) -> Self { value }
        }
    )*};
}

own_computed!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, Complex<f32>, Complex<f64>);
own_computed!(QInt8, QUInt8, QInt16, QUInt16, QInt32);

macro_rules! single_computed {
    ($($ty:ty: $widen:ident, $narrow:ident;)*) => {$(
        impl Computed for $ty {
            type ComputeType = f32;
            #[inline]
            fn computed(_: &[Self]) -> Option<&[f32]> { None }
            #[inline]
            fn computed_mut(_: &mut [Self]) -> Option<&mut [f32]> { None }
            fn widen(elements: &[Self], computed: &mut [f32]) { map(elements, computed, |x| $widen(x.to_bits())); }
            fn narrow(computed: &[f32], elements: &mut [Self]) {
                map(computed, elements, |x| Self::from_bits($narrow(x)));
            }
            #[inline]
            fn to_computed(self) -> f32 { self.to_f32() }
            #[inline]
            fn from_computed(value: f32) -> Self { Self::from_f32(value) }
        }
    )*};
}

single_computed! {
    bf16: bf16_to_single, single_to_bf16;
    f16: f16_to_single, single_to_f16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bit_floats_convert_as_defined() {
        for bits in 0..=u16::MAX {
            let (b, h) = (bf16::from_bits(bits), f16::from_bits(bits));
            assert_eq!(bf16_to_single(bits).to_bits(), u32::from(bits) << 16);
            assert_eq!(single_to_bf16(b.to_f32()), if b.is_nan() { bits & 0x8000 | 0x7fc0 } else { bits });
            let single = f16_to_single(bits);
            assert!(single.to_bits() == h.to_f32().to_bits() || (single.is_nan() && h.is_nan()), "{bits:#x}");
            assert_eq!(single_to_f16(single), if h.is_nan() { bits & 0x8000 | 0x7e00 } else { bits });
        }
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        for i in 0..2_000_000u32 {
            let value = f32::from_bits(i.wrapping_mul(0x9e37_79b1));
            if value.is_nan() {
                continue;
            }
            assert_eq!(single_to_f16(value), f16::from_f32_const(value).to_bits(), "{value}");
            assert_eq!(single_to_bf16(value), bf16::from_f32(value).to_bits(), "{value}");
        }
    }
}

//! Conversion between every two compute types.

use oplink::prelude::*;

/// A number that has a counterpart among the numbers of type `To`.
pub(super) trait Convert<To>: Copy {
    /// The counterpart.
    fn convert(self) -> To;
}

/// A number of which the low bits of the mantissa can be cleared, in both parts of complex numbers.
pub(super) trait Truncate: Copy {
    /// The number with `count` low bits cleared; itself where it is not a float.
    #[inline(always)]
    fn without_low_bits(self, count: u32) -> Self {
        let _ = count;
        self
    }
}

macro_rules! convert {
    ($from:ty as |$x:ident| $($to:ty: $value:expr;)*) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self) -> $to {
                let $x = self;
                $value
            }
        }
    )*};
}

macro_rules! from_integers {
    ($($from:ty),*) => {$(
        impl Truncate for $from {}
        convert! { $from as |x|
            bool: x != 0;
            i8: x as i8; i16: x as i16; i32: x as i32; i64: x as i64;
            u8: x as u8; u16: x as u16; u32: x as u32; u64: x as u64;
            f32: x as f32; f64: x as f64;
            Complex<f32>: Complex::new(x as f32, 0.0); Complex<f64>: Complex::new(x as f64, 0.0);
        }
    )*};
}

macro_rules! from_floats {
    ($($from:ty),*) => {$(
        impl Truncate for $from {
            #[inline(always)]
            fn without_low_bits(self, count: u32) -> Self { Self::from_bits(self.to_bits() >> count << count) }
        }
        convert! { $from as |x|
            bool: x != 0.0;
            i8: to_i32(x.into()) as i8; i16: to_i32(x.into()) as i16; i32: to_i32(x.into()); i64: to_i64(x.into());
            u8: to_i32(x.into()) as u8; u16: to_i32(x.into()) as u16; u32: to_i64(x.into()) as u32; u64: to_u64(x.into());
            f32: x as f32; f64: x as f64;
            Complex<f32>: Complex::new(x as f32, 0.0); Complex<f64>: Complex::new(x as f64, 0.0);
        }
    )*};
}

macro_rules! truncate_parts {
    ($($complex:ty),*) => {$(
        impl Truncate for $complex {
            #[inline(always)]
            fn without_low_bits(self, count: u32) -> Self {
                Self::new(self.re.without_low_bits(count), self.im.without_low_bits(count))
            }
        }
    )*};
}

/// Through the real part, or another representative, and what remains.
macro_rules! through {
    ($from:ty as |$x:ident| $inner:expr; $($to:ty),*) => {
        convert! { $from as |$x| $($to: $inner.convert();)* }
    };
}

from_integers!(i8, i16, i32, i64, u8, u16, u32, u64);
from_floats!(f32, f64);
through!(bool as |x| u8::from(x); i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, Complex<f32>, Complex<f64>);
through!(Complex<f32> as |z| z.re; bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
through!(Complex<f64> as |z| z.re; bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
convert!(bool as |x| bool: x;);
impl Truncate for bool {}
truncate_parts!(Complex<f32>, Complex<f64>);
convert! { Complex<f32> as |z|
    Complex<f32>: z;
    Complex<f64>: Complex::new(z.re.into(), z.im.into());
}
convert! { Complex<f64> as |z|
    Complex<f32>: Complex::new(z.re as f32, z.im as f32);
    Complex<f64>: z;
}

/// The integer without its fraction; the smallest integer for what does not fit and for NaN.
#[inline(always)]
fn to_i32(x: f64) -> i32 {
    let fits = x > f64::from(i32::MIN) - 1.0 && x < f64::from(i32::MAX) + 1.0;
    if fits { x as i32 } else { i32::MIN }
}

/// As [`to_i32`].
#[inline(always)]
fn to_i64(x: f64) -> i64 {
    if x.abs() < 9_223_372_036_854_775_808.0 { x as i64 } else { i64::MIN }
}

/// As [`to_i32`] for negative numbers, with `2^63` for what does not fit.
#[inline(always)]
fn to_u64(x: f64) -> u64 {
    let high = x - 9_223_372_036_854_775_808.0;
    if high >= 0.0 { to_i64(high) as u64 | (1 << 63) } else { to_i64(x) as u64 }
}

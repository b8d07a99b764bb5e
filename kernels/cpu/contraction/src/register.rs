//! Vector registers as a trait, so that a tile of a matrix product is written once for all of them.
//!
//! The compiler turns loops over arrays into vector instructions, but does not keep a tile's sums in registers
//! reliably; values of the processor's own vector types stay there.
#![allow(unsafe_code, reason = "room: instructions that some processors have, loads and stores")]

/// Numbers of the widest register.
const MOST_LANES: usize = 16;

/// Some numbers side by side.
///
/// # Safety
/// Methods are called only on processors that have the instructions behind them; addresses need no alignment.
pub(crate) trait Register<L>: Copy {
    /// Numbers in a register.
    const LANES: usize;

    /// The same number in each lane.
    unsafe fn splat(value: L) -> Self;

    /// The numbers at an address, where there are so many to be read.
    unsafe fn load(from: *const L) -> Self;

    /// Overwrites the numbers at an address, where there are so many to be written.
    unsafe fn store(self, to: *mut L);

    /// The first `count` numbers at an address, where there are so many to be read, and zeros.
    #[inline(always)]
    unsafe fn load_first(from: *const L, count: usize) -> Self
    where
        L: Default,
    {
        let mut block: [L; MOST_LANES] = std::array::from_fn(|_| L::default());
        // SAFETY: there are as many numbers at `from`; `block` has room for a register.
        unsafe {
            block.as_mut_ptr().copy_from_nonoverlapping(from, count.min(Self::LANES));
            Self::load(block.as_ptr())
        }
    }

    /// Overwrites `count` numbers at an address with the first, where there are so many to be written.
    #[inline(always)]
    unsafe fn store_first(self, to: *mut L, count: usize)
    where
        L: Default,
    {
        let mut block: [L; MOST_LANES] = std::array::from_fn(|_| L::default());
        // SAFETY: `block` has room for a register, `to` for as many numbers.
        unsafe {
            self.store(block.as_mut_ptr());
            to.copy_from_nonoverlapping(block.as_ptr(), count.min(Self::LANES));
        }
    }

    /// `self * b + c`.
    unsafe fn multiply_add(self, b: Self, c: Self) -> Self;

    /// `low` where a number is below it, `high` where above; NaN stays.
    unsafe fn bounded(self, low: Self, high: Self) -> Self;
}

/// A register of a processor without wider ones that are known here.
#[derive(Clone, Copy)]
pub(crate) struct Plain<L, const LANES: usize, const FUSED: bool>([L; LANES]);

macro_rules! plain {
    ($($lane:ty: |$a:ident, $b:ident, $c:ident| $fused:expr, $plain:expr;)*) => {$(
        impl<const LANES: usize, const FUSED: bool> Register<$lane> for Plain<$lane, LANES, FUSED> {
            const LANES: usize = LANES;

            #[inline(always)]
            unsafe fn splat(value: $lane) -> Self {
                Self([value; LANES])
            }
            #[inline(always)]
            unsafe fn load(from: *const $lane) -> Self {
                // SAFETY: `LANES` numbers can be read at `from`, whatever its alignment.
                Self(unsafe { from.cast::<[$lane; LANES]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $lane) {
                // SAFETY: `LANES` numbers can be written at `to`, whatever its alignment.
                unsafe { to.cast::<[$lane; LANES]>().write_unaligned(self.0) }
            }
            #[inline(always)]
            unsafe fn multiply_add(self, b: Self, c: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    let ($a, $b, $c) = (self.0[i], b.0[i], c.0[i]);
                    if FUSED { $fused } else { $plain }
                }))
            }
            #[inline(always)]
            unsafe fn bounded(self, low: Self, high: Self) -> Self {
                Self(std::array::from_fn(|i| {
                    let above = if self.0[i] < low.0[i] { low.0[i] } else { self.0[i] };
                    if above > high.0[i] { high.0[i] } else { above }
                }))
            }
        }
    )*};
}

plain! {
    f32: |a, b, c| a.mul_add(b, c), a * b + c;
    f64: |a, b, c| a.mul_add(b, c), a * b + c;
    i32: |a, b, c| a.wrapping_mul(b).wrapping_add(c), a.wrapping_mul(b).wrapping_add(c);
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::*;

    use super::Register;

    macro_rules! registers {
        (
            $($ty:ty, $lane:ty, $lanes:literal:
                $splat:ident $load:ident $store:ident $fma:ident $max:ident $min:ident $({ $($item:item)* })?;)*
        ) => {$(
            impl Register<$lane> for $ty {
                const LANES: usize = $lanes;

                #[inline(always)]
                unsafe fn splat(value: $lane) -> Self {
                    // SAFETY: the caller's processor has this instruction, as the trait demands.
                    unsafe { $splat(value) }
                }
                #[inline(always)]
                unsafe fn load(from: *const $lane) -> Self {
                    // SAFETY: the caller's processor has this instruction, as the trait demands; a register's numbers
                    // can be read at `from`.
                    unsafe { $load(from) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $lane) {
                    // SAFETY: the caller's processor has this instruction, as the trait demands; a register's numbers
                    // can be written at `to`.
                    unsafe { $store(to, self) }
                }
                #[inline(always)]
                unsafe fn multiply_add(self, b: Self, c: Self) -> Self {
                    // SAFETY: the caller's processor has this instruction, as the trait demands.
                    unsafe { $fma(self, b, c) }
                }
                #[inline(always)]
                unsafe fn bounded(self, low: Self, high: Self) -> Self {
                    // The second operand comes out where either is NaN.
                    // SAFETY: the caller's processor has these instructions, as the trait demands.
                    unsafe { $min(high, $max(low, self)) }
                }
                $($($item)*)?
            }
        )*};
    }

    /// A bit for each of the first lanes of 16.
    #[inline(always)]
    fn first_lanes(count: usize) -> __mmask16 {
        if count >= 16 { !0 } else { (1 << count) - 1 }
    }

    registers! {
        __m512, f32, 16: _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_fmadd_ps _mm512_max_ps _mm512_min_ps {
            #[inline(always)]
            unsafe fn load_first(from: *const f32, count: usize) -> Self {
                // SAFETY: as for `load`; elements without a bit in the mask are not read.
                unsafe { _mm512_maskz_loadu_ps(first_lanes(count), from) }
            }
            #[inline(always)]
            unsafe fn store_first(self, to: *mut f32, count: usize) {
                // SAFETY: as for `store`; elements without a bit in the mask are not written.
                unsafe { _mm512_mask_storeu_ps(to, first_lanes(count), self) }
            }
        };
        __m512d, f64, 8: _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_fmadd_pd _mm512_max_pd _mm512_min_pd;
        __m256, f32, 8: _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_fmadd_ps _mm256_max_ps _mm256_min_ps;
        __m256d, f64, 4: _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_fmadd_pd _mm256_max_pd _mm256_min_pd;
    }
}

//! The ways of multiplying that this processor has: their instructions, and how their groups are made.
#![allow(unsafe_code, reason = "room: instructions of processors that were asked for them")]
#![allow(clippy::ifs_same_cond, reason = "conditions on the target are constants when clippy sees them")]

use multiversion::multiversion;
use multiversion::target::target_cfg_f;
use oplink_vmath::half::{bf16_to_single, f16_to_single};

use super::Way;
use super::tile::{Instruction, Sums, Tile, VECTOR_ROWS, WIDTH, tile_loops};
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use super::{amx, tile::MAX_ROWS};
use crate::register::{Plain, Register};

/// Pairs of bfloat16 by the processor's own instruction.
#[cfg(target_arch = "x86_64")]
static BF16_PAIRS: Way<u16, f32> = Way {
    name: "bf16 pairs",
    group: 2,
    rows: VECTOR_ROWS,
    setup: None,
    right: pairs,
    left: None,
    tile: x86_64::bf16_pairs,
};
/// Pairs of bfloat16 by tile registers.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
static BF16_TILES: Way<u16, f32> = Way {
    name: "bf16 tiles",
    group: 2,
    rows: MAX_ROWS,
    setup: Some(amx::SETUP),
    right: pairs,
    left: None,
    tile: amx::bf16_pairs,
};
/// bfloat16 widened to single precision.
static BF16_SINGLES: Way<u16, f32> = Way {
    name: "bf16 singles",
    group: 1,
    rows: VECTOR_ROWS,
    setup: None,
    right: bf16_singles,
    left: Some(bf16_singles),
    tile: singles,
};
/// Half precision widened to single precision.
static F16_SINGLES: Way<u16, f32> = Way {
    name: "f16 singles",
    group: 1,
    rows: VECTOR_ROWS,
    setup: None,
    right: f16_singles,
    left: Some(f16_singles),
    tile: singles,
};

/// The ways of multiplying bfloat16 to single-precision sums, the fastest first.
pub(super) fn bf16() -> Vec<&'static Way<u16, f32>> {
    let mut ways = vec![&BF16_SINGLES];
    #[cfg(target_arch = "x86_64")]
    if x86_64::has_bf16() {
        ways.insert(0, &BF16_PAIRS);
    }
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    if amx::has_tiles() {
        ways.insert(0, &BF16_TILES);
    }
    ways
}

/// The ways of multiplying half precision to single-precision sums.
pub(super) fn f16() -> Vec<&'static Way<u16, f32>> {
    vec![&F16_SINGLES]
}

/// Whether a way multiplies by instructions for 16-bit floats.
pub(super) fn is_native(way: &Way<u16, f32>) -> bool {
    way.left.is_none()
}

/// Two lines of numbers as one of pairs, the first below the second.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn pairs(lines: &[u16], to: &mut [u32]) {
    for (lines, to) in lines.as_chunks::<{ 2 * WIDTH }>().0.iter().zip(to.as_chunks_mut::<WIDTH>().0) {
        for (column, to) in to.iter_mut().enumerate() {
            *to = u32::from(lines[column]) | u32::from(lines[WIDTH + column]) << 16;
        }
    }
}

/// The bits of the single-precision values.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn bf16_singles(from: &[u16], to: &mut [u32]) {
    from.iter().zip(to).for_each(|(&from, to)| *to = bf16_to_single(from).to_bits());
}

/// As [`bf16_singles`], of half precision.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn f16_singles(from: &[u16], to: &mut [u32]) {
    from.iter().zip(to).for_each(|(&from, to)| *to = f16_to_single(from).to_bits());
}

/// Groups of one single-precision number, in registers `R`.
struct Singles<R>(R);

impl<R: Register<f32>> Instruction for Singles<R> {
    type Number = f32;
    type Sums = R;
    type Groups = R;
    const LANES: usize = R::LANES;

    #[inline(always)]
    unsafe fn zero() -> R {
        // SAFETY: the caller's processor has the instruction.
        unsafe { R::splat(0.0) }
    }
    #[inline(always)]
    unsafe fn load(from: *const u32) -> R {
        // SAFETY: the caller's processor has the instruction; groups are the bits of numbers.
        unsafe { R::load(from.cast()) }
    }
    #[inline(always)]
    unsafe fn splat(from: *const u8) -> R {
        // SAFETY: the caller's processor has the instruction, and a group is the bits of a number.
        unsafe { R::splat(from.cast::<f32>().read_unaligned()) }
    }
    #[inline(always)]
    unsafe fn dot(sums: R, left: R, right: R) -> R {
        // SAFETY: the caller's processor has the instruction.
        unsafe { left.multiply_add(right, sums) }
    }
    #[inline(always)]
    unsafe fn add(a: R, b: R) -> R {
        // SAFETY: the caller's processor has the instruction.
        unsafe { a.multiply_add(R::splat(1.0), b) }
    }
    #[inline(always)]
    unsafe fn store(sums: R, to: *mut f32) {
        // SAFETY: the caller's processor has the instruction, and there is room at the address.
        unsafe { sums.store(to) }
    }
}

/// # Safety
/// As for [`super::tile::TileLoops`]; any processor has these instructions.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
unsafe fn singles(tile: &Tile<'_>, rows: usize, sums: &mut Sums<f32>) {
    if target_cfg_f!(target_feature = "avx512f") {
        #[cfg(target_arch = "x86_64")]
        tile_loops!(Singles<__m512>, 2, (tile, rows, sums); 12 8 4 2 1);
    } else if target_cfg_f!(target_feature = "fma") {
        #[cfg(target_arch = "x86_64")]
        tile_loops!(Singles<__m256>, 2, (tile, rows, sums); 6 3 1);
    } else if target_cfg_f!(target_arch = "aarch64") {
        tile_loops!(Singles<Plain<f32, 8, true>>, 1, (tile, rows, sums); 8 4 1);
    } else {
        tile_loops!(Singles<Plain<f32, 8, false>>, 1, (tile, rows, sums); 4 1);
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256, __m512};

#[cfg(target_arch = "x86_64")]
pub(super) mod x86_64 {
    use std::arch::is_x86_feature_detected;
    use std::arch::x86_64::*;

    use super::{Instruction, Sums, Tile, tile_loops};

    /// Whether the processor multiplies pairs of bfloat16.
    pub(super) fn has_bf16() -> bool {
        is_x86_feature_detected!("avx512bf16") && is_x86_feature_detected!("avx512f")
    }

    /// Groups of two bfloat16.
    struct Bf16Pairs;

    impl Instruction for Bf16Pairs {
        type Number = f32;
        type Sums = __m512;
        type Groups = __m512i;
        const LANES: usize = 16;

        #[inline(always)]
        unsafe fn zero() -> __m512 {
            // SAFETY: the caller's processor has this instruction.
            unsafe { _mm512_setzero_ps() }
        }
        #[inline(always)]
        unsafe fn load(from: *const u32) -> __m512i {
            // SAFETY: the caller's processor has this instruction, and a register's groups can be read at the address.
            unsafe { _mm512_loadu_si512(from.cast()) }
        }
        #[inline(always)]
        unsafe fn splat(from: *const u8) -> __m512i {
            // SAFETY: the caller's processor has this instruction, and a group can be read at the address.
            unsafe { _mm512_set1_epi32(from.cast::<i32>().read_unaligned()) }
        }
        #[inline(always)]
        unsafe fn dot(sums: __m512, left: __m512i, right: __m512i) -> __m512 {
            // SAFETY: the caller's processor has this instruction; both types are the same bits.
            unsafe {
                _mm512_dpbf16_ps(
                    sums,
                    std::mem::transmute::<__m512i, __m512bh>(left),
                    std::mem::transmute::<__m512i, __m512bh>(right),
                )
            }
        }
        #[inline(always)]
        unsafe fn add(a: __m512, b: __m512) -> __m512 {
            // SAFETY: the caller's processor has this instruction.
            unsafe { _mm512_add_ps(a, b) }
        }
        #[inline(always)]
        unsafe fn store(sums: __m512, to: *mut f32) {
            // SAFETY: the caller's processor has this instruction, and there is room at the address.
            unsafe { _mm512_storeu_ps(to, sums) }
        }
    }

    /// # Safety
    /// As for [`super::super::tile::TileLoops`], on a processor of which `has_bf16`.
    #[target_feature(enable = "avx512f,avx512bf16")]
    pub(in crate::dot) unsafe fn bf16_pairs(tile: &Tile<'_>, rows: usize, sums: &mut Sums<f32>) {
        if tile.columns > 16 {
            tile_loops!(Bf16Pairs, 2, (tile, rows, sums); 12 8 4 2 1);
        } else {
            tile_loops!(Bf16Pairs, 1, (tile, rows, sums); 12 8 4 2 1);
        }
    }
}

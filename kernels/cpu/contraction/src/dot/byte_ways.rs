//! The ways of multiplying unsigned by signed bytes that this processor has.
#![allow(unsafe_code, reason = "room: instructions of processors that were asked for them")]
#![allow(clippy::ifs_same_cond, reason = "conditions on the target are constants when clippy sees them")]

use multiversion::multiversion;
use multiversion::target::target_cfg_f;

use super::Way;
use super::tile::{Instruction, Sums, Tile, VECTOR_ROWS, WIDTH, tile_loops};
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use super::{amx, tile::MAX_ROWS};

/// Groups of four bytes by the processor's own instruction.
#[cfg(target_arch = "x86_64")]
static QUADS: Way<u8, i32> =
    Way { name: "byte quads", group: 4, rows: VECTOR_ROWS, setup: None, right: quads, left: None, tile: x86_64::quads };
/// Groups of four bytes by tile registers.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
static TILES: Way<u8, i32> = Way {
    name: "byte tiles",
    group: 4,
    rows: MAX_ROWS,
    setup: Some(amx::SETUP),
    right: quads,
    left: None,
    tile: amx::byte_quads,
};
/// Pairs of 16-bit integers.
static WORDS: Way<u8, i32> = Way {
    name: "word pairs",
    group: 2,
    rows: VECTOR_ROWS,
    setup: None,
    right: word_lines,
    left: Some(left_words),
    tile: words,
};

/// The ways of multiplying bytes to 32-bit sums, the fastest first. What a right byte is less 128 counts.
pub(super) fn bytes() -> Vec<&'static Way<u8, i32>> {
    let mut ways = vec![&WORDS];
    #[cfg(target_arch = "x86_64")]
    if x86_64::has_quads() {
        ways.insert(0, &QUADS);
    }
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    if amx::has_tiles() {
        ways.insert(0, &TILES);
    }
    ways
}

/// Four lines of bytes as one of groups, the first byte lowest; 128 is taken off each.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn quads(lines: &[u8], to: &mut [u32]) {
    for (lines, to) in lines.as_chunks::<{ 4 * WIDTH }>().0.iter().zip(to.as_chunks_mut::<WIDTH>().0) {
        for (column, to) in to.iter_mut().enumerate() {
            let byte = |line: usize| u32::from(lines[line * WIDTH + column]) << (8 * line);
            *to = (byte(0) | byte(1) | byte(2) | byte(3)) ^ 0x8080_8080;
        }
    }
}

/// Two lines of bytes, less 128, as one of pairs.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn word_lines(lines: &[u8], to: &mut [u32]) {
    for (lines, to) in lines.as_chunks::<{ 2 * WIDTH }>().0.iter().zip(to.as_chunks_mut::<WIDTH>().0) {
        for (column, to) in to.iter_mut().enumerate() {
            let word = |line: usize| (i32::from(lines[line * WIDTH + column]) - 128) as u32 & 0xffff;
            *to = word(0) | word(1) << 16;
        }
    }
}

/// Left bytes as pairs.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn left_words(from: &[u8], to: &mut [u32]) {
    for (&[low, high], to) in from.as_chunks::<2>().0.iter().zip(to) {
        *to = u32::from(low) | u32::from(high) << 16;
    }
}

/// Pairs of 16-bit integers in arrays.
struct PlainWords;

const PLAIN: usize = 8;

impl Instruction for PlainWords {
    type Number = i32;
    type Sums = [i32; PLAIN];
    type Groups = [u32; PLAIN];
    const LANES: usize = PLAIN;

    #[inline(always)]
    unsafe fn zero() -> [i32; PLAIN] {
        [0; PLAIN]
    }
    #[inline(always)]
    unsafe fn load(from: *const u32) -> [u32; PLAIN] {
        // SAFETY: so many groups can be read at the address.
        unsafe { from.cast::<[u32; PLAIN]>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn splat(from: *const u8) -> [u32; PLAIN] {
        // SAFETY: a group can be read at the address.
        [unsafe { from.cast::<u32>().read_unaligned() }; PLAIN]
    }
    #[inline(always)]
    unsafe fn dot(sums: [i32; PLAIN], left: [u32; PLAIN], right: [u32; PLAIN]) -> [i32; PLAIN] {
        let low = |group: u32| i32::from(group as u16 as i16);
        let high = |group: u32| (group as i32) >> 16;
        std::array::from_fn(|i| {
            sums[i].wrapping_add(low(left[i]) * low(right[i])).wrapping_add(high(left[i]) * high(right[i]))
        })
    }
    #[inline(always)]
    unsafe fn add(a: [i32; PLAIN], b: [i32; PLAIN]) -> [i32; PLAIN] {
        std::array::from_fn(|i| a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    unsafe fn store(sums: [i32; PLAIN], to: *mut i32) {
        // SAFETY: there is room for so many sums at the address.
        unsafe { to.cast::<[i32; PLAIN]>().write_unaligned(sums) }
    }
}

/// # Safety
/// As for [`super::tile::TileLoops`]; any processor has these instructions.
#[multiversion(targets("x86_64+avx2+fma"))]
unsafe fn words(tile: &Tile<'_>, rows: usize, sums: &mut Sums<i32>) {
    if target_cfg_f!(target_feature = "avx2") {
        #[cfg(target_arch = "x86_64")]
        tile_loops!(x86_64::WordPairs, 2, (tile, rows, sums); 6 3 1);
    } else {
        tile_loops!(PlainWords, 1, (tile, rows, sums); 4 1);
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod x86_64 {
    use std::arch::is_x86_feature_detected;
    use std::arch::x86_64::*;

    use super::{Instruction, Sums, Tile, tile_loops};

    /// Whether the processor multiplies groups of four bytes.
    pub(super) fn has_quads() -> bool {
        is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512f")
    }

    macro_rules! instruction {
        ($(#[$doc:meta])* $name:ident, $register:ty, $lanes:literal:
         $zero:ident $load:ident $splat:ident $add:ident $store:ident, |$sums:ident, $left:ident, $right:ident| $dot:expr) => {
            $(#[$doc])*
            pub(super) struct $name;

            impl Instruction for $name {
                type Number = i32;
                type Sums = $register;
                type Groups = $register;
                const LANES: usize = $lanes;

                #[inline(always)]
                unsafe fn zero() -> $register {
                    // SAFETY: the caller's processor has this instruction.
                    unsafe { $zero() }
                }
                #[inline(always)]
                unsafe fn load(from: *const u32) -> $register {
                    // SAFETY: the caller's processor has this instruction, and a register's groups can be read there.
                    unsafe { $load(from.cast()) }
                }
                #[inline(always)]
                unsafe fn splat(from: *const u8) -> $register {
                    // SAFETY: the caller's processor has this instruction, and a group can be read there.
                    unsafe { $splat(from.cast::<i32>().read_unaligned()) }
                }
                #[inline(always)]
                unsafe fn dot($sums: $register, $left: $register, $right: $register) -> $register {
                    // SAFETY: the caller's processor has this instruction.
                    unsafe { $dot }
                }
                #[inline(always)]
                unsafe fn add(a: $register, b: $register) -> $register {
                    // SAFETY: the caller's processor has this instruction.
                    unsafe { $add(a, b) }
                }
                #[inline(always)]
                unsafe fn store(sums: $register, to: *mut i32) {
                    // SAFETY: the caller's processor has this instruction, and there is room at the address.
                    unsafe { $store(to.cast(), sums) }
                }
            }
        };
    }

    instruction! {
        /// Groups of four bytes: unsigned on the left, signed on the right.
        Quads, __m512i, 16: _mm512_setzero_si512 _mm512_loadu_si512 _mm512_set1_epi32 _mm512_add_epi32
            _mm512_storeu_si512, |sums, left, right| _mm512_dpbusd_epi32(sums, left, right)
    }
    instruction! {
        /// Groups of two 16-bit integers.
        WordPairs, __m256i, 8: _mm256_setzero_si256 _mm256_loadu_si256 _mm256_set1_epi32 _mm256_add_epi32
            _mm256_storeu_si256, |sums, left, right| _mm256_add_epi32(sums, _mm256_madd_epi16(left, right))
    }

    /// # Safety
    /// As for [`super::super::tile::TileLoops`], on a processor of which `has_quads`.
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub(in crate::dot) unsafe fn quads(tile: &Tile<'_>, rows: usize, sums: &mut Sums<i32>) {
        if tile.columns > 16 {
            tile_loops!(Quads, 2, (tile, rows, sums); 12 8 4 2 1);
        } else {
            tile_loops!(Quads, 1, (tile, rows, sums); 12 8 4 2 1);
        }
    }
}

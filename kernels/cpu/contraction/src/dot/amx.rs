//! Products of groups by the tile registers of Intel's processors (AMX).
//!
//! A tile register is 16 rows of 64 bytes. Two of the left side, 32 rows of 16 groups, and two of a panel, 16 lines of
//! 32 groups, make the sums of 32 rows and 32 columns in four. Groups of the depth beyond the last 16 are copied to
//! zeros first. A single row, which is bound by memory, is left to the instruction of the vector registers, whose
//! groups are the same.
#![allow(
    unsafe_code,
    reason = "room: tile registers, which Rust has no stable functions for, on processors that have them"
)]

use std::arch::asm;
use std::arch::x86_64::__cpuid_count;
use std::sync::LazyLock;

use super::tile::{Left, MAX_ROWS, Setup, Sums, Tile, WIDTH};

/// Rows of a tile register, and groups of one of its rows.
const SIDE: usize = 16;
/// Bytes of a row of a tile register.
const ROW: usize = 64;
/// The system's number of the part of a processor's state that tile registers are.
const TILE_DATA: libc::c_long = 18;
/// The request of `arch_prctl` to use a part of the state.
const REQUEST_PERMISSION: libc::c_long = 0x1023;

/// Whether the processor multiplies tiles of bfloat16 and of bytes, and the system lets this process do so.
pub(super) fn has_tiles() -> bool {
    static HAS_TILES: LazyLock<bool> = LazyLock::new(|| {
        const TILES: u32 = 1 << 24 | 1 << 22 | 1 << 25;
        let vectors = is_x86_feature_detected!("avx512bf16") && is_x86_feature_detected!("avx512vnni");
        // The leaf is there on processors that have those.
        if !vectors || __cpuid_count(7, 0).edx & TILES != TILES {
            return false;
        }
        // SAFETY: the call reads and writes no memory of this process; a system that does not know it refuses.
        unsafe { libc::syscall(libc::SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0 }
    });
    *HAS_TILES
}

/// The form of each tile register, as the processor reads it.
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

impl Configuration {
    /// Of registers 0 to 3 for sums, 4 and 5 for left rows, 6 and 7 for lines of a panel.
    const fn of(rows: usize) -> Self {
        let upper = if rows < SIDE { rows as u8 } else { SIDE as u8 };
        let (lower, side) = (rows.saturating_sub(SIDE) as u8, SIDE as u8);
        let rows = [upper, upper, lower, lower, upper, lower, side, side, 0, 0, 0, 0, 0, 0, 0, 0];
        let (mut row_bytes, mut register) = ([0; 16], 0);
        while register < rows.len() {
            row_bytes[register] = if rows[register] == 0 { 0 } else { ROW as u16 };
            register += 1;
        }
        Self { palette: 1, start_row: 0, reserved: [0; 14], row_bytes, rows }
    }

    /// # Safety
    /// As for [`super::tile::TileLoops`], on a processor of which [`has_tiles`].
    unsafe fn load(&self) {
        // SAFETY: the caller vouches for the instruction, which reads these 64 bytes.
        unsafe { asm!("ldtilecfg [{}]", in(reg) self, options(nostack, readonly)) };
    }
}

/// The configuration of the highest tile.
static HIGHEST: Configuration = Configuration::of(MAX_ROWS);

/// Tiles of the greatest height are computed with the configuration that is loaded for them all.
pub(super) const SETUP: Setup = Setup { begin, end };

/// # Safety
/// As for [`Configuration::load`].
unsafe fn begin() {
    // SAFETY: the caller vouches for the processor.
    unsafe { HIGHEST.load() };
}

/// # Safety
/// As for [`Configuration::load`].
unsafe fn end() {
    // SAFETY: the caller vouches for the instruction, which only empties the tile registers.
    unsafe { asm!("tilerelease", options(nostack, nomem)) };
}

/// A part of the depth: where its groups are, and how many times 16.
#[repr(C)]
#[derive(Clone, Copy)]
struct Part {
    left: *const u8,
    left_step: usize,
    panel: *const u32,
    steps: usize,
}

/// What is left of the depth after the last 16 groups, and zeros up to 16.
#[repr(C, align(64))]
struct Rest {
    left: [u8; MAX_ROWS * ROW],
    panel: [u32; SIDE * WIDTH],
}

impl Rest {
    /// Of rows and lines that [`Tile::compute`] has found long enough.
    ///
    /// # Safety
    /// `first` to the end of the groups can be read in each row.
    unsafe fn copy(left: Left<'_>, panel: &[u32], rows: usize, (first, groups): (usize, usize)) -> Self {
        let mut rest = Self { left: [0; MAX_ROWS * ROW], panel: [0; SIDE * WIDTH] };
        let lines = &panel[first * WIDTH..groups * WIDTH];
        rest.panel[..lines.len()].copy_from_slice(lines);
        for (row, to) in rest.left.chunks_exact_mut(ROW).take(rows).enumerate() {
            let from = left.start().wrapping_add(row * left.step() + 4 * first);
            // SAFETY: the caller vouches for the groups of the row; there is room for 16.
            unsafe { from.copy_to_nonoverlapping(to.as_mut_ptr(), 4 * (groups - first).min(SIDE)) };
        }
        rest
    }
}

/// The products of a tile of sums: `$clear`, `$step` for each 16 groups, then `$store`.
macro_rules! multiply_parts {
    ($parts:ident, $sums:ident; $($clear:expr),*; $($step:expr),*; $($store:expr),*) => {
        asm!(
            $($clear,)*
            "2:",
            "mov {left}, [{parts}]",
            "mov {step}, [{parts} + 8]",
            "mov {panel}, [{parts} + 16]",
            "mov {steps}, [{parts} + 24]",
            "test {steps}, {steps}",
            "jz 4f",
            "mov {lower}, {step}",
            "shl {lower}, 4",
            "add {lower}, {left}",
            "3:",
            $($step,)*
            "add {left}, 64",
            "add {lower}, 64",
            "add {panel}, 2048",
            "dec {steps}",
            "jnz 3b",
            "add {parts}, 32",
            "jmp 2b",
            "4:",
            $($store,)*
            parts = inout(reg) $parts.as_ptr() => _,
            sums = in(reg) $sums.as_mut_ptr(),
            line = in(reg) 4 * WIDTH,
            left = out(reg) _,
            lower = out(reg) _,
            panel = out(reg) _,
            step = out(reg) _,
            steps = out(reg) _,
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
            out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
            options(nostack),
        )
    };
}

/// The loops of an instruction over tile registers, with those of vector registers for a single row.
macro_rules! tiles {
    ($(#[$doc:meta])* $name:ident, $number:ty, $dot:literal, $single:path) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// As for [`super::tile::TileLoops`], on a processor of which [`has_tiles`], on a thread that has begun
        /// [`SETUP`] where there are several rows.
        pub(super) unsafe fn $name(tile: &Tile<'_>, rows: usize, sums: &mut Sums<$number>) {
            if tile.single {
                // SAFETY: processors with tiles have the instruction; the caller vouches for the assertions.
                return unsafe { $single(tile, rows, sums) };
            }
            let (whole, end) = (tile.groups / SIDE, Part { left: sums.as_ptr().cast(), left_step: 0, panel: &0, steps: 0 });
            let mut parts = [end; 3];
            let mut count = 0;
            if whole > 0 {
                let (left, left_step) = (tile.left.start(), tile.left.step());
                parts[0] = Part { left, left_step, panel: tile.panel.as_ptr(), steps: whole };
                count = 1;
            }
            let rest;
            if tile.groups % SIDE > 0 {
                // SAFETY: the assertions of `Tile::compute` keep these groups inside of their memory.
                rest = unsafe { Rest::copy(tile.left, tile.panel, rows, (whole * SIDE, tile.groups)) };
                parts[count] = Part { left: rest.left.as_ptr(), left_step: ROW, panel: rest.panel.as_ptr(), steps: 1 };
            }
            // SAFETY: the processor has the instructions, and the system lets this process use them. Each part has as
            // many steps of 16 groups as there are in its rows, of which no more are read than are configured, and in
            // its lines. The sums have room for 32 rows of 32.
            unsafe {
                if rows < MAX_ROWS {
                    Configuration::of(rows).load();
                }
                if rows > SIDE {
                    multiply_parts!(parts, sums; "tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3";
                        "tileloadd tmm6, [{panel} + {line}]", "tileloadd tmm4, [{left} + {step}]",
                        concat!($dot, " tmm0, tmm4, tmm6"),
                        "tileloadd tmm7, [{panel} + {line} + 64]", concat!($dot, " tmm1, tmm4, tmm7"),
                        "tileloadd tmm5, [{lower} + {step}]", concat!($dot, " tmm2, tmm5, tmm6"),
                        concat!($dot, " tmm3, tmm5, tmm7");
                        "tilestored [{sums} + {line}], tmm0", "tilestored [{sums} + {line} + 64], tmm1",
                        "tilestored [{sums} + {line} + 2048], tmm2", "tilestored [{sums} + {line} + 2112], tmm3");
                } else {
                    multiply_parts!(parts, sums; "tilezero tmm0", "tilezero tmm1";
                        "tileloadd tmm6, [{panel} + {line}]", "tileloadd tmm4, [{left} + {step}]",
                        concat!($dot, " tmm0, tmm4, tmm6"),
                        "tileloadd tmm7, [{panel} + {line} + 64]", concat!($dot, " tmm1, tmm4, tmm7");
                        "tilestored [{sums} + {line}], tmm0", "tilestored [{sums} + {line} + 64], tmm1");
                }
                if rows < MAX_ROWS {
                    HIGHEST.load();
                }
            }
        }
    };
}

const _: () = assert!(MAX_ROWS == 2 * SIDE && WIDTH == 2 * SIDE, "a tile is two registers by two");

tiles! {
    /// Sums of products of pairs of bfloat16.
    bf16_pairs, f32, "tdpbf16ps", super::ways::x86_64::bf16_pairs
}
tiles! {
    /// Sums of products of four bytes, unsigned on the left, signed on the right.
    byte_quads, i32, "tdpbusd", super::byte_ways::x86_64::quads
}

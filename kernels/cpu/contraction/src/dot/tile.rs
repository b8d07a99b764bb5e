//! Tiles of a product by instructions that multiply groups of small numbers and add each group's sum to a wider number.
//!
//! A tile is some rows by a panel of [`WIDTH`] columns; its sums stay in registers over the whole depth.
#![allow(
    unsafe_code,
    reason = "room: registers, on processors that were asked for their instructions; groups by address"
)]

use std::marker::PhantomData;

/// Columns of a panel.
pub const WIDTH: usize = 32;
/// Rows of the highest tile.
pub(super) const MAX_ROWS: usize = 32;
/// Rows of the highest tile in vector registers.
pub(super) const VECTOR_ROWS: usize = 12;
/// Groups whose sums a single row keeps apart, so that they do not wait for each other.
const SPLIT: usize = 4;

/// The sums of a tile: rows of [`WIDTH`].
pub(super) type Sums<S> = [S; MAX_ROWS * WIDTH];

/// A number of at most 32 bits, every bit of which counts.
pub trait Bits: Copy + Default + Send + Sync + 'static {}
impl Bits for u8 {}
impl Bits for u16 {}
impl Bits for u32 {}

/// Some rows of groups, 32 bits each, side by side at any address.
#[derive(Clone, Copy)]
pub(super) struct Left<'a> {
    start: *const u8,
    bytes: usize,
    /// Bytes from one row to the next.
    step: usize,
    marker: PhantomData<&'a [u8]>,
}

impl<'a> Left<'a> {
    /// The rows that begin `step` elements apart.
    pub(super) fn of<E: Bits>(elements: &'a [E], step: usize) -> Self {
        let (start, bytes) = (elements.as_ptr().cast(), size_of_val(elements));
        Self { start, bytes, step: step * size_of::<E>(), marker: PhantomData }
    }

    /// Where the first row begins.
    pub(super) fn start(self) -> *const u8 {
        self.start
    }

    /// Bytes from one row to the next.
    pub(super) fn step(self) -> usize {
        self.step
    }

    /// The rows from one of them on.
    pub(super) fn skip(self, row: usize) -> Self {
        let skipped = self.bytes.min(row * self.step);
        Self { start: self.start.wrapping_add(skipped), bytes: self.bytes - skipped, ..self }
    }
}

/// What a tile is computed from.
#[derive(Clone, Copy)]
pub(super) struct Tile<'a> {
    pub(super) left: Left<'a>,
    /// A line of [`WIDTH`] groups for each group of a row.
    pub(super) panel: &'a [u32],
    /// Groups of a row.
    pub(super) groups: usize,
    /// Columns that count.
    pub(super) columns: usize,
    /// Whether the row is the only one of the product.
    pub(super) single: bool,
}

/// The loops of a way of multiplying.
///
/// # Safety
/// The processor has the instructions of the loops.
pub(super) type TileLoops<S> = unsafe fn(&Tile<'_>, usize, &mut Sums<S>);

/// What a thread does before and after tiles of several rows.
///
/// # Safety
/// The processor has the instructions of the way.
#[derive(Clone, Copy)]
pub(super) struct Setup {
    pub(super) begin: unsafe fn(),
    pub(super) end: unsafe fn(),
}

impl Tile<'_> {
    /// Computes so many rows of the tile.
    ///
    /// # Safety
    /// As for [`TileLoops`].
    ///
    /// # Panics
    /// Where rows or panel are too short, or there are too many rows.
    pub(super) unsafe fn compute<S>(&self, loops: TileLoops<S>, rows: usize, sums: &mut Sums<S>) {
        assert!((1..=MAX_ROWS).contains(&rows) && self.columns <= WIDTH, "a tile is too large");
        assert!(!self.single || rows == 1, "a single row has others beside it");
        assert!(self.groups * WIDTH <= self.panel.len(), "a panel is too short");
        let end = (rows - 1) * self.left.step + 4 * self.groups;
        assert!(end <= self.left.bytes, "rows are too short");
        // SAFETY: the caller vouches for the processor, the assertions for the addresses.
        unsafe { loops(self, rows, sums) };
    }
}

/// An instruction on registers of groups and of sums.
///
/// # Safety
/// Methods are called only on processors that have the instructions behind them; addresses need no alignment.
pub(super) trait Instruction {
    /// A sum.
    type Number;
    /// Sums side by side.
    type Sums: Copy;
    /// Groups side by side.
    type Groups: Copy;
    /// Groups of a register, and sums.
    const LANES: usize;

    /// Zeros.
    unsafe fn zero() -> Self::Sums;

    /// The groups at an address.
    unsafe fn load(from: *const u32) -> Self::Groups;

    /// The group at an address in each lane.
    unsafe fn splat(from: *const u8) -> Self::Groups;

    /// Adds to each sum the products of the numbers of two groups.
    unsafe fn dot(sums: Self::Sums, left: Self::Groups, right: Self::Groups) -> Self::Sums;

    /// `a + b`.
    unsafe fn add(a: Self::Sums, b: Self::Sums) -> Self::Sums;

    /// Overwrites the sums at an address.
    unsafe fn store(sums: Self::Sums, to: *mut Self::Number);
}

/// The sums of `ROWS` rows from `row` on, `REGISTERS` registers from `column` on.
///
/// # Safety
/// The processor has the instruction, and [`Tile::compute`] has passed its assertions for these rows.
#[inline(always)]
pub(super) unsafe fn rows<I: Instruction, const ROWS: usize, const REGISTERS: usize>(
    tile: &Tile<'_>,
    (row, column): (usize, usize),
    sums: &mut Sums<I::Number>,
) {
    const { assert!(ROWS <= VECTOR_ROWS && REGISTERS * I::LANES <= WIDTH) };
    let step = tile.left.step;
    // SAFETY: the caller vouches for the processor and the assertions, which keep the groups of these rows and the
    // lines of the panel inside their memory; the sums have room for all rows and columns of a tile.
    unsafe {
        let mut totals = [[I::zero(); REGISTERS]; ROWS];
        let mut line = tile.panel.as_ptr().wrapping_add(column);
        let first = tile.left.start.wrapping_add(row * step);
        // Three rows share an address, so that the addresses of all stay in registers.
        let mut triples: [*const u8; VECTOR_ROWS / 3] = std::array::from_fn(|t| first.wrapping_add(3 * t * step));
        for _ in 0..tile.groups {
            let columns: [I::Groups; REGISTERS] = std::array::from_fn(|c| I::load(line.add(c * I::LANES)));
            for p in 0..ROWS {
                let x = I::splat(triples[p / 3].add(p % 3 * step));
                for c in 0..REGISTERS {
                    totals[p][c] = I::dot(totals[p][c], x, columns[c]);
                }
            }
            line = line.wrapping_add(WIDTH);
            triples = triples.map(|row| row.wrapping_add(4));
        }
        for (p, totals) in totals.into_iter().enumerate() {
            for (c, total) in totals.into_iter().enumerate() {
                I::store(total, sums.as_mut_ptr().add((row + p) * WIDTH + column + c * I::LANES));
            }
        }
    }
}

/// As [`rows`], for the only row of a product: the sums of [`SPLIT`] groups are kept apart and joined at the end.
///
/// # Safety
/// As for [`rows`].
#[inline(always)]
pub(super) unsafe fn single<I: Instruction, const REGISTERS: usize>(
    tile: &Tile<'_>,
    column: usize,
    sums: &mut Sums<I::Number>,
) {
    const { assert!(REGISTERS * I::LANES <= WIDTH) };
    // SAFETY: the caller vouches for the processor and the assertions, which keep the groups of the row and the lines
    // of the panel inside their memory; the sums have room for all columns of a row.
    unsafe {
        let mut totals = [[I::zero(); REGISTERS]; SPLIT];
        let (mut line, mut at) = (tile.panel.as_ptr().wrapping_add(column), tile.left.start);
        for _ in 0..tile.groups / SPLIT {
            for total in &mut totals {
                let x = I::splat(at);
                for (c, total) in total.iter_mut().enumerate() {
                    *total = I::dot(*total, x, I::load(line.add(c * I::LANES)));
                }
                (line, at) = (line.wrapping_add(WIDTH), at.wrapping_add(4));
            }
        }
        for _ in 0..tile.groups % SPLIT {
            let x = I::splat(at);
            for (c, total) in totals[0].iter_mut().enumerate() {
                *total = I::dot(*total, x, I::load(line.add(c * I::LANES)));
            }
            (line, at) = (line.wrapping_add(WIDTH), at.wrapping_add(4));
        }
        for c in 0..REGISTERS {
            let total = I::add(I::add(totals[0][c], totals[1][c]), I::add(totals[2][c], totals[3][c]));
            I::store(total, sums.as_mut_ptr().add(column + c * I::LANES));
        }
    }
}

/// The loops of an instruction: all columns that count, `$registers` registers at a time, so many rows at a time while
/// there are so many, then fewer.
macro_rules! tile_loops {
    ($instruction:ty, $registers:literal, ($tile:ident, $rows:ident, $sums:ident); $($height:literal)*) => {
        for column in (0..$tile.columns).step_by($registers * <$instruction>::LANES) {
            if $tile.single {
                // SAFETY: this function's caller vouches for the processor and the assertions.
                unsafe { $crate::dot::tile::single::<$instruction, $registers>($tile, column, $sums) };
                continue;
            }
            let mut row = 0;
            $(while $rows - row >= $height {
                // SAFETY: this function's caller vouches for the processor and the assertions.
                unsafe { $crate::dot::tile::rows::<$instruction, $height, $registers>($tile, (row, column), $sums) };
                row += $height;
            })*
        }
    };
}
pub(super) use tile_loops;

//! `MatrixDiag`, `MatrixDiagPart`, `MatrixSetDiag` and their later versions, `MatrixBandPart`, `Diag` and `DiagPart`:
//! each thread puts a word of the output together, of elements that stand elsewhere.

use oplink::device::DeviceContext;
use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink_ops::array::band::{
    Align, Band, DiagonalMatrices, check_padding, kept_diagonals, matrices, replaced_diagonals,
};
use oplink_ops::array::{
    Diag, DiagPart, DiagonalAlign, MatrixBandPart, MatrixDiag, MatrixDiagPart, MatrixDiagPartV2, MatrixDiagPartV3,
    MatrixDiagV2, MatrixDiagV3, MatrixSetDiag, MatrixSetDiagV2, MatrixSetDiagV3,
};

use crate::movement::{Units, element_bytes, words};

/// Matrices and the diagonals of a band of them, as programs take them.
#[device_struct]
#[derive(Clone, Copy, Debug)]
struct Diagonals {
    rows: u32,
    columns: u32,
    lower: i32,
    upper: i32,
    /// Elements of a row of diagonals.
    longest: u32,
    /// Whether shorter diagonals from the main one up stand right.
    above_right: bool,
    /// Whether shorter diagonals below the main one stand right.
    below_right: bool,
    /// Units of an element.
    width: u32,
    /// Units of a word.
    per_word: u32,
    /// Words of the output.
    count: u32,
}

impl Diagonals {
    fn new(out: &Tensor, [rows, columns]: [usize; 2], band: Band, longest: usize, align: Align) -> Result<Self> {
        let bytes = element_bytes(out)?;
        let units = Units::of_rows(1, bytes);
        let end = |diagonal: i64| i32::try_from(diagonal).map_err(|_| Error::unimplemented("matrices of 2^31 columns"));
        Ok(Self {
            rows: words(rows)?,
            columns: words(columns)?,
            lower: end(band.lower)?,
            upper: end(band.upper)?,
            longest: words(longest)?,
            above_right: align.above_right,
            below_right: align.below_right,
            width: units.row,
            per_word: units.per_word,
            count: words(out.device_words()?.num_elements())?,
        })
    }
}

/// `Diag` in the device's memory.
#[kernel(Diag, device = GPU, T = [f16, f32, f64, i32, i64, complex])]
pub fn diag_gpu(diagonal: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    ensure!(diagonal.rank() > 0, "diagonal must be at least a vector, it is a scalar");
    let out = output.allocate([&diagonal.shape()[..], diagonal.shape()].concat())?;
    let side = diagonal.num_elements();
    let all = Diagonals::new(out, [side; 2], Band::MAIN, side, Align::of(None))?;
    put(env.device()?, [diagonal, diagonal], out, all, [0; 4], FILLED)
}

/// `DiagPart` in the device's memory.
#[kernel(DiagPart, device = GPU, T = [f16, f32, f64, i32, i64, complex])]
pub fn diag_part_gpu(input: &Tensor, mut diagonal: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (first, second) = input.shape().split_at(input.rank() / 2);
    ensure!(first == second, "the extents of input must come twice, its shape is {}", input.shape());
    let out = diagonal.allocate(first)?;
    let side = first.iter().product();
    let all = Diagonals::new(out, [side; 2], Band::MAIN, side, Align::of(None))?;
    taken(env.device()?, input, out, all, [0; 4])
}

/// `MatrixDiag` in the device's memory.
#[kernel(MatrixDiag, device = GPU, T = [numbers, bool])]
pub fn matrix_diag_gpu(diagonal: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let Some(&side) = diagonal.shape().last() else { bail!("diagonal must be at least a vector, it is a scalar") };
    let mut shape = diagonal.shape().clone();
    shape.push(side);
    let out = output.allocate(shape)?;
    let all = Diagonals::new(out, [side; 2], Band::MAIN, side, Align::of(None))?;
    put(env.device()?, [diagonal, diagonal], out, all, [0; 4], FILLED)
}

/// `MatrixDiagV2` and `MatrixDiagV3` in the device's memory.
#[kernel(MatrixDiagV2, device = GPU, T = [numbers, bool], host_memory = [k, num_rows, num_cols, padding_value])]
#[kernel(MatrixDiagV3, device = GPU, T = [numbers, bool], host_memory = [k, num_rows, num_cols, padding_value])]
pub fn matrix_diag_v3_gpu(
    diagonal: &Tensor,
    k: &Tensor,
    num_rows: &Tensor,
    num_cols: &Tensor,
    padding_value: &Tensor,
    align: Option<DiagonalAlign>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let band = Band::read(k)?;
    let matrices = DiagonalMatrices::new(diagonal.shape(), band, [num_rows, num_cols], padding_value.shape())?;
    let out = output.allocate(matrices.shape())?;
    let all = Diagonals::new(out, matrices.sides, band, matrices.longest, Align::of(align))?;
    put(env.device()?, [diagonal, diagonal], out, all, pattern(padding_value)?, FILLED)
}

/// `MatrixSetDiag` and its later versions in the device's memory.
#[kernel(MatrixSetDiag, device = GPU, T = [numbers, bool])]
#[kernel(MatrixSetDiagV2, device = GPU, T = [numbers, bool], host_memory = [k])]
#[kernel(MatrixSetDiagV3, device = GPU, T = [numbers, bool], host_memory = [k])]
pub fn matrix_set_diag_gpu(
    input: &Tensor,
    diagonal: &Tensor,
    k: Option<&Tensor>,
    align: Option<DiagonalAlign>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let band = k.map_or(Ok(Band::MAIN), Band::read)?;
    let longest = replaced_diagonals(input.shape(), diagonal.shape(), band)?;
    let (_, sides) = matrices(input.shape())?;
    let out = output.allocate(input.shape().clone())?;
    let all = Diagonals::new(out, sides, band, longest, Align::of(align))?;
    put(env.device()?, [diagonal, input], out, all, [0; 4], REPLACED)
}

/// `MatrixBandPart` in the device's memory.
#[kernel(MatrixBandPart, device = GPU, T = [numbers, bool], Tindex = any, host_memory = [num_lower, num_upper])]
pub fn matrix_band_part_gpu(
    input: &Tensor,
    num_lower: &Tensor,
    num_upper: &Tensor,
    mut band: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let [lower, upper] = kept_diagonals(input.shape(), [num_lower, num_upper])?;
    let (_, [rows, columns]) = matrices(input.shape())?;
    let kept = Band { lower: -(lower.unwrap_or(rows) as i64), upper: upper.unwrap_or(columns) as i64 };
    let out = band.allocate(input.shape().clone())?;
    let all = Diagonals::new(out, [rows, columns], kept, 0, Align::of(None))?;
    put(env.device()?, [input, input], out, all, [0; 4], KEPT)
}

/// `MatrixDiagPart` in the device's memory.
#[kernel(MatrixDiagPart, device = GPU, T = [numbers, bool])]
pub fn matrix_diag_part_gpu(input: &Tensor, diagonal: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    take(input, Band::MAIN, Align::of(None), [0; 4], diagonal, env)
}

/// `MatrixDiagPartV2` and `MatrixDiagPartV3` in the device's memory.
#[kernel(MatrixDiagPartV2, device = GPU, T = [numbers, bool], host_memory = [k, padding_value])]
#[kernel(MatrixDiagPartV3, device = GPU, T = [numbers, bool], host_memory = [k, padding_value])]
pub fn matrix_diag_part_v3_gpu(
    input: &Tensor,
    k: &Tensor,
    padding_value: &Tensor,
    align: Option<DiagonalAlign>,
    diagonal: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    check_padding(padding_value.shape())?;
    take(input, Band::read(k)?, Align::of(align), pattern(padding_value)?, diagonal, env)
}

fn take(
    input: &Tensor,
    band: Band,
    align: Align,
    padding: [u32; 4],
    mut diagonal: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (batch, [rows, columns]) = matrices(input.shape())?;
    let longest = band.longest(rows, columns)?;
    let out = diagonal.allocate(band.shape(batch, longest))?;
    let all = Diagonals::new(out, [rows, columns], band, longest, align)?;
    taken(env.device()?, input, out, all, padding)
}

fn taken(device: &dyn DeviceContext, input: &Tensor, out: &Tensor, all: Diagonals, padding: [u32; 4]) -> Result<()> {
    if all.count == 0 {
        return Ok(());
    }
    let (input, out) = (bound(device, input)?, out.device_words()?);
    take_diagonals { input: &input, out: &out, all, padding }.launch(device, take_diagonals::blocks(out.num_elements()))
}

/// The words of a tensor, or others where it has none: something has to be bound.
fn bound(device: &dyn DeviceContext, tensor: &Tensor) -> Result<Tensor> {
    if tensor.num_elements() == 0 { device.allocate(DType::UInt32, [1].into()) } else { tensor.device_words() }
}

/// The words of an element in host memory, again and again.
fn pattern(element: &Tensor) -> Result<[u32; 4]> {
    let mut bytes = [0_u8; 16];
    bytes.iter_mut().zip(element.as_bytes()?.iter().cycle()).for_each(|(byte, &of)| *byte = of);
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    Ok([word(0), word(4), word(8), word(12)])
}

/// Matrices of the diagonals, a value elsewhere.
const FILLED: u32 = 0;
/// Matrices with the diagonals replaced.
const REPLACED: u32 = 1;
/// Matrices with the diagonals as they are, zeros elsewhere.
const KEPT: u32 = 2;

fn put(
    device: &dyn DeviceContext,
    [diagonal, input]: [&Tensor; 2],
    out: &Tensor,
    all: Diagonals,
    padding: [u32; 4],
    how: u32,
) -> Result<()> {
    if all.count == 0 {
        return Ok(());
    }
    let (diagonal, input, out) = (bound(device, diagonal)?, bound(device, input)?, out.device_words()?);
    put_diagonals { diagonal: &diagonal, input: &input, out: &out, all, padding, how }
        .launch(device, put_diagonals::blocks(out.num_elements()))
}

/// Where a diagonal starts in its row of diagonals.
#[device_fn]
fn start_of(all: Diagonals, diagonal: i32) -> i32 {
    let row = (-diagonal).max(0);
    let column = diagonal.max(0);
    let length = (all.rows as i32 - row).min(all.columns as i32 - column);
    let is_right = if diagonal >= 0 { all.above_right } else { all.below_right };
    if is_right { all.longest as i32 - length } else { 0 }
}

/// The bits of a unit.
#[device_fn]
fn mask_of(per_word: u32) -> u32 {
    let mut mask = u32::MAX;
    if per_word == 2 {
        mask = 0xFFFF;
    }
    if per_word == 4 {
        mask = 0xFF;
    }
    mask
}

/// The unit of an array of words.
#[device_fn]
fn unit_of(source: &[u32], per_word: u32, unit: u32) -> u32 {
    let bits = 32 / per_word;
    let word = source[(unit / per_word) as usize];
    (word >> (unit % per_word * bits)) & mask_of(per_word)
}

/// A thread for each word of the matrices, in one of the ways above.
#[program(block = 256)]
fn put_diagonals(diagonal: &[u32], input: &[u32], out: &mut [u32], all: Diagonals, padding: [u32; 4], how: u32) {
    for word in grid_stride(all.count) {
        let mut value = 0_u32;
        for part in 0..all.per_word {
            let unit = word * all.per_word + part;
            let (element, rest) = (unit / all.width, unit % all.width);
            let (column, row) = (element % all.columns, element / all.columns % all.rows);
            let matrix = element / all.columns / all.rows;
            let of = column as i32 - row as i32;
            let mut moved = padding[(unit % 4) as usize] & mask_of(all.per_word);
            let is_inside = of >= all.lower && of <= all.upper;
            if how == 1 && !is_inside || how == 2 && is_inside {
                moved = unit_of(input, all.per_word, unit);
            }
            if how != 2 && is_inside {
                let line = matrix * (all.upper - all.lower + 1) as u32 + (all.upper - of) as u32;
                let place = start_of(all, of) as u32 + row.min(column);
                let from = (line * all.longest + place) * all.width + rest;
                moved = unit_of(diagonal, all.per_word, from);
            }
            value |= moved << (part * (32 / all.per_word));
        }
        out[word as usize] = value;
    }
}

/// A thread for each word of the diagonals.
#[program(block = 256)]
fn take_diagonals(input: &[u32], out: &mut [u32], all: Diagonals, padding: [u32; 4]) {
    for word in grid_stride(all.count) {
        let mut value = 0_u32;
        for part in 0..all.per_word {
            let unit = word * all.per_word + part;
            let (element, rest) = (unit / all.width, unit % all.width);
            let lines = (all.upper - all.lower + 1) as u32;
            let (place, line) = (element % all.longest, element / all.longest % lines);
            let matrix = element / all.longest / lines;
            let of = all.upper - line as i32;
            let (first_row, first_column) = ((-of).max(0), of.max(0));
            let at = place as i32 - start_of(all, of);
            let (row, column) = (first_row + at, first_column + at);
            let mut moved = padding[(unit % 4) as usize] & mask_of(all.per_word);
            if at >= 0 && row < all.rows as i32 && column < all.columns as i32 {
                let from = (matrix * all.rows + row as u32) * all.columns + column as u32;
                moved = unit_of(input, all.per_word, from * all.width + rest);
            }
            value |= moved << (part * (32 / all.per_word));
        }
        out[word as usize] = value;
    }
}

//! What follows a matrix product: a factor, a bias, a residual, an activation.

use super::tile::{MAX_WIDTH, Runs, Start, TileElement, Tiles};

/// Rows that pass through all that follows a product at a time.
const STRIP: usize = 48;

/// Values that pass through an activation at a time where rows are short.
const GATHERED: usize = 8 * MAX_WIDTH;
/// Values that the loops of activations take in one turn.
const TURN: usize = 64;

/// What follows a product, column by column.
#[derive(Clone, Copy)]
pub struct Finish<'a, L> {
    /// A factor for each column of the product.
    pub scale: Option<&'a [L]>,
    /// A value added to each column.
    pub bias: Option<&'a [L]>,
    /// Rows added to those of the product, this many elements apart.
    pub side: Option<(&'a [L], usize)>,
    /// Values below the first end as the first, above the second as the second; NaN stays.
    pub bounds: Option<(L, L)>,
    /// The last change to the values.
    pub activation: Option<&'a (dyn Fn(&mut [L]) + Sync)>,
}

impl<L> Default for Finish<'_, L> {
    fn default() -> Self {
        Self { scale: None, bias: None, side: None, bounds: None, activation: None }
    }
}

/// Some rows of a left matrix, or a block of their depth.
#[derive(Clone, Copy)]
pub struct Left<'a, L> {
    /// Where the rows are.
    pub values: &'a [L],
    /// Elements from one row to the next, and from one element of a row to the next.
    pub strides: (usize, usize),
    /// The runs that a row is made of.
    pub runs: Runs,
    /// Position of the first row in the product, and the number of rows.
    pub rows: (usize, usize),
    /// Whether the rows begin and end with this block of the depth.
    pub ends: (bool, bool),
}

/// A panel of the right matrix: lines of [`TileElement::WIDTH`] columns.
#[derive(Clone, Copy)]
pub struct Panel<'a, L> {
    /// Where the lines are.
    pub values: &'a [L],
    /// Elements from one line to the next.
    pub stride: usize,
    /// Position of the first column, and the number of columns that count.
    pub columns: (usize, usize),
}

impl<'a, L> Finish<'a, L> {
    /// That of the columns from `column` on.
    pub fn at_column(self, column: usize) -> Self {
        let tail = |values: &'a [L]| &values[column..];
        let side = self.side.map(|(values, stride)| (tail(values), stride));
        Self { scale: self.scale.map(tail), bias: self.bias.map(tail), side, ..self }
    }
}

impl<L: TileElement> Finish<'_, L> {
    /// Does to a whole row of products, the one at a position, all that follows.
    pub fn end_row(&self, row: usize, values: &mut [L]) {
        if let Some(scale) = self.scale {
            values.iter_mut().zip(scale).for_each(|(value, &scale)| *value = value.mul(scale));
        }
        if let Some(bias) = self.bias {
            values.iter_mut().zip(bias).for_each(|(value, &bias)| *value = value.add(bias));
        }
        if let Some((side, stride)) = self.side {
            values.iter_mut().zip(&side[row * stride..]).for_each(|(value, &side)| *value = value.add(side));
        }
        self.end(values);
    }

    /// Writes to the first row what its products are added to.
    pub fn start(&self, values: &mut [L]) {
        match (self.bias, self.side) {
            (Some(bias), Some((side, _))) => {
                values.iter_mut().zip(bias).zip(side).for_each(|((value, &bias), &side)| *value = bias.add(side));
            }
            (Some(start), None) | (None, Some((start, _))) => values.copy_from_slice(&start[..values.len()]),
            (None, None) => values.fill(L::ZERO),
        }
    }

    /// Changes products as far as bounds and the activation do.
    pub fn end(&self, values: &mut [L]) {
        if let Some((low, high)) = self.bounds {
            for value in &mut *values {
                let above = if *value < low { low } else { *value };
                *value = if above > high { high } else { above };
            }
        }
        if let Some(activation) = self.activation {
            activation(values);
        }
    }

    /// Writes the product of rows and a panel, with what follows, to rows of `out` that are `stride` apart.
    pub fn multiply(&self, left: Left<'_, L>, panel: Panel<'_, L>, out: &mut [L], stride: usize) {
        let (column, columns) = panel.columns;
        let mut bias = [L::ZERO; MAX_WIDTH];
        if let Some(values) = self.bias {
            bias[..columns].copy_from_slice(&values[column..][..columns]);
        }
        for row in (0..left.rows.1).step_by(STRIP) {
            let count = STRIP.min(left.rows.1 - row);
            let out = &mut out[row * stride..];
            let start = match self.side {
                _ if !left.ends.0 => Start::Output,
                Some((side, side_stride)) => {
                    let side = &side[(left.rows.0 + row) * side_stride + column..];
                    add_side(side, side_stride, &bias[..columns], count, out, stride);
                    Start::Output
                }
                None if self.bias.is_some() => Start::Columns(&bias),
                None => Start::Zero,
            };
            let tiles = Tiles {
                rows: left.values.get(row * left.strides.0..).unwrap_or_default(),
                strides: left.strides,
                runs: left.runs,
                panel: panel.values,
                panel_stride: panel.stride,
                start,
                bounds: self.bounds.filter(|_| left.ends.1),
                out_stride: stride,
                columns,
            };
            L::multiply(&tiles, count, out);
            if let Some(activation) = self.activation.filter(|_| left.ends.1) {
                activate_rows(activation, out, stride, (count, columns));
            }
        }
    }
}

/// Applies an activation to the first columns of rows that are `stride` apart, at most [`MAX_WIDTH`] of each: as many
/// rows at a time as make a long run.
fn activate_rows<L: TileElement>(
    activation: &dyn Fn(&mut [L]),
    out: &mut [L],
    stride: usize,
    (rows, columns): (usize, usize),
) {
    let mut block = [L::ZERO; GATHERED];
    let at_a_time = GATHERED / columns;
    for first in (0..rows).step_by(at_a_time) {
        let count = at_a_time.min(rows - first);
        let place = |row: usize| (first + row) * stride;
        for (row, values) in block.chunks_exact_mut(columns).take(count).enumerate() {
            copy_row(values, &out[place(row)..][..columns]);
        }
        activation(&mut block[..(count * columns).next_multiple_of(TURN)]);
        for (row, values) in block.chunks_exact(columns).take(count).enumerate() {
            copy_row(&mut out[place(row)..][..columns], values);
        }
    }
}

/// Copies a row; that of a whole panel has a length that the compiler knows.
#[inline(always)]
fn copy_row<L: TileElement>(to: &mut [L], from: &[L]) {
    if to.len() == L::WIDTH {
        to[..L::WIDTH].copy_from_slice(&from[..L::WIDTH]);
    } else {
        to.copy_from_slice(from);
    }
}

/// Sets rows of the output to what is added to the products.
fn add_side<L: TileElement>(side: &[L], side_stride: usize, bias: &[L], count: usize, out: &mut [L], stride: usize) {
    for row in 0..count {
        for ((out, &side), &bias) in out[row * stride..].iter_mut().zip(&side[row * side_stride..]).zip(bias) {
            *out = side.add(bias);
        }
    }
}

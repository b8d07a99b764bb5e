//! Read-only matrices by strides.
#![allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]

use multiversion::multiversion;
use oplink::{Result, Shape, bail};

/// Rows and columns of the blocks that are turned at a time.
const BLOCK: usize = 8;

/// A read-only matrix by strides.
#[derive(Clone, Copy)]
pub struct Matrix<'a, T> {
    pub(super) data: &'a [T],
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) row_stride: usize,
    pub(super) column_stride: usize,
}

impl<'a, T: Copy> Matrix<'a, T> {
    /// `rows` x `columns` in row-major order at the start of `data`.
    pub fn row_major(data: &'a [T], rows: usize, columns: usize) -> Self {
        Self::strided(data, (rows, columns), (columns, 1))
    }

    /// A matrix in row-major order of a shape of rank 2 that `data` fills.
    pub fn of_shape(data: &'a [T], shape: &Shape) -> Result<Self> {
        let &[rows, columns] = shape.dims() else { bail!("expected a matrix, got a tensor of shape {shape}") };
        Ok(Self::row_major(data, rows, columns))
    }

    /// A matrix of these extents (rows, columns) with these strides.
    ///
    /// # Panics
    /// Where the matrix reaches beyond `data`.
    pub fn strided(data: &'a [T], extents: (usize, usize), strides: (usize, usize)) -> Self {
        let (rows, columns) = extents;
        let (row_stride, column_stride) = strides;
        if rows > 0 && columns > 0 {
            assert!((rows - 1) * row_stride + (columns - 1) * column_stride < data.len(), "matrix outside its memory");
        }
        Self { data, rows, columns, row_stride, column_stride }
    }

    /// The transpose where `yes`.
    pub fn transposed(self, yes: bool) -> Self {
        if !yes {
            return self;
        }
        let (rows, columns) = (self.columns, self.rows);
        Self { rows, columns, row_stride: self.column_stride, column_stride: self.row_stride, ..self }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The memory from the first element on, and the elements from one row and from one column to the next.
    pub fn parts(&self) -> (&'a [T], (usize, usize)) {
        (self.data, (self.row_stride, self.column_stride))
    }

    /// Rows `start..start + count`.
    pub fn row_range(self, start: usize, count: usize) -> Self {
        Self { data: tail(self.data, start * self.row_stride), rows: count, ..self }
    }

    /// Columns `start..start + count`.
    pub fn column_range(self, start: usize, count: usize) -> Self {
        Self { data: tail(self.data, start * self.column_stride), columns: count, ..self }
    }

    /// Copies the matrix to the beginnings of rows that are `stride` apart.
    ///
    /// # Panics
    /// Where `to` is too short, or `stride` less than the columns.
    pub fn copy_to(&self, to: &mut [T], stride: usize) {
        assert!(stride >= self.columns, "rows of a copy overlap");
        if self.rows == 0 || self.columns == 0 {
        } else if self.column_stride == 1 {
            for (row, to) in to.chunks_mut(stride).take(self.rows).enumerate() {
                to[..self.columns].copy_from_slice(&self.data[row * self.row_stride..][..self.columns]);
            }
        } else if self.row_stride == 1 {
            turn(self, to, stride);
        } else {
            for (row, to) in to.chunks_mut(stride).take(self.rows).enumerate() {
                let from = self.data[row * self.row_stride..].iter().step_by(self.column_stride);
                to[..self.columns].iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            }
        }
    }
}

pub(super) fn tail<T>(data: &[T], start: usize) -> &[T] {
    data.get(start..).unwrap_or(&[])
}

/// Copies a matrix whose columns are side by side to rows that are `stride` apart, in square blocks.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn turn<T: Copy>(from: &Matrix<'_, T>, to: &mut [T], stride: usize) {
    let (rows, columns) = (from.rows / BLOCK * BLOCK, from.columns / BLOCK * BLOCK);
    for column in (0..columns).step_by(BLOCK) {
        for row in (0..rows).step_by(BLOCK) {
            turn_block(
                &from.data[column * from.column_stride + row..],
                from.column_stride,
                &mut to[row * stride + column..],
                stride,
            );
        }
    }
    let mut copy = |row: usize, column: usize| to[row * stride + column] = from.data[column * from.column_stride + row];
    for row in 0..from.rows {
        (columns..from.columns).for_each(|column| copy(row, column));
    }
    for row in rows..from.rows {
        (0..columns).for_each(|column| copy(row, column));
    }
}

/// One block; the lines of both sides are `from_stride` and `to_stride` apart.
#[inline(always)]
fn turn_block<T: Copy>(from: &[T], from_stride: usize, to: &mut [T], to_stride: usize) {
    let lines: [&[T; BLOCK]; BLOCK] = std::array::from_fn(|i| first_of(&from[i * from_stride..]));
    for i in 0..BLOCK {
        let line: [T; BLOCK] = std::array::from_fn(|j| lines[j][i]);
        to[i * to_stride..][..BLOCK].copy_from_slice(&line);
    }
}

#[inline(always)]
fn first_of<T>(line: &[T]) -> &[T; BLOCK] {
    match line.first_chunk() {
        Some(chunk) => chunk,
        None => panic!("a line of a matrix is too short"),
    }
}

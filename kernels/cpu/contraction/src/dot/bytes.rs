//! Products of bytes, each less an integer that stands for zero, in 32-bit sums that wrap.
//!
//! Instructions multiply unsigned by signed bytes; so panels hold right bytes less 128, and what is missing follows
//! from the sums of rows and of columns: with `b' = b - 128`, `sum (a - za) * (b - zb)` is
//! `sum a * b' + (128 - zb) * sum a - za * sum b + depth * za * zb`.

use std::sync::LazyLock;

use oplink::memory::try_filled;
use oplink::{KernelEnv, Result};

use super::byte_ways;
use super::{Panels, Place, Product, Rows, WIDTH, Way};
use crate::matrix::Matrix;

/// A right matrix of bytes, each less 128, and the sums of its columns as they were.
#[derive(Debug)]
pub struct BytePanels {
    panels: Panels<u8, i32>,
    sums: Vec<i32>,
}

/// The best way of multiplying bytes.
pub fn way() -> &'static Way<u8, i32> {
    static WAY: LazyLock<&'static Way<u8, i32>> = LazyLock::new(|| byte_ways::bytes()[0]);
    *WAY
}

impl BytePanels {
    /// Of a matrix, for one run.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn new(env: &dyn KernelEnv, way: &'static Way<u8, i32>, matrix: Matrix<'_, u8>) -> Result<Self> {
        let sums = row_sums(matrix.transposed(true))?;
        Ok(Self { panels: Panels::new(env, way, matrix)?, sums })
    }

    /// Columns of the matrix.
    pub fn columns(&self) -> usize {
        self.panels.columns()
    }
}

/// The sum of each row, wrapping.
///
/// # Errors
/// Memory runs out.
pub fn row_sums(matrix: Matrix<'_, u8>) -> Result<Vec<i32>> {
    let (data, (row_stride, column_stride)) = matrix.parts();
    let mut sums = try_filled(0i32, matrix.rows())?;
    if matrix.columns() == 0 {
        return Ok(sums);
    }
    if row_stride == 1 {
        // Columns may be nearer to each other than they are long, where there is one only.
        for column in 0..matrix.columns() {
            let column = &data[column * column_stride..];
            sums.iter_mut().zip(column).for_each(|(sum, &value)| *sum = sum.wrapping_add(i32::from(value)));
        }
        return Ok(sums);
    }
    for (row, sum) in sums.iter_mut().enumerate() {
        let values = data[row * row_stride..].iter().step_by(column_stride.max(1)).take(matrix.columns());
        *sum = values.fold(0, |sum, &value| sum.wrapping_add(i32::from(value)));
    }
    Ok(sums)
}

/// Writes the product of rows of bytes, whose sums are given, with a matrix, each number less the integer of `zeros`
/// that stands for zero on its side, as `convert` makes it of a 32-bit integer.
///
/// # Errors
/// Memory runs out.
///
/// # Panics
/// Where `out` has not the product's elements, or rows are too short.
pub fn multiply<O: Copy + Default + Send>(
    env: &dyn KernelEnv,
    (rows, sums): (&dyn Rows<u8>, &[i32]),
    right: &BytePanels,
    zeros: [i32; 2],
    convert: impl Fn(i32) -> O + Sync,
    out: &mut [O],
) -> Result<()> {
    let (depth, factor) = (right.panels.depth() as i32, 128i32.wrapping_sub(zeros[1]));
    let all = depth.wrapping_mul(zeros[0]).wrapping_mul(zeros[1]);
    let finish = |place: Place, products: &mut [i32], out: &mut [O]| {
        let columns = &right.sums[place.columns.0..][..place.columns.1];
        let rows = &sums[place.rows.0..][..place.rows.1];
        for (row, (products, out)) in rows.iter().zip(products.chunks(WIDTH).zip(out.chunks_mut(WIDTH))) {
            let of_row = factor.wrapping_mul(*row).wrapping_add(all);
            for ((&product, out), &column) in products.iter().zip(out).zip(columns) {
                let sum = product.wrapping_add(of_row).wrapping_sub(zeros[0].wrapping_mul(column));
                *out = convert(sum);
            }
        }
    };
    Product { rows, count: sums.len(), right: &right.panels }.compute(env, &finish, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::Threads;

    fn bytes(count: usize, seed: usize) -> Vec<u8> {
        (0..count).map(|i| ((i * 7919 + seed * 31) % 257) as u8).collect()
    }

    #[test]
    fn rows_of_one_element_have_sums() {
        let values = [1, 2, 3, 4];
        let column = Matrix::row_major(&values, 4, 1);
        assert_eq!(row_sums(column).unwrap(), [1, 2, 3, 4]);
        assert_eq!(row_sums(column.transposed(true)).unwrap(), [10]);
        assert_eq!(row_sums(Matrix::row_major(&values, 1, 4).transposed(true)).unwrap(), [1, 2, 3, 4]);
    }

    #[test]
    fn every_way_agrees_with_the_definition() {
        let sizes = [(1, 1, 1), (1, 103, 40), (2, 0, 3), (13, 64, 33), (30, 1025, 20), (14, 4096, 5), (0, 3, 2)];
        for way in byte_ways::bytes() {
            for (rows, depth, columns) in sizes {
                let (x, y) = (bytes(rows * depth, 1), bytes(depth * columns, 2));
                for zeros in [[0, 0], [7, 200], [-1000, 3000]] {
                    let element = |i: usize| -> i32 {
                        let (row, column) = (i / columns, i % columns);
                        let factor = |value: u8, zero: i32| i32::from(value) - zero;
                        let product =
                            |k: usize| factor(x[row * depth + k], zeros[0]) * factor(y[k * columns + column], zeros[1]);
                        (0..depth).map(product).fold(0, i32::wrapping_add)
                    };
                    let expected: Vec<i32> = (0..rows * columns).map(element).collect();
                    let left = Matrix::row_major(&x, rows, depth);
                    let right = Matrix::row_major(&y, depth, columns);
                    for threads in [1, 3] {
                        let env = Threads(threads);
                        let panels = BytePanels::new(&env, way, right).unwrap();
                        let mut out = vec![7; rows * columns];
                        let sums = row_sums(left).unwrap();
                        multiply(&env, (&left, &sums), &panels, zeros, |x| x, &mut out).unwrap();
                        assert_eq!(out, expected, "{way:?}: {rows}x{depth}x{columns} less {zeros:?}");
                    }
                }
            }
        }
    }
}

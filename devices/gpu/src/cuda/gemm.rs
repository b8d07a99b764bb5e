//! How products of row-major matrices look to a library that knows column-major ones.
//!
//! A row-major matrix is, column by column, its transpose. The transpose of a product is the product of the transposes
//! in the other order: the library is given the right operand first, and its columns are the rows of `out`.

use oplink_api::device::{MatMulSpec, MatrixLayout};

/// A product as a column-major library takes it: `c = op(a) · op(b)` with `m` rows, `n` columns and `k` terms, for each
/// of a batch. The operand `a` is the right one of the row-major product, `b` the left one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Gemm {
    pub(super) m: u64,
    pub(super) n: u64,
    pub(super) k: u64,
    pub(super) batches: i32,
    pub(super) a: Operand,
    pub(super) b: Operand,
    pub(super) c: Operand,
}

/// A column-major matrix of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Operand {
    /// Whether its transpose takes part in the product.
    pub(super) transposed: bool,
    /// As it is stored.
    pub(super) rows: u64,
    /// As it is stored.
    pub(super) columns: u64,
    /// Elements from a stored column to the next.
    pub(super) leading: i64,
    /// Elements from a matrix to the next.
    pub(super) stride: i64,
}

impl Gemm {
    /// The product of a spec with neither sizes nor sums that are empty; `None` where a number is too large.
    pub(super) fn of(spec: &MatMulSpec) -> Option<Self> {
        let [m, n, k] = [spec.columns, spec.rows, spec.depth].map(|size| size as u64);
        let a = operand(spec.b, m, k)?;
        let b = operand(spec.a, k, n)?;
        let c = operand(spec.out, m, n)?;
        Some(Self { m, n, k, batches: i32::try_from(spec.batches).ok()?, a, b, c })
    }
}

/// The operand that takes part with `rows` and `columns`.
fn operand(layout: MatrixLayout, rows: u64, columns: u64) -> Option<Operand> {
    let MatrixLayout { transposed, row_stride, batch_stride, .. } = layout;
    let (rows, columns) = if transposed { (columns, rows) } else { (rows, columns) };
    let (leading, stride) = (i64::try_from(row_stride).ok()?, i64::try_from(batch_stride).ok()?);
    Some(Operand { transposed, rows, columns, leading, stride })
}

#[cfg(test)]
mod tests {
    use oplink_api::DType;

    use super::*;

    /// The reference: what the spec says, element by element.
    fn row_major(spec: &MatMulSpec, a: &[f64], b: &[f64], out: &mut [f64]) {
        let at = |layout: MatrixLayout, batch: usize, row: usize, column: usize| {
            let (row, column) = if layout.transposed { (column, row) } else { (row, column) };
            layout.offset + batch * layout.batch_stride + row * layout.row_stride + column
        };
        for batch in 0..spec.batches {
            for row in 0..spec.rows {
                for column in 0..spec.columns {
                    let terms = (0..spec.depth).map(|k| a[at(spec.a, batch, row, k)] * b[at(spec.b, batch, k, column)]);
                    out[at(spec.out, batch, row, column)] = terms.sum();
                }
            }
        }
    }

    /// What a column-major library computes, from the first matrix of each operand on.
    fn column_major(gemm: &Gemm, a: &[f64], b: &[f64], c: &mut [f64]) {
        let at = |operand: Operand, batch: i32, row: u64, column: u64| {
            let (row, column) = if operand.transposed { (column, row) } else { (row, column) };
            assert!(row < operand.rows && column < operand.columns && operand.leading >= operand.rows as i64);
            usize::try_from(i64::from(batch) * operand.stride + column as i64 * operand.leading + row as i64).unwrap()
        };
        for batch in 0..gemm.batches {
            for row in 0..gemm.m {
                for column in 0..gemm.n {
                    let terms = (0..gemm.k).map(|k| a[at(gemm.a, batch, row, k)] * b[at(gemm.b, batch, k, column)]);
                    c[at(gemm.c, batch, row, column)] = terms.sum();
                }
            }
        }
    }

    fn values(count: usize, seed: usize) -> Vec<f64> {
        (0..count).map(|index| ((index * 7919 + seed * 104_729) % 17) as f64 - 8.0).collect()
    }

    #[track_caller]
    fn same(spec: MatMulSpec) {
        let (a, b) = (values(2000, 1), values(2000, 2));
        let (mut expected, mut given) = (vec![0.5; 2000], vec![0.5; 2000]);
        row_major(&spec, &a, &b, &mut expected);
        let gemm = Gemm::of(&spec).expect("it fits");
        // The library gets the right operand first.
        column_major(&gemm, &b[spec.b.offset..], &a[spec.a.offset..], &mut given[spec.out.offset..]);
        assert_eq!(given, expected, "{spec:?}");
    }

    #[test]
    fn dense_products_of_every_transposition() {
        for transposes in [[false, false], [true, false], [false, true], [true, true]] {
            for sizes in [[2, 5, 7], [1, 4, 3], [4, 1, 3], [4, 3, 1], [6, 6, 6]] {
                for batches in [1, 3] {
                    same(MatMulSpec::dense(DType::Float, batches, sizes, transposes));
                }
            }
        }
    }

    #[test]
    fn products_with_gaps_offsets_and_shared_operands() {
        for transposes in [[false, false], [true, false], [false, true], [true, true]] {
            let mut spec = MatMulSpec::dense(DType::Float, 3, [4, 5, 6], transposes);
            spec.a = MatrixLayout { offset: 11, row_stride: spec.a.row_stride + 3, batch_stride: 101, ..spec.a };
            spec.b = MatrixLayout { offset: 2, batch_stride: 0, ..spec.b };
            spec.out = MatrixLayout { offset: 7, row_stride: 9, batch_stride: 50, ..spec.out };
            same(spec);
        }
    }

    #[test]
    fn numbers_that_a_library_cannot_take_are_told() {
        let spec = MatMulSpec::dense(DType::Float, 1 << 32, [1, 1, 1], [false, false]);
        assert_eq!(Gemm::of(&spec), None);
    }
}

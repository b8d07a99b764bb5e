//! `MatrixBandPart`: matrices with everything outside a band around the diagonal set to zero.
//!
//! Matrices are in the last two axes. Element (m, n) stays if `m - n <= num_lower` and `n - m <= num_upper`, a negative
//! number meaning no bound. It is an error when `num_lower` exceeds the rows or `num_upper` the columns. The output
//! takes the input's memory where nobody else needs it.

use oplink::prelude::*;
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_ops::array::band::{kept_diagonals, matrices};
use oplink_ops::array::{BatchMatrixBandPart, MatrixBandPart};

/// `MatrixBandPart` of numbers and bool.
#[kernel(MatrixBandPart, device = CPU, T = [numbers, bool], Tindex = any)]
#[kernel(BatchMatrixBandPart, device = CPU, T = [numbers, bool])]
pub fn matrix_band_part_cpu(
    input: Input<'_>,
    num_lower: &Tensor,
    num_upper: &Tensor,
    mut band: OutputSlot<'_>,
) -> Result<()> {
    let band_kept = kept_diagonals(input.shape(), [num_lower, num_upper])?;
    let (_, [rows, columns]) = matrices(input.shape())?;
    let out = band.forward_or_copy(input)?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    with_cells(out.dtype(), Clear { out, rows, columns, band: band_kept })
}

struct Clear<'a> {
    out: &'a mut Tensor,
    rows: usize,
    columns: usize,
    band: [Option<usize>; 2],
}

impl CellJob for Clear<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        for (number, row) in C::of_mut(self.out)?.chunks_exact_mut(self.columns).enumerate() {
            let diagonal = number % self.rows;
            let first = self.band[0].map_or(0, |lower| diagonal.saturating_sub(lower)).min(self.columns);
            let end = self.band[1].map_or(self.columns, |upper| (diagonal + upper + 1).min(self.columns));
            row[..first].fill(C::default());
            row[end.max(first)..].fill(C::default());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run_one;

    fn band(lower: i64, upper: i64) -> Result<Vec<i32>> {
        let x = Tensor::from_vec([1, 3, 2], vec![1, 2, 3, 4, 5, 6])?;
        Ok(run_one("MatrixBandPart", vec![x, Tensor::scalar(lower), Tensor::scalar(upper)])?.as_slice()?.to_vec())
    }

    #[test]
    fn keeps_the_band() {
        assert_eq!(band(0, 0).unwrap(), [1, 0, 0, 4, 0, 0]);
        assert_eq!(band(1, 0).unwrap(), [1, 0, 3, 4, 0, 6]);
        assert_eq!(band(0, -1).unwrap(), [1, 2, 0, 4, 0, 0]);
        assert_eq!(band(-1, -1).unwrap(), [1, 2, 3, 4, 5, 6]);
        assert!(band(4, 0).is_err());
        assert!(band(0, 3).is_err());
    }
}

//! `MatrixDiag`, `MatrixDiagV2` and `MatrixDiagV3`: matrices with given diagonals; `MatrixSetDiag`, `MatrixSetDiagV2`
//! and `MatrixSetDiagV3`: matrices with other diagonals.
//!
//! Matrices are in the last two axes. `MatrixDiag` makes square matrices of the main diagonal and zeros. The later ones
//! have `padding_value` beside the diagonals `k`: one, of which `diagonal` [..., length] holds the elements, or the
//! lowest and the highest of a band, whose rows `diagonal` [..., diagonals, longest] holds with the highest first.
//! Elements behind the end of shorter diagonals are not read; they stand on the right, for V3 as the attr `align` has
//! it. `num_rows` and `num_cols` are scalars, -1 being the least there can be (and a square where both are -1). It is
//! an error when a side is too small, or when both are larger than needed.
//!
//! `MatrixSetDiag` replaces the main diagonal, the later ones the diagonals `k`, held as above. The output takes the
//! input's memory where nobody else needs it. It is an error when the shape of `diagonal` is not that of the replaced
//! diagonals.

use oplink::prelude::*;
use oplink_cpu_support::movement::{self, Cell, CellJob, with_cells};
use oplink_ops::array::band::{Align, Band, DiagonalMatrices, matrices, replaced_diagonals};
use oplink_ops::array::{
    BatchMatrixDiag, BatchMatrixSetDiag, DiagonalAlign, MatrixDiag, MatrixDiagV2, MatrixDiagV3, MatrixSetDiag,
    MatrixSetDiagV2, MatrixSetDiagV3,
};

/// `MatrixDiag` of numbers and bool.
#[kernel(MatrixDiag, device = CPU, T = [numbers, bool])]
#[kernel(BatchMatrixDiag, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_cpu(diagonal: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let Some(&side) = diagonal.shape().last() else { bail!("diagonal must be at least a vector, it is a scalar") };
    let mut shape = diagonal.shape().clone();
    shape.push(side);
    let out = output.allocate(shape)?;
    movement::fill(&env, out, None)?;
    write_band(out, diagonal, (side, side), Band::MAIN, Align::of(None), side)
}

/// `MatrixDiagV2` and `MatrixDiagV3` of numbers and bool.
#[kernel(MatrixDiagV2, device = CPU, T = [numbers, bool])]
#[kernel(MatrixDiagV3, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_v3_cpu(
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
    let all = DiagonalMatrices::new(diagonal.shape(), band, [num_rows, num_cols], padding_value.shape())?;
    let (longest, [rows, columns]) = (all.longest, all.sides);
    let out = output.allocate(all.shape())?;
    movement::fill(&env, out, Some(padding_value))?;
    write_band(out, diagonal, (rows, columns), band, Align::of(align), longest)
}

/// `MatrixSetDiag` and its later versions, of numbers and bool.
#[kernel(MatrixSetDiag, device = CPU, T = [numbers, bool])]
#[kernel(BatchMatrixSetDiag, device = CPU, T = [numbers, bool])]
#[kernel(MatrixSetDiagV2, device = CPU, T = [numbers, bool])]
#[kernel(MatrixSetDiagV3, device = CPU, T = [numbers, bool])]
pub fn matrix_set_diag_cpu(
    input: Input<'_>,
    diagonal: &Tensor,
    k: Option<&Tensor>,
    align: Option<DiagonalAlign>,
    mut output: OutputSlot<'_>,
) -> Result<()> {
    let band = k.map_or(Ok(Band::MAIN), Band::read)?;
    let longest = replaced_diagonals(input.shape(), diagonal.shape(), band)?;
    let (_, [rows, columns]) = matrices(input.shape())?;
    let out = output.forward_or_copy(input)?;
    write_band(out, diagonal, (rows, columns), band, Align::of(align), longest)
}

/// Writes the diagonals, in rows of `longest` elements, to the matrices of `out`, which have these sides.
fn write_band(
    out: &mut Tensor,
    diagonal: &Tensor,
    sides: (usize, usize),
    band: Band,
    align: Align,
    longest: usize,
) -> Result<()> {
    if out.num_elements() == 0 || diagonal.num_elements() == 0 {
        return Ok(());
    }
    with_cells(out.dtype(), Write { out, diagonal, sides, band, align, longest })
}

struct Write<'a> {
    out: &'a mut Tensor,
    diagonal: &'a Tensor,
    sides: (usize, usize),
    band: Band,
    align: Align,
    longest: usize,
}

impl CellJob for Write<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (rows, columns) = self.sides;
        let mut given = C::of(self.diagonal)?.chunks_exact(self.longest);
        for matrix in C::of_mut(self.out)?.chunks_exact_mut(rows * columns) {
            let diagonals = self.band.diagonals(rows, columns, self.longest, self.align);
            for (diagonal, row) in diagonals.zip(given.by_ref()) {
                let first = diagonal.row * columns + diagonal.column;
                let elements = matrix.get_mut(first..).unwrap_or(&mut []).iter_mut().step_by(columns + 1);
                let values = &row[diagonal.start..][..diagonal.length];
                elements.zip(values).for_each(|(out, value)| out.clone_from(value));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error, check_with};

    fn inputs(k: impl Into<Tensor>, rows: i32, columns: i32) -> [Tensor; 5] {
        [[1, 2].into(), k.into(), rows.into(), columns.into(), 9.into()]
    }

    #[test]
    fn makes_matrices() {
        let square = Tensor::from_vec([3, 3], vec![9, 1, 9, 9, 9, 2, 9, 9, 9]).unwrap();
        check("MatrixDiagV2", inputs(1, -1, -1), square);
        let wide = Tensor::from_vec([2, 4], vec![9, 1, 9, 9, 9, 9, 2, 9]).unwrap();
        check("MatrixDiagV3", inputs([1, 1], 2, 4), wide);
        let band = Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let inputs = [band, [0, 1].into(), (-1).into(), (-1).into(), 9.into()];
        let out = |values: [i32; 4]| Tensor::from_vec([2, 2], values.to_vec()).unwrap();
        check("MatrixDiagV2", inputs.clone(), out([3, 1, 9, 4]));
        check_with("MatrixDiagV3", &[("align", "RIGHT_LEFT".into())], inputs, out([3, 2, 9, 4]));
    }

    #[test]
    fn sides_must_fit() {
        check_error("MatrixDiagV2", inputs(1, 3, 4), "one side must be the least");
        check_error("MatrixDiagV2", inputs(1, 2, 2), "do not give 2 rows by 2 columns");
        check_error("MatrixDiagV2", inputs([0, 1], -1, -1), "does not hold the 2 diagonals");
    }

    fn matrix(values: [i32; 6]) -> Tensor {
        Tensor::from_vec([2, 3], values.to_vec()).unwrap()
    }

    #[test]
    fn replaces_diagonals() {
        let input = matrix([1, 2, 3, 4, 5, 6]);
        check("MatrixSetDiag", [input.clone(), [8, 9].into()], matrix([8, 2, 3, 4, 9, 6]));
        check("MatrixSetDiagV2", [input.clone(), [8, 9].into(), 1.into()], matrix([1, 8, 3, 4, 5, 9]));
        let band = Tensor::from_vec([2, 2], vec![8, 9, 6, 7]).unwrap();
        check("MatrixSetDiagV2", [input.clone(), band.clone(), [-1, 0].into()], matrix([8, 2, 3, 6, 9, 6]));
        check("MatrixSetDiagV3", [input.clone(), band, [1, 2].into()], matrix([1, 6, 9, 4, 5, 7]));
        check_error("MatrixSetDiag", [input, [8, 9, 7].into()], "must have the shape [2]");
    }
}

//! `MatrixDiagV2` and `MatrixDiagV3`: matrices with a given band of diagonals and `padding_value` elsewhere.
//!
//! `k` is one diagonal, of which `diagonal` [..., length] holds the elements, or the lowest and the highest one, whose rows
//! `diagonal` [..., diagonals, longest] holds with the highest first. Elements behind the end of shorter diagonals are not
//! read; they stand on the right, in `MatrixDiagV3` as the attr `align` says. `num_rows` and `num_cols` are scalars, -1
//! being the least there can be (and a square where both are -1). It is an error when a side is too small, or when both
//! are larger than needed.

use oplink::prelude::*;
use oplink::shape_fns::diagonal_sides;

use super::super::arguments;
use super::band::{Align, Band};
use crate::support::movement::{self, Cell, CellJob, with_cells};

/// Matrices with the diagonals `k`, whose rows stand left.
#[op("MatrixDiagV2",
     input = "diagonal: T",
     input = "k: int32",
     input = "num_rows: int32",
     input = "num_cols: int32",
     input = "padding_value: T",
     output = "output: T",
     attr = "T: type",
     shape = shape_fns::matrix_diag_v2)]
pub struct MatrixDiagV2;

/// Matrices with the diagonals `k`, whose rows stand as `align` says.
#[op("MatrixDiagV3",
     input = "diagonal: T",
     input = "k: int32",
     input = "num_rows: int32",
     input = "num_cols: int32",
     input = "padding_value: T",
     output = "output: T",
     attr = "T: type",
     attr = "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'",
     shape = shape_fns::matrix_diag_v2)]
pub struct MatrixDiagV3;

/// `MatrixDiagV2` of numbers and bool.
#[kernel(MatrixDiagV2, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    make(context)
}

/// `MatrixDiagV3` of numbers and bool.
#[kernel(MatrixDiagV3, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    make(context)
}

fn make(context: &mut KernelContext<'_>) -> Result<()> {
    let (band, align) = (Band::read(context, 1)?, Align::of(context)?);
    let sides = [arguments::scalar(context, 2, "num_rows")?, arguments::scalar(context, 3, "num_cols")?];
    let (diagonal, padding) = (context.input(0), context.input(4));
    ensure!(padding.num_elements() == 1, "padding_value must be a scalar, it has shape {}", padding.shape());
    let single = band.lower == band.upper;
    let (batch, longest) = match diagonal.shape().dims() {
        [batch @ .., longest] if single => (batch, *longest),
        [batch @ .., count, longest] if *count == band.count() => (batch, *longest),
        _ => bail!("diagonal of shape {} does not hold the {} diagonals of k", diagonal.shape(), band.count()),
    };
    let [rows, columns] = diagonal_sides(longest, (band.lower, band.upper), sides)?;
    let mut out = context.allocate_output(0, [batch, &[rows, columns]].concat())?;
    movement::fill(&mut out, Some(padding))?;
    write_band(&mut out, diagonal, (rows, columns), band, align, longest)?;
    context.set_output(0, out);
    Ok(())
}

/// Writes the diagonals, in rows of `longest` elements, to the matrices of `out`, which have these sides.
pub(super) fn write_band(
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
    use crate::support::testing::{check, check_error, check_with};

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
}

//! `MatrixDiagPartV2` and `MatrixDiagPartV3`: a band of diagonals of matrices, as rows.
//!
//! `k` is one diagonal, which gives [..., length], or the lowest and the highest one, which give [..., diagonals, longest]
//! with the highest first. Shorter diagonals are filled up with `padding_value`: on the right, in `MatrixDiagPartV3` on
//! the sides that the attr `align` leaves (`RIGHT_LEFT`: diagonals above the main one and it stand right, those below
//! left). It is an error when the matrices have no such diagonals.

use oplink::prelude::*;

use super::band::{Align, Band};
use crate::support::movement::{Cell, CellJob, with_cells};

/// The diagonals `k` of matrices, shorter ones filled up on the right.
#[op("MatrixDiagPartV2",
     input = "input: T",
     input = "k: int32",
     input = "padding_value: T",
     output = "diagonal: T",
     attr = "T: type",
     shape = shape_fns::matrix_diag_part_v2)]
pub struct MatrixDiagPartV2;

/// The diagonals `k` of matrices, shorter ones filled up as `align` says.
#[op("MatrixDiagPartV3",
     input = "input: T",
     input = "k: int32",
     input = "padding_value: T",
     output = "diagonal: T",
     attr = "T: type",
     attr = "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'",
     shape = shape_fns::matrix_diag_part_v2)]
pub struct MatrixDiagPartV3;

/// `MatrixDiagPartV2` of numbers and bool.
#[kernel(MatrixDiagPartV2, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_part_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    take(context)
}

/// `MatrixDiagPartV3` of numbers and bool.
#[kernel(MatrixDiagPartV3, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_part_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    take(context)
}

fn take(context: &mut KernelContext<'_>) -> Result<()> {
    let (input, padding) = (context.input(0), context.input(2));
    let [batch @ .., rows, columns] = input.shape().dims() else {
        bail!("input must be at least a matrix, it has shape {}", input.shape())
    };
    ensure!(padding.num_elements() == 1, "padding_value must be a scalar, it has shape {}", padding.shape());
    let (band, align) = (Band::read(context, 1)?, Align::of(context)?);
    let longest = band.longest(*rows, *columns)?;
    let mut out = context.allocate_output(0, band.shape(batch, longest))?;
    if out.num_elements() > 0 {
        let job = Take { out: &mut out, input, padding, sides: (*rows, *columns), band, align, longest };
        with_cells(input.dtype(), job)?;
    }
    context.set_output(0, out);
    Ok(())
}

struct Take<'a> {
    out: &'a mut Tensor,
    input: &'a Tensor,
    padding: &'a Tensor,
    sides: (usize, usize),
    band: Band,
    align: Align,
    longest: usize,
}

impl CellJob for Take<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let (rows, columns) = self.sides;
        let (padding, input) = (&C::of(self.padding)?[0], C::of(self.input)?);
        let mut out = C::of_mut(self.out)?.chunks_exact_mut(self.longest);
        for matrix in input.chunks_exact(rows * columns) {
            let diagonals = self.band.diagonals(rows, columns, self.longest, self.align);
            for (diagonal, row) in diagonals.zip(out.by_ref()) {
                let end = diagonal.start + diagonal.length;
                row[..diagonal.start].fill(padding.clone());
                row[end..].fill(padding.clone());
                let first = diagonal.row * columns + diagonal.column;
                let elements = matrix.get(first..).unwrap_or(&[]).iter().step_by(columns + 1);
                row[diagonal.start..end].iter_mut().zip(elements).for_each(|(out, value)| out.clone_from(value));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error, check_with};

    fn matrix() -> Tensor {
        Tensor::from_vec([3, 4], (1..=12).collect::<Vec<i32>>()).unwrap()
    }

    #[test]
    fn takes_bands() {
        let rows = |values: [i32; 9]| Tensor::from_vec([3, 3], values.to_vec()).unwrap();
        let inputs = || [matrix(), [-1, 1].into(), 0.into()];
        check("MatrixDiagPartV2", inputs(), rows([2, 7, 12, 1, 6, 11, 5, 10, 0]));
        check("MatrixDiagPartV3", inputs(), rows([2, 7, 12, 1, 6, 11, 5, 10, 0]));
        let right = [("align", "LEFT_RIGHT".into())];
        check_with("MatrixDiagPartV3", &right, inputs(), rows([2, 7, 12, 1, 6, 11, 0, 5, 10]));
        check("MatrixDiagPartV2", [matrix(), (-2).into(), 0.into()], [9]);
        let corner = Tensor::from_vec([2, 2], vec![4, 0, 3, 8]).unwrap();
        check("MatrixDiagPartV2", [matrix(), [2, 3].into(), 0.into()], corner);
    }

    #[test]
    fn diagonals_must_exist() {
        check_error("MatrixDiagPartV2", [matrix(), 4.into(), 0.into()], "have no diagonal 4");
        check_error("MatrixDiagPartV2", [matrix(), [1, 0].into(), 0.into()], "lower diagonal first");
        check_error("MatrixDiagPartV2", [matrix(), [0, 1, 2].into(), 0.into()], "one or two elements");
    }
}

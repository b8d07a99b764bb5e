//! `MatrixDiagPart`, `MatrixDiagPartV2` and `MatrixDiagPartV3`: the diagonals of matrices, as rows.
//!
//! Matrices are in the last two axes. `MatrixDiagPart` takes the main diagonal, which has as many elements as the
//! shorter side. For the others `k` is one diagonal, which gives [..., length], or the lowest and the highest one,
//! which give [..., diagonals, longest] with the highest first. Shorter diagonals are filled up with `padding_value`:
//! on the right, for `MatrixDiagPartV3` on the sides that the attr `align` leaves (`RIGHT_LEFT`: diagonals above the
//! main one and it stand right, those below left). It is an error when the matrices have no such diagonals.

use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, Cell, CellJob, copy_axes_into, with_cells};
use oplink_ops::array::band::{Align, Band, check_padding, matrices};
use oplink_ops::array::{BatchMatrixDiagPart, DiagonalAlign, MatrixDiagPart, MatrixDiagPartV2, MatrixDiagPartV3};

/// `MatrixDiagPart` of numbers and bool.
#[kernel(MatrixDiagPart, device = CPU, T = [numbers, bool])]
#[kernel(BatchMatrixDiagPart, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_part_cpu(input: &Tensor, mut diagonal: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let (batch, [rows, columns]) = matrices(input.shape())?;
    let (count, length) = (batch.iter().product(), rows.min(columns));
    let axes = [
        Axis::Strided { count, stride: (rows * columns) as isize },
        Axis::Strided { count: length, stride: columns as isize + 1 },
    ];
    copy_axes_into(&env, diagonal.allocate([batch, &[length]].concat())?, input, 0, &axes)
}

/// `MatrixDiagPartV2` and `MatrixDiagPartV3` of numbers and bool.
#[kernel(MatrixDiagPartV2, device = CPU, T = [numbers, bool])]
#[kernel(MatrixDiagPartV3, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_part_v3_cpu(
    input: &Tensor,
    k: &Tensor,
    padding_value: &Tensor,
    align: Option<DiagonalAlign>,
    mut diagonal: OutputSlot<'_>,
) -> Result<()> {
    let (batch, [rows, columns]) = matrices(input.shape())?;
    check_padding(padding_value.shape())?;
    let (band, align) = (Band::read(k)?, Align::of(align));
    let longest = band.longest(rows, columns)?;
    let out = diagonal.allocate(band.shape(batch, longest))?;
    if out.num_elements() == 0 {
        return Ok(());
    }
    let sides = (rows, columns);
    with_cells(input.dtype(), Take { out, input, padding: padding_value, sides, band, align, longest })
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
    use oplink_cpu_support::testing::{check, check_error, check_with, run_one};

    #[test]
    fn make_and_take_diagonals() {
        let out = run_one("MatrixDiag", vec![Tensor::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap()]).unwrap();
        assert_eq!(
            (out.shape().dims(), out.as_slice::<i32>().unwrap()),
            (&[2, 2, 2][..], &[1, 0, 0, 2, 3, 0, 0, 4][..])
        );
        let back = run_one("MatrixDiagPart", vec![out]).unwrap();
        assert_eq!(back.as_slice::<i32>().unwrap(), [1, 2, 3, 4]);
        let wide = Tensor::from_vec([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(run_one("MatrixDiagPart", vec![wide]).unwrap().as_slice::<i32>().unwrap(), [1, 5]);
        assert!(run_one("MatrixDiag", vec![Tensor::scalar(1)]).is_err());
        assert!(run_one("MatrixDiagPart", vec![Tensor::from([1])]).is_err());
    }

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

//! `MatrixDiag` and `MatrixDiagPart`: matrices with given diagonals and zeros elsewhere, and the diagonals of matrices.
//!
//! Matrices are in the last two axes, diagonals in the last one. `MatrixDiag` makes square matrices; the diagonal of a
//! matrix has as many elements as its shorter side.

use oplink::prelude::*;

use crate::support::movement::{self, Axis, Cell, CellJob, copy_axes, with_cells};

/// Matrices with the diagonals `diagonal`.
#[op("MatrixDiag", input = "diagonal: T", output = "output: T", attr = "T: type", shape = shape_fns::matrix_diag)]
pub struct MatrixDiag;

/// The diagonals of matrices.
#[op("MatrixDiagPart", input = "input: T", output = "diagonal: T", attr = "T: type", shape = shape_fns::matrix_diag_part)]
pub struct MatrixDiagPart;

/// `MatrixDiag` of numbers and bool.
#[kernel(MatrixDiag, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let diagonal = context.input(0);
    let mut shape = diagonal.shape().clone();
    let Some(&side) = shape.last() else { bail!("diagonal must be at least a vector, it is a scalar") };
    shape.push(side);
    let mut out = context.allocate_output(0, shape)?;
    movement::fill(&mut out, None)?;
    if side > 0 {
        with_cells(out.dtype(), Spread { out: &mut out, diagonal, side })?;
    }
    context.set_output(0, out);
    Ok(())
}

struct Spread<'a> {
    out: &'a mut Tensor,
    diagonal: &'a Tensor,
    side: usize,
}

impl CellJob for Spread<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let rows = C::of_mut(self.out)?.chunks_exact_mut(self.side);
        for (number, (row, value)) in rows.zip(C::of(self.diagonal)?).enumerate() {
            row[number % self.side] = value.clone();
        }
        Ok(())
    }
}

/// `MatrixDiagPart` of numbers and bool.
#[kernel(MatrixDiagPart, device = CPU, T = [numbers, bool])]
pub fn matrix_diag_part_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0);
    let [batch @ .., rows, columns] = input.shape().dims() else {
        bail!("input must be at least a matrix, it has shape {}", input.shape())
    };
    let (matrices, length) = (batch.iter().product(), *rows.min(columns));
    let axes = [
        Axis::Strided { count: matrices, stride: (rows * columns) as isize },
        Axis::Strided { count: length, stride: *columns as isize + 1 },
    ];
    let out = copy_axes(context, 0, [batch, &[length]].concat(), input, 0, &axes)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run_one;

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
}

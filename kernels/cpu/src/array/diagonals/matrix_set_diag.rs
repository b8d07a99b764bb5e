//! `MatrixSetDiag`, `MatrixSetDiagV2` and `MatrixSetDiagV3`: matrices with other diagonals.
//!
//! `MatrixSetDiag` replaces the main diagonal, the others the diagonals `k`, which `diagonal` holds as `MatrixDiagPartV2`
//! and `MatrixDiagPartV3` give them. The output takes the input's memory where nobody else needs it. It is an error when
//! the shape of `diagonal` is not that of the replaced diagonals.

use oplink::prelude::*;

use super::band::{Align, Band};
use super::matrix_diag_v2::write_band;

/// Matrices with another main diagonal.
#[op("MatrixSetDiag",
     input = "input: T",
     input = "diagonal: T",
     output = "output: T",
     attr = "T: type",
     shape = shape_fns::matrix_set_diag)]
pub struct MatrixSetDiag;

/// Matrices with other diagonals `k`, whose rows stand left.
#[op("MatrixSetDiagV2",
     input = "input: T",
     input = "diagonal: T",
     input = "k: int32",
     output = "output: T",
     attr = "T: type",
     shape = shape_fns::matrix_set_diag_v2)]
pub struct MatrixSetDiagV2;

/// Matrices with other diagonals `k`, whose rows stand as `align` says.
#[op("MatrixSetDiagV3",
     input = "input: T",
     input = "diagonal: T",
     input = "k: int32",
     output = "output: T",
     attr = "T: type",
     attr = "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'",
     shape = shape_fns::matrix_set_diag_v2)]
pub struct MatrixSetDiagV3;

/// `MatrixSetDiag` of numbers and bool.
#[kernel(MatrixSetDiag, device = CPU, T = [numbers, bool])]
pub fn matrix_set_diag_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    replace(context, Band::MAIN)
}

/// `MatrixSetDiagV2` of numbers and bool.
#[kernel(MatrixSetDiagV2, device = CPU, T = [numbers, bool])]
pub fn matrix_set_diag_v2_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let band = Band::read(context, 2)?;
    replace(context, band)
}

/// `MatrixSetDiagV3` of numbers and bool.
#[kernel(MatrixSetDiagV3, device = CPU, T = [numbers, bool])]
pub fn matrix_set_diag_v3_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let band = Band::read(context, 2)?;
    replace(context, band)
}

fn replace(context: &mut KernelContext<'_>, band: Band) -> Result<()> {
    let shape = context.input(0).shape().clone();
    let [batch @ .., rows, columns] = shape.dims() else {
        bail!("input must be at least a matrix, it has shape {shape}")
    };
    let (align, longest) = (Align::of(context)?, band.longest(*rows, *columns)?);
    let wanted = band.shape(batch, longest);
    let given = context.input(1).shape();
    ensure!(*given == wanted, "diagonal must have the shape {wanted} for an input of shape {shape}, it has {given}");
    let mut out = context.take_input(0).make_unique()?;
    write_band(&mut out, context.input(1), (*rows, *columns), band, align, longest)?;
    context.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::{check, check_error};

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

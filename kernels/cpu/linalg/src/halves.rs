//! Products of matrices of 16-bit floats.

use oplink::KernelEnv;
use oplink::prelude::*;
use oplink_cpu_contraction::dot::halves::{self, ConstantHalves, HalfFormat, HalfPanels};
use oplink_cpu_contraction::finish::Finish;
use oplink_cpu_contraction::matrix::Matrix;

/// Writes the product of two matrices, each transposed first as `transpose` declares, and what follows to `product`,
/// which has its shape. False, and nothing written, where the elements are no 16-bit floats, or rows are too long.
pub(crate) fn multiply(
    env: &dyn KernelEnv,
    [a, b]: [&Tensor; 2],
    transpose: [bool; 2],
    constant: Option<&ConstantHalves>,
    finish: Finish<'_, f32>,
    product: &mut Tensor,
) -> Result<bool> {
    let Some(format) = HalfFormat::of(a.dtype()) else { return Ok(false) };
    let left = Matrix::of_shape(format.bits(a)?, a.shape())?.transposed(transpose[0]);
    if !halves::fits(format, left.columns()) {
        return Ok(false);
    }
    let out = format.bits_mut(product)?;
    let Some(constant) = constant else {
        let right = Matrix::of_shape(format.bits(b)?, b.shape())?.transposed(transpose[1]);
        halves::multiply_matrices(env, format, (left, right), finish, out)?;
        return Ok(true);
    };
    let panels = constant.panels(|| {
        let right = b.for_one_use();
        let right = Matrix::of_shape(format.bits(&right)?, b.shape())?.transposed(transpose[1]);
        HalfPanels::lasting(env, halves::way(format), right)
    })?;
    halves::multiply(env, format, (&left, left.rows()), panels, finish, out)?;
    Ok(true)
}

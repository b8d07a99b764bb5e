//! `BatchMatMul`, `BatchMatMulV2` and `BatchMatMulV3`: products of the matrices in the last two axes, the others
//! broadcast.

use oplink::prelude::*;
use oplink_ops::linalg::{BatchMatMul, BatchMatMulV2, BatchMatMulV3};

use super::matmul::product_of;

/// `BatchMatMul` for the floats.
#[kernel(BatchMatMul, device = GPU, T = [floats])]
pub fn batch_matmul_gpu(
    x: &Tensor,
    y: &Tensor,
    adj_x: bool,
    adj_y: bool,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (left, right) = (x.shape(), y.shape());
    let leading = left.rank().saturating_sub(2);
    ensure!(
        left.rank() == right.rank() && left.iter().zip(right.iter()).take(leading).all(|(x, y)| x == y),
        "the axes before the last two must be the same, x is {left}, y is {right}"
    );
    batch_matmul_v2_gpu(x, y, adj_x, adj_y, output, env)
}

/// `BatchMatMulV2` and `BatchMatMulV3` for the floats.
#[kernel(BatchMatMulV2, device = GPU, T = [floats])]
#[kernel(BatchMatMulV3, device = GPU, Ta = [bf16], Tb = [bf16], Tout = [bf16])]
#[kernel(BatchMatMulV3, device = GPU, Ta = [f16], Tb = [f16], Tout = [f16])]
#[kernel(BatchMatMulV3, device = GPU, Ta = [f32], Tb = [f32], Tout = [f32])]
#[kernel(BatchMatMulV3, device = GPU, Ta = [f64], Tb = [f64], Tout = [f64])]
pub fn batch_matmul_v2_gpu(
    x: &Tensor,
    y: &Tensor,
    adj_x: bool,
    adj_y: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let (product, shape) = product_of(x.shape(), y.shape(), [adj_x, adj_y])?;
    product.run(env.device()?, x, y, output.allocate(shape)?)
}

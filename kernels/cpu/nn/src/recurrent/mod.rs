//! Recurrent cells: products of whole sequences where a product does not need the step before, and one loop over the
//! elements of a step. The 16-bit floats are computed in f32; what one step gives the next is rounded to them.

pub mod fused_lstm;
pub mod gru;
pub mod lstm;
mod lstm_backward;
pub mod lstm_grad;
mod parts;

use oplink::KernelEnv;
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink_cpu_contraction::gemm::{Matrix, product};
use oplink_vmath::functions;

/// Elements of a state that one thread should at least have.
const ROW_GRAIN: usize = if cfg!(test) { 1 } else { 1 << 10 };

/// That a tensor has this shape.
fn expect(name: &str, tensor: &Tensor, dims: &[usize]) -> Result<()> {
    ensure!(tensor.shape().dims() == dims, "{name} must have the shape {dims:?}, it has {}", tensor.shape());
    Ok(())
}

/// A product of matrices in memory of its own.
fn multiplied(env: &dyn KernelEnv, left: Matrix<'_, f32>, right: Matrix<'_, f32>) -> Result<Vec<f32>> {
    let count = left.rows().checked_mul(right.columns());
    let Some(count) = count else { bail!("a product of {} x {} is too large", left.rows(), right.columns()) };
    let mut out = try_filled(0.0, count)?;
    product(env, left, right, &mut out);
    Ok(out)
}

/// Memory for a matrix, with arbitrary values.
fn temporary(env: &dyn KernelEnv, rows: usize, columns: usize) -> Result<Tensor> {
    Tensor::allocate(DType::Float, Shape::new(&[rows, columns]), env.allocator())
}

fn sigmoid(x: f32) -> f32 {
    functions::sigmoid::<false>(x)
}

fn tanh(x: f32) -> f32 {
    functions::tanh::<false>(x)
}

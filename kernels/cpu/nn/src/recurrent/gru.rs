//! `GRUBlockCell` and `GRUBlockCellGrad`.

use super::{expect, multiplied, sigmoid, tanh};
use oplink::KernelEnv;
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_cpu_contraction::gemm::Matrix;
use oplink_ops::nn::{GRUBlockCell, GRUBlockCellGrad};

/// The extents of a unit: batch, input and cell.
type Extents = [usize; 3];

/// The extents; an error where the inputs do not fit each other.
fn extents(x: &Tensor, h_prev: &Tensor, weights: [&Tensor; 2], biases: [&Tensor; 2]) -> Result<Extents> {
    let (&[batch, input], &[_, cell]) = (x.shape().dims(), h_prev.shape().dims()) else {
        bail!("x and h_prev must be matrices, they have {} and {}", x.shape(), h_prev.shape())
    };
    let Some(gates) = cell.checked_mul(2) else { bail!("a cell of {cell} is too large") };
    expect("h_prev", h_prev, &[batch, cell])?;
    expect("w_ru", weights[0], &[input + cell, gates])?;
    expect("w_c", weights[1], &[input + cell, cell])?;
    expect("b_ru", biases[0], &[gates])?;
    expect("b_c", biases[1], &[cell])?;
    Ok([batch, input, cell])
}

/// The product of `x` beside `state` with weights of so many columns.
fn beside(
    env: &dyn KernelEnv,
    (x, state, weights): (&[f32], &[f32], &[f32]),
    [batch, input, cell]: Extents,
    columns: usize,
) -> Result<Vec<f32>> {
    let mut joined = try_vec(batch * (input + cell))?;
    for row in 0..batch {
        joined.extend_from_slice(&x[row * input..][..input]);
        joined.extend_from_slice(&state[row * cell..][..cell]);
    }
    let (rows, inner) = (batch, input + cell);
    multiplied(env, Matrix::row_major(&joined, rows, inner), Matrix::row_major(weights, inner, columns))
}

/// `GRUBlockCell` in single precision.
#[kernel(GRUBlockCell, device = CPU, T = [f32])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn gru_block_cell_cpu(
    x: &Tensor,
    h_prev: &Tensor,
    w_ru: &Tensor,
    w_c: &Tensor,
    b_ru: &Tensor,
    b_c: &Tensor,
    mut r: OutputSlot<'_>,
    mut u: OutputSlot<'_>,
    mut c: OutputSlot<'_>,
    mut h: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let extents = extents(x, h_prev, [w_ru, w_c], [b_ru, b_c])?;
    let [batch, _, cell] = extents;
    let shape = Shape::new(&[batch, cell]);
    let (x, before) = (x.as_slice::<f32>()?, h_prev.as_slice::<f32>()?);
    let (b_ru, b_c) = (b_ru.as_slice::<f32>()?, b_c.as_slice::<f32>()?);
    let gates = beside(&env, (x, before, w_ru.as_slice()?), extents, 2 * cell)?;
    let r = r.allocate(shape.clone())?.as_mut_slice::<f32>()?;
    let u = u.allocate(shape.clone())?.as_mut_slice::<f32>()?;
    let mut reset = try_filled(0.0, batch * cell)?;
    for at in 0..batch * cell {
        let (row, column) = (at / cell * 2 * cell, at % cell);
        r[at] = sigmoid(gates[row + column] + b_ru[column]);
        u[at] = sigmoid(gates[row + cell + column] + b_ru[cell + column]);
        reset[at] = before[at] * r[at];
    }
    let states = beside(&env, (x, &reset, w_c.as_slice()?), extents, cell)?;
    let c = c.allocate(shape.clone())?.as_mut_slice::<f32>()?;
    let h = h.allocate(shape)?.as_mut_slice::<f32>()?;
    for at in 0..batch * cell {
        c[at] = tanh(states[at] + b_c[at % cell]);
        h[at] = u[at] * before[at] + (1.0 - u[at]) * c[at];
    }
    Ok(())
}

/// `GRUBlockCellGrad` in single precision.
#[kernel(GRUBlockCellGrad, device = CPU, T = [f32])]
#[allow(clippy::too_many_arguments, reason = "the op's inputs and outputs by name")]
pub fn gru_block_cell_grad_cpu(
    x: &Tensor,
    h_prev: &Tensor,
    w_ru: &Tensor,
    w_c: &Tensor,
    b_ru: &Tensor,
    b_c: &Tensor,
    r: &Tensor,
    u: &Tensor,
    c: &Tensor,
    d_h: &Tensor,
    mut d_x: OutputSlot<'_>,
    mut d_h_prev: OutputSlot<'_>,
    mut d_c_bar: OutputSlot<'_>,
    mut d_r_bar_u_bar: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let [batch, input, cell] = extents(x, h_prev, [w_ru, w_c], [b_ru, b_c])?;
    for (name, tensor) in [("r", r), ("u", u), ("c", c), ("d_h", d_h)] {
        expect(name, tensor, &[batch, cell])?;
    }
    let before = h_prev.as_slice::<f32>()?;
    let (r, u) = (r.as_slice::<f32>()?, u.as_slice::<f32>()?);
    let (c, d_h) = (c.as_slice::<f32>()?, d_h.as_slice::<f32>()?);
    let by_c = d_c_bar.allocate([batch, cell])?.as_mut_slice::<f32>()?;
    let by_gates = d_r_bar_u_bar.allocate([batch, 2 * cell])?.as_mut_slice::<f32>()?;
    for at in 0..batch * cell {
        by_c[at] = d_h[at] * (1.0 - u[at]) * (1.0 - c[at] * c[at]);
    }
    let (inner, w_c, w_ru) = (input + cell, w_c.as_slice::<f32>()?, w_ru.as_slice::<f32>()?);
    let turned = |weights, columns| Matrix::row_major(weights, inner, columns).transposed(true);
    let of_c = multiplied(&env, Matrix::row_major(by_c, batch, cell), turned(w_c, cell))?;
    let by_reset = |at: usize| of_c[at / cell * inner + input + at % cell];
    for at in 0..batch * cell {
        let (row, column) = (at / cell * 2 * cell, at % cell);
        by_gates[row + column] = by_reset(at) * before[at] * r[at] * (1.0 - r[at]);
        by_gates[row + cell + column] = d_h[at] * (before[at] - c[at]) * u[at] * (1.0 - u[at]);
    }
    let of_gates = multiplied(&env, Matrix::row_major(by_gates, batch, 2 * cell), turned(w_ru, 2 * cell))?;
    let by_x = d_x.allocate([batch, input])?.as_mut_slice::<f32>()?;
    for (at, out) in by_x.iter_mut().enumerate() {
        let place = at / input * inner + at % input;
        *out = of_gates[place] + of_c[place];
    }
    let by_h = d_h_prev.allocate([batch, cell])?.as_mut_slice::<f32>()?;
    for (at, out) in by_h.iter_mut().enumerate() {
        *out = d_h[at] * u[at] + by_reset(at) * r[at] + of_gates[at / cell * inner + input + at % cell];
    }
    Ok(())
}

//! Tensors with one value everywhere, and with one repeated along axes.

use oplink::prelude::*;
use oplink::shape_inference::int_values;

use crate::arguments;
use crate::movement::{CopyBackend, one, stretch};

/// `Fill` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn fill<B: CopyBackend>(dims: &Tensor, value: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    ensure!(dims.rank() <= 1, "dims must be a vector, it has shape {}", dims.shape());
    ensure!(value.num_elements() == 1, "value must be a scalar, it has shape {}", value.shape());
    B::fill(env, output.allocate(Shape::from_i64(&int_values(dims)?)?)?, Some(value))
}

/// `ZerosLike` by the copies of `B`.
///
/// # Errors
/// Memory runs out.
pub fn zeros_like<B: CopyBackend>(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    fill_like::<B>(x, y, env, None)
}

/// `OnesLike` by the copies of `B`.
///
/// # Errors
/// Memory runs out.
pub fn ones_like<B: CopyBackend>(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let one = one(x.dtype())?;
    fill_like::<B>(x, y, env, Some(&one))
}

fn fill_like<B: CopyBackend>(x: Input<'_>, mut y: OutputSlot<'_>, env: Env<'_>, value: Option<&Tensor>) -> Result<()> {
    let shape = x.shape().clone();
    B::fill(env, y.forward(x, &shape)?.0, value)
}

/// `BroadcastTo` by the copies of `B`.
///
/// # Errors
/// The inputs do not fit, or memory runs out.
pub fn broadcast_to<B: CopyBackend>(
    input: Input<'_>,
    shape: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = arguments::shape(shape, "shape")?;
    let dims = input.shape();
    let fits = dims.rank() <= shape.rank()
        && dims.iter().rev().zip(shape.iter().rev()).all(|(&from, &to)| from == to || from == 1);
    ensure!(fits, "a tensor of shape {dims} cannot be stretched to {shape}");
    if *dims == shape {
        output.set(input.take());
        return Ok(());
    }
    stretch::<B>(env, output.allocate(shape)?, &input)
}

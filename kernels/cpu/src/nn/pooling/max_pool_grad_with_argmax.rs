//! `MaxPoolGradWithArgmax`: the gradient of `MaxPoolWithArgmax`.
//!
//! `input` is the pooling's [batch, rows, columns, channels], `grad` and `argmax` have the shape of its output. Each gradient
//! is added to the position that `argmax` names, counted over the whole batch with `include_batch_in_index`. It is an error
//! where a position lies outside. Gradients of 16-bit floats are summed in f32.

use oplink::prelude::*;

use super::pool::PoolWindow;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::{Arithmetic, Lanes};

/// The gradient of `MaxPoolWithArgmax`: `grad` at the positions `argmax`.
#[op("MaxPoolGradWithArgmax",
     input = "input: T",
     input = "grad: T",
     input = "argmax: Targmax",
     output = "output: T",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "include_batch_in_index: bool = false",
     attr = "Targmax: {int32, int64}",
     attr = "T: realnumbertype",
     shape = shape_fns::max_pool_grad)]
pub struct MaxPoolGradWithArgmax;

/// `MaxPoolGradWithArgmax` for every real number.
#[kernel(MaxPoolGradWithArgmax, device = CPU, T = [reals], Targmax = [i64])]
pub fn max_pool_grad_with_argmax_cpu<T: Lanes<Lane: Arithmetic + PartialOrd>>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    let (input, gradient, argmax) = (context.input(0), context.input(1), context.input(2));
    let geometry = PoolWindow::new(context.node())?.geometry(input.shape())?;
    geometry.check_output(gradient, "grad")?;
    geometry.check_output(argmax, "argmax")?;
    let with_batch = context.attr::<bool>("include_batch_in_index")?;
    let mut output = context.allocate_output(0, input.shape().clone())?;
    let gradient = lanes_of(gradient.as_slice::<T>()?);
    let argmax = argmax.as_slice::<i64>()?;
    let (picture, pooled_picture) = (geometry.picture(), geometry.output_picture().max(1));
    fill_lanes(output.as_mut_slice::<T>()?, |out| -> Result<()> {
        out.fill(T::Lane::ZERO);
        for (index, (&gradient, &at)) in gradient.iter().zip(argmax).enumerate() {
            let start = index / pooled_picture * picture;
            let shift = if with_batch { 0 } else { start };
            let position = usize::try_from(at).ok().map(|at| at + shift);
            let Some(position) = position.filter(|at| (start..start + picture).contains(at)) else {
                bail!("argmax {at} at position {index} is outside the picture of {picture} values")
            };
            out[position] = out[position].add(gradient);
        }
        Ok(())
    })?;
    context.set_output(0, output);
    Ok(())
}

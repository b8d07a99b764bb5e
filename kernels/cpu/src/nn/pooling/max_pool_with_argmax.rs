//! `MaxPoolWithArgmax`: the largest value in each window of an image, and where it is.
//!
//! `input` is [batch, rows, columns, channels], not empty. `argmax` is the position of the first of a window's largest values,
//! `(row * columns + column) * channels + channel`, counted over the whole batch with `include_batch_in_index`. NaN is the
//! largest where it comes first in a window, and is passed over otherwise.

use oplink::prelude::*;

use super::max_backprop::Largest;
use super::pool::PoolWindow;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::{Arithmetic, Lanes};

/// The largest value in each window of `input`, and its position.
#[op("MaxPoolWithArgmax",
     input = "input: T",
     output = "output: T",
     output = "argmax: Targmax",
     attr = "ksize: list(int) >= 4",
     attr = "strides: list(int) >= 4",
     attr = "Targmax: {int32, int64} = DT_INT64",
     attr = "padding: {'SAME', 'VALID'}",
     attr = "include_batch_in_index: bool = false",
     attr = "T: realnumbertype",
     shape = shape_fns::max_pool)]
pub struct MaxPoolWithArgmax;

/// `MaxPoolWithArgmax` for every real number.
#[kernel(MaxPoolWithArgmax, device = CPU, T = [reals], Targmax = [i32, i64])]
pub fn max_pool_with_argmax_cpu<T: Lanes<Lane: Arithmetic + PartialOrd>>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    let input = context.input(0);
    ensure!(input.num_elements() > 0, "input must not be empty, its shape is {}", input.shape());
    let geometry = PoolWindow::new(context.node())?.geometry(input.shape())?;
    let mut output = context.allocate_output(0, geometry.output_shape())?;
    let mut argmax = vec![0i64; output.num_elements()];
    let with_batch = context.attr::<bool>("include_batch_in_index")?;
    let image = lanes_of(input.as_slice::<T>()?);
    let pixels = (geometry.output_picture() / geometry.channels).max(1);
    fill_lanes(output.as_mut_slice::<T>()?, |out| {
        let mut largest = Largest::new(geometry.channels);
        let windows = out.chunks_exact_mut(geometry.channels).zip(argmax.chunks_exact_mut(geometry.channels));
        for (index, (out, argmax)) in windows.enumerate() {
            let start = index / pixels * geometry.picture();
            largest.find(&geometry, &image[start..], index % pixels);
            out.copy_from_slice(&largest.values);
            let shift = if with_batch { start } else { 0 };
            for ((channel, &position), argmax) in largest.positions.iter().enumerate().zip(argmax) {
                *argmax = (shift + position + channel) as i64;
            }
        }
    });
    let shape = output.shape().clone();
    let argmax = match context.attr::<DType>("Targmax")? {
        DType::Int32 => Tensor::from_vec(shape, argmax.into_iter().map(|at| at as i32).collect())?,
        _ => Tensor::from_vec(shape, argmax)?,
    };
    context.set_output(0, output);
    context.set_output(1, argmax);
    Ok(())
}

//! `BiasAdd`: adds a vector along the channel axis.
//!
//! `value` has rank 2 at least; its channel axis is the last one, or axis 1 with `data_format` `NCHW`, and is as long
//! as the vector `bias`. The output has the shape of `value` and reuses its memory where it can. Integers wrap.

use oplink::prelude::*;

use crate::numeric::lanes::lanes_of;
use crate::support::elementwise::{Arithmetic, GRAIN, Lanes};
use crate::support::parallel::for_each_chunk;

/// Adds the vector `bias` along the channel axis of `value`.
#[op("BiasAdd",
     input = "value: T",
     input = "bias: T",
     output = "output: T",
     attr = "T: numbertype",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     shape = shape_fns::bias_add)]
pub struct BiasAdd;

/// `BiasAdd` for every number.
#[kernel(BiasAdd, device = CPU, T = [numbers])]
pub fn bias_add_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    let channel_first = context.attr::<&str>("data_format")? == "NCHW";
    add_bias::<T>(context, channel_first)
}

/// Sets output 0 to input 0 plus the vector input 1 along the last axis, or along axis 1.
pub(super) fn add_bias<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>, channel_first: bool) -> Result<()> {
    let (shape, bias) = (context.input(0).shape().clone(), context.input(1).clone());
    ensure!(shape.rank() >= 2, "value must be of rank 2 at least, its shape is {shape}");
    ensure!(bias.rank() == 1, "bias must be a vector, its shape is {}", bias.shape());
    let axis = if channel_first { 1 } else { shape.rank() - 1 };
    let channels = bias.num_elements();
    ensure!(channels == shape[axis], "bias has {channels} elements, axis {axis} of value {shape} must have as many");
    let inner: usize = shape[axis + 1..].iter().product();

    let (taken, mut output) = context.forward_or_allocate(&[0], 0, &shape)?;
    let input = if taken.is_some() { None } else { Some(context.input(0).as_slice::<T>()?) };
    let bias = lanes_of(bias.as_slice::<T>()?);
    let out = output.as_mut_slice::<T>()?;
    if !out.is_empty() {
        for_each_chunk(context.env(), out, GRAIN, channels * inner, &|start, part| {
            for (index, out) in part.chunks_exact_mut(channels * inner).enumerate() {
                if let Some(input) = input {
                    out.copy_from_slice(&input[start + index * channels * inner..][..out.len()]);
                }
                add_to_item(out, &bias, inner);
            }
        });
    }
    context.set_output(0, output);
    Ok(())
}

/// Adds to `bias.len()` runs of `inner` elements each.
fn add_to_item<T: Lanes<Lane: Arithmetic>>(item: &mut [T], bias: &[T::Lane], inner: usize) {
    if inner == 1 {
        return add_row(item, bias);
    }
    for (run, &bias) in item.chunks_exact_mut(inner).zip(bias) {
        for x in run {
            *x = T::from_lane(x.to_lane().add(bias));
        }
    }
}

#[inline(never)]
fn add_row<T: Lanes<Lane: Arithmetic>>(row: &mut [T], bias: &[T::Lane]) {
    row.iter_mut().zip(bias).for_each(|(x, &bias)| *x = T::from_lane(x.to_lane().add(bias)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    fn add(shape: &[usize], channels: usize, format: &str) -> Result<Vec<i8>> {
        let value = Tensor::from_vec(shape, vec![127i8; shape.iter().product()]).unwrap();
        let bias = Tensor::from_vec([channels], (0..channels).map(|i| i as i8).collect()).unwrap();
        let out = run("BiasAdd", &[("data_format", format.into())], vec![value, bias])?;
        Ok(out[0].as_slice()?.to_vec())
    }

    #[test]
    fn the_bias_runs_along_the_channels() {
        assert_eq!(add(&[2, 3], 3, "NHWC").unwrap(), [127, -128, -127, 127, -128, -127]);
        assert_eq!(add(&[1, 2, 2], 2, "NCHW").unwrap(), [127, 127, -128, -128]);
        assert!(add(&[2, 3], 2, "NHWC").is_err());
        assert!(add(&[3], 3, "NHWC").is_err());
    }
}

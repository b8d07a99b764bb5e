//! `BiasAdd` and `BiasAddV1`, a vector added along the channel axis, and `BiasAddGrad`, the gradient of the vector.
//!
//! `value` has rank 2 at least; its channel axis is the last one, or axis 1 with `data_format` `NCHW`, and is as long
//! as the vector `bias`. The output has the shape of `value` and reuses its memory where it can. Integers wrap.
//!
//! Of the gradient, `out_backprop` has rank 2 at least (3 with `data_format` `NCHW`); the output is a vector of its
//! sums along all axes but the channels. The 16-bit floats are summed in f32.

use oplink::memory::try_filled;
use oplink::{KernelEnv, prelude::*};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::{Arithmetic, Computed, GRAIN};
use oplink_cpu_support::parallel::{for_each_chunk, for_each_row};
use oplink_ops::attrs::DataFormat;
use oplink_ops::nn::{BiasAdd, BiasAddGrad, BiasAddV1};
use oplink_vmath::loops::fold_rows;

/// `BiasAdd` and `BiasAddV1` for every number.
#[kernel(BiasAdd, device = CPU, T = [numbers])]
#[kernel(BiasAddV1, device = CPU, T = [numbers])]
pub fn bias_add_cpu<T: Computed<ComputeType: Arithmetic>>(
    value: Input<'_>,
    bias: &Tensor,
    data_format: Option<DataFormat>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = value.shape().clone();
    ensure!(shape.rank() >= 2, "value must be of rank 2 at least, its shape is {shape}");
    ensure!(bias.rank() == 1, "bias must be a vector, its shape is {}", bias.shape());
    let axis = if data_format == Some(DataFormat::Nchw) { 1 } else { shape.rank() - 1 };
    let channels = bias.num_elements();
    ensure!(channels == shape[axis], "bias has {channels} elements, axis {axis} of value {shape} must have as many");
    let inner: usize = shape[axis + 1..].iter().product();
    let (output, value) = output.forward(value, &shape)?;
    let value = value.as_deref().map(Tensor::as_slice::<T>).transpose()?;
    add_bias(&env, value, &computed_of(bias.as_slice::<T>()?), inner, output.as_mut_slice::<T>()?);
    Ok(())
}

/// Adds the bias to runs of `inner` elements each, of `input` where it is given and else of the output.
fn add_bias<T: Computed<ComputeType: Arithmetic>>(
    env: &dyn KernelEnv,
    input: Option<&[T]>,
    bias: &[T::ComputeType],
    inner: usize,
    out: &mut [T],
) {
    if out.is_empty() {
        return;
    }
    let item = bias.len() * inner;
    for_each_chunk(env, out, GRAIN, item, &|start, part| {
        for (index, out) in part.chunks_exact_mut(item).enumerate() {
            if let Some(input) = input {
                out.copy_from_slice(&input[start + index * item..][..item]);
            }
            add_to_item(out, bias, inner);
        }
    });
}

/// Adds to `bias.len()` runs of `inner` elements each.
fn add_to_item<T: Computed<ComputeType: Arithmetic>>(item: &mut [T], bias: &[T::ComputeType], inner: usize) {
    if inner == 1 {
        return add_row(item, bias);
    }
    for (run, &bias) in item.chunks_exact_mut(inner).zip(bias) {
        for x in run {
            *x = T::from_computed(x.to_computed().add(bias));
        }
    }
}

#[inline(never)]
fn add_row<T: Computed<ComputeType: Arithmetic>>(row: &mut [T], bias: &[T::ComputeType]) {
    row.iter_mut().zip(bias).for_each(|(x, &bias)| *x = T::from_computed(x.to_computed().add(bias)));
}

/// `BiasAddGrad` for every number.
#[kernel(BiasAddGrad, device = CPU, T = [numbers])]
pub fn bias_add_grad_cpu<T: Computed<ComputeType: Arithmetic>>(
    out_backprop: &Tensor,
    data_format: DataFormat,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = out_backprop.shape();
    let channel_first = data_format == DataFormat::Nchw;
    let least = if channel_first { 3 } else { 2 };
    ensure!(shape.rank() >= least, "out_backprop must be of rank {least} at least, its shape is {shape}");
    let axis = if channel_first { 1 } else { shape.rank() - 1 };
    let (channels, inner) = (shape[axis], shape[axis + 1..].iter().product());
    let output = output.allocate([channels])?;
    let gradient = computed_of(out_backprop.as_slice::<T>()?);
    fill_computed(output.as_mut_slice::<T>()?, |sums| sum_channels(&env, &gradient, inner, sums))
}

/// Items that are summed before they meet the sum of all others.
const BLOCK: usize = 256;

/// Sets `sums` to those of the channels of items, each of which has runs of `inner` values. Blocks of items are summed
/// by themselves, so that the threads that they are shared out to change nothing.
fn sum_channels<L: Arithmetic>(env: &dyn KernelEnv, values: &[L], inner: usize, sums: &mut [L]) -> Result<()> {
    sums.fill(L::ZERO);
    let channels = sums.len();
    let items = BLOCK.saturating_mul(channels.saturating_mul(inner));
    if values.is_empty() {
        return Ok(());
    }
    let mut blocks = try_filled(L::ZERO, values.len().div_ceil(items) * channels)?;
    let grain = GRAIN.div_ceil(BLOCK * inner);
    for_each_row(env, &mut blocks, channels, grain, &|block, sums| {
        let values = &values[block * items..values.len().min((block + 1) * items)];
        if inner == 1 {
            return fold_rows(values, sums, L::add);
        }
        for item in values.chunks_exact(channels * inner) {
            for (sum, run) in sums.iter_mut().zip(item.chunks_exact(inner)) {
                *sum = run.iter().fold(*sum, |sum, &value| sum.add(value));
            }
        }
    });
    for block in blocks.chunks_exact(channels) {
        sums.iter_mut().zip(block).for_each(|(sum, &part)| *sum = sum.add(part));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{run, run_one};

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

    #[test]
    fn the_bias_runs_along_the_last_axis() {
        let value = Tensor::from_vec([2, 1, 2], vec![1i32, 2, 3, 4]).unwrap();
        let out = run_one("BiasAddV1", vec![value, Tensor::from_slice(&[10i32, 20])]).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), [11, 22, 13, 24]);
    }

    #[test]
    fn sums_of_channels() {
        let values = Tensor::from_vec([2, 2, 1], vec![1i32, 2, 3, 4]).unwrap();
        let sums = |format: &str| {
            let out = run("BiasAddGrad", &[("data_format", format.into())], vec![values.clone()]).unwrap();
            out[0].as_slice::<i32>().unwrap().to_vec()
        };
        assert_eq!(sums("NHWC"), [10]);
        assert_eq!(sums("NCHW"), [4, 6]);
    }

    #[test]
    fn no_items_have_sums_of_zero_however_large_they_would_be() {
        let values = Tensor::from_vec([0, 2, 1 << 57], Vec::<i64>::new()).unwrap();
        let sums = run("BiasAddGrad", &[("data_format", "NCHW".into())], vec![values]).unwrap();
        assert_eq!(sums[0].as_slice::<i64>().unwrap(), [0, 0]);
    }

    #[test]
    fn many_items_are_summed_in_blocks() {
        let values = Tensor::full([100_000, 3], 0.1f32);
        let out = run("BiasAddGrad", &[], vec![values]).unwrap();
        for &sum in out[0].as_slice::<f32>().unwrap() {
            assert!((sum - 10_000.0).abs() < 0.5, "{sum}");
        }
    }
}

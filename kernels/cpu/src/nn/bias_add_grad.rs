//! `BiasAddGrad`: the gradient of `BiasAdd` with respect to the bias.
//!
//! `out_backprop` has rank 2 at least (3 with `data_format` `NCHW`); the output is a vector of its sums along all axes but
//! the channels, which are last, or axis 1 with `NCHW`. The 16-bit floats are summed in f32, integers wrap.

use oplink::prelude::*;

use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::{Arithmetic, Lanes};

/// Items that are summed before they meet the sum of all others.
const BLOCK: usize = 256;

/// The sums of `out_backprop` along all axes but the channels.
#[op("BiasAddGrad",
     input = "out_backprop: T",
     output = "output: T",
     attr = "T: numbertype",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     shape = shape_fns::bias_add_grad)]
pub struct BiasAddGrad;

/// `BiasAddGrad` for every number.
#[kernel(BiasAddGrad, device = CPU, T = [numbers])]
pub fn bias_add_grad_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    let gradient = context.input(0);
    let shape = gradient.shape();
    let channel_first = context.attr::<&str>("data_format")? == "NCHW";
    let least = if channel_first { 3 } else { 2 };
    ensure!(shape.rank() >= least, "out_backprop must be of rank {least} at least, its shape is {shape}");
    let axis = if channel_first { 1 } else { shape.rank() - 1 };
    let (channels, inner) = (shape[axis], shape[axis + 1..].iter().product());
    let mut output = context.allocate_output(0, [channels])?;
    let gradient = lanes_of(gradient.as_slice::<T>()?);
    fill_lanes(output.as_mut_slice::<T>()?, |sums| sum_channels(&gradient, inner, sums));
    context.set_output(0, output);
    Ok(())
}

/// Sets `sums` to those of the channels of items, each of which has runs of `inner` values.
fn sum_channels<L: Arithmetic>(values: &[L], inner: usize, sums: &mut [L]) {
    sums.fill(L::ZERO);
    let mut block = vec![L::ZERO; sums.len()];
    let item = (sums.len() * inner).max(1);
    for items in values.chunks(BLOCK * item) {
        block.fill(L::ZERO);
        for item in items.chunks_exact(item) {
            for (sum, run) in block.iter_mut().zip(item.chunks_exact(inner)) {
                *sum = run.iter().fold(*sum, |sum, &value| sum.add(value));
            }
        }
        sums.iter_mut().zip(&block).for_each(|(sum, &part)| *sum = sum.add(part));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

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
    fn many_items_are_summed_in_blocks() {
        let values = Tensor::full([100_000, 3], 0.1f32);
        let out = run("BiasAddGrad", &[], vec![values]).unwrap();
        for &sum in out[0].as_slice::<f32>().unwrap() {
            assert!((sum - 10_000.0).abs() < 0.5, "{sum}");
        }
    }
}

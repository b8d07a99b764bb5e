//! `Dilation2DBackpropInput`: the gradient of `Dilation2D` with respect to its input.
//!
//! Inputs and attrs are the dilation's, `out_backprop` is the gradient of its output. Each gradient goes to where the first of
//! a window's largest sums takes its part from, to the window's first place where no sum is larger than the smallest finite
//! number. Gradients of 16-bit floats are summed in f32.

use num_traits::Bounded;
use oplink::prelude::*;

use super::dilation::backprop;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The gradient of `Dilation2D` with respect to its input.
#[op("Dilation2DBackpropInput",
     input = "input: T",
     input = "filter: T",
     input = "out_backprop: T",
     output = "in_backprop: T",
     attr = "T: realnumbertype",
     attr = "strides: list(int) >= 4",
     attr = "rates: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     shape = shape_fns::unchanged)]
pub struct Dilation2DBackpropInput;

/// `Dilation2DBackpropInput` for every real number.
#[kernel(Dilation2DBackpropInput, device = CPU, T = [reals])]
pub fn dilation2d_backprop_input_cpu<T: Lanes<Lane: Arithmetic + PartialOrd> + Bounded>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    backprop::<T>(context, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn gradients_go_to_the_largest_sum() {
        let image = Tensor::from_vec([1, 1, 3, 1], vec![1i32, 5, 2]).unwrap();
        let filter = Tensor::from_vec([1, 2, 1], vec![0i32, 1]).unwrap();
        let gradient = Tensor::from_vec([1, 1, 1, 1], vec![2i32]).unwrap();
        let attrs =
            [("strides", vec![1, 1, 2, 1].into()), ("rates", vec![1, 1, 1, 1].into()), ("padding", "VALID".into())];
        let out = run("Dilation2DBackpropInput", &attrs, vec![image, filter, gradient]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [0, 2, 0]);
    }

    #[test]
    fn sums_are_compared_in_their_dtype() {
        let tensor = |shape: &[usize], values: &[f32]| {
            Tensor::from_vec(shape, values.iter().map(|&v| bf16::from_f32(v)).collect()).unwrap()
        };
        let (image, filter) = (tensor(&[1, 1, 2, 1], &[256.0, 256.0]), tensor(&[1, 2, 1], &[0.0, 1.0]));
        let ones = vec![1, 1, 1, 1];
        let attrs = [("strides", ones.clone().into()), ("rates", ones.into()), ("padding", "VALID".into())];
        let out = run("Dilation2DBackpropInput", &attrs, vec![image, filter, tensor(&[1, 1, 1, 1], &[2.0])]).unwrap();
        // 257 is 256 in eight bits: the first of two equal sums counts.
        assert_eq!(out[0].as_slice::<bf16>().unwrap(), [2.0, 0.0].map(bf16::from_f32));
    }
}

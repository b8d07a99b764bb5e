//! `Dilation2DBackpropFilter`: the gradient of `Dilation2D` with respect to its filter.
//!
//! Inputs and attrs are the dilation's, `out_backprop` is the gradient of its output. Each gradient goes to where the first of
//! a window's largest sums takes its part from, to the window's first place where no sum is larger than the smallest finite
//! number. Gradients of 16-bit floats are summed in f32.

use num_traits::Bounded;
use oplink::prelude::*;

use super::dilation::backprop;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The gradient of `Dilation2D` with respect to its filter.
#[op("Dilation2DBackpropFilter",
     input = "input: T",
     input = "filter: T",
     input = "out_backprop: T",
     output = "filter_backprop: T",
     attr = "T: realnumbertype",
     attr = "strides: list(int) >= 4",
     attr = "rates: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     shape = filter_shape)]
pub struct Dilation2DBackpropFilter;

fn filter_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.input(1).clone();
    c.set_output(0, shape);
    Ok(())
}

/// `Dilation2DBackpropFilter` for every real number.
#[kernel(Dilation2DBackpropFilter, device = CPU, T = [reals])]
pub fn dilation2d_backprop_filter_cpu<T: Lanes<Lane: Arithmetic + PartialOrd> + Bounded>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    backprop::<T>(context, true)
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
        let out = run("Dilation2DBackpropFilter", &attrs, vec![image, filter, gradient]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [0, 2]);
    }
}

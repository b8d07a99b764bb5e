//! `Dilation2D`: the largest sum of a window of an image and a filter.
//!
//! `output[b, y, x, c] = max over i, j of input[b, y * stride + i * rate - pad, x * …, c] + filter[i, j, c]`, over the taps
//! inside the image. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth]. NaN is passed over; where no
//! sum is larger, the output is the smallest finite number. The 16-bit floats are added in f32, integers wrap.

use num_traits::Bounded;
use oplink::shape_fns::{Padding, conv_output_size};
use oplink::{Dim, prelude::*, shape_error};

use super::dilation::dilate;
use crate::support::elementwise::{Arithmetic, Lanes};

/// The largest sums of windows of `input` and `filter`.
#[op("Dilation2D",
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: realnumbertype",
     attr = "strides: list(int) >= 4",
     attr = "rates: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     shape = dilation2d_shape)]
pub struct Dilation2D;

fn dilation2d_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let (input, filter) = (c.with_rank(0, 4)?, c.with_rank(1, 3)?);
    let depth = c.merge_dim(input.dim(3), filter.dim(2))?;
    let numbers = |name: &str| -> Result<[i64; 4]> {
        let values = c.attr::<&[i64]>(name)?;
        values.try_into().map_err(|_| shape_error(format!("{name} must have 4 elements, it is {values:?}")))
    };
    let (strides, rates) = (numbers("strides")?, numbers("rates")?);
    let padding = if c.attr::<&str>("padding")? == "SAME" { Padding::Same } else { Padding::Valid };
    let size = |axis: usize| -> Result<Dim> {
        conv_output_size(input.dim(axis), filter.dim(axis - 1), rates[axis], strides[axis], padding)
    };
    let shape = PartialShape::new(&[input.dim(0), size(1)?, size(2)?, depth]);
    c.set_output(0, shape);
    Ok(())
}

/// `Dilation2D` for every real number.
#[kernel(Dilation2D, device = CPU, T = [reals])]
pub fn dilation2d_cpu<T: Lanes<Lane: Arithmetic + PartialOrd> + Bounded>(
    context: &mut KernelContext<'_>,
) -> Result<()> {
    dilate::<T>(context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::testing::run;

    #[test]
    fn the_largest_sum_counts() {
        let image = Tensor::from_vec([1, 1, 3, 1], vec![1i32, 5, 2]).unwrap();
        let filter = Tensor::from_vec([1, 2, 1], vec![0i32, 10]).unwrap();
        let attrs =
            [("strides", vec![1, 1, 1, 1].into()), ("rates", vec![1, 1, 1, 1].into()), ("padding", "SAME".into())];
        let out = run("Dilation2D", &attrs, vec![image, filter]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [15, 12, 2]);
    }
}

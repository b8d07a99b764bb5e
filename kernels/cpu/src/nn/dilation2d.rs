//! `Dilation2D`: the largest sum of a window of an image and a filter.
//!
//! `output[b, y, x, c] = max over i, j of input[b, y * stride + i * rate - pad, x * …, c] + filter[i, j, c]`, over the taps
//! inside the image. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth]. NaN is passed over; where no
//! sum is larger, the output is the smallest finite number. Integers wrap.

use num_traits::Bounded;
use oplink::{prelude::*, shape_error};

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
    c.merge_dim(input.dim(3), filter.dim(2))?;
    let numbers = |name: &str| -> Result<[i64; 4]> {
        let values = c.attr::<&[i64]>(name)?;
        values.try_into().map_err(|_| shape_error(format!("{name} must have 4 elements, it is {values:?}")))
    };
    let (strides, rates) = (numbers("strides")?, numbers("rates")?);
    let same = c.attr::<&str>("padding")? == "SAME";
    let size = |axis: usize, input: usize, filter: usize| {
        output_size(input as i64, filter as i64, rates[axis], strides[axis], same).map(Some)
    };
    let (rows, columns) = match (input.dim(1), input.dim(2), filter.dim(0), filter.dim(1)) {
        (Some(rows), Some(columns), Some(high), Some(wide)) => (size(1, rows, high)?, size(2, columns, wide)?),
        _ => (None, None),
    };
    let shape = PartialShape::new(&[input.dim(0), rows, columns, filter.dim(2)]);
    c.set_output(0, shape);
    Ok(())
}

/// Positions of a window along an axis. One that reaches beyond the end by less than two strides has none.
fn output_size(input: i64, filter: i64, rate: i64, stride: i64, same: bool) -> Result<usize> {
    if stride <= 0 || rate <= 0 {
        return Err(shape_error(format!("strides and rates must be > 0, they are {stride} and {rate}")));
    }
    let reach = filter.saturating_sub(1).saturating_mul(rate).saturating_add(1);
    let room = if same { input.saturating_add(stride - 1) } else { input.saturating_sub(reach).saturating_add(stride) };
    usize::try_from(room / stride).map_err(|_| {
        shape_error(format!(
            "a window that reaches over {reach} positions does not fit into {input} at stride {stride}"
        ))
    })
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
    use crate::support::testing::{infer, run};

    #[test]
    fn the_largest_sum_counts() {
        let image = Tensor::from_vec([1, 1, 3, 1], vec![1i32, 5, 2]).unwrap();
        let filter = Tensor::from_vec([1, 2, 1], vec![0i32, 10]).unwrap();
        let attrs =
            [("strides", vec![1, 1, 1, 1].into()), ("rates", vec![1, 1, 1, 1].into()), ("padding", "SAME".into())];
        let out = run("Dilation2D", &attrs, vec![image, filter]).unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), [15, 12, 2]);
    }

    #[test]
    fn rows_and_columns_are_known_together() {
        let attrs =
            [("strides", vec![1, 2, 1, 1].into()), ("rates", vec![1, 1, 1, 1].into()), ("padding", "VALID".into())];
        let stand_ins = [Tensor::scalar(0i32), Tensor::scalar(0i32)];
        for (input, filter, expected) in [
            ([Some(1), Some(5), Some(6), Some(8)], [Some(3), Some(2), Some(8)], [Some(1), Some(2), Some(5), Some(8)]),
            ([Some(1), Some(5), Some(6), Some(8)], [Some(3), None, Some(8)], [Some(1), None, None, Some(8)]),
            ([None, Some(5), Some(6), None], [Some(3), Some(2), Some(8)], [None, Some(2), Some(5), Some(8)]),
            ([None, None, Some(6), Some(8)], [Some(3), Some(2), None], [None, None, None, None]),
            ([Some(1), Some(2), Some(1), Some(1)], [Some(5), Some(1), Some(1)], [Some(1), Some(0), Some(1), Some(1)]),
        ] {
            let shapes = [PartialShape::new(&input), PartialShape::new(&filter)];
            let inferred = infer("Dilation2D", &attrs, &stand_ins, &shapes, &Nothing).unwrap();
            assert_eq!(inferred[0].1, PartialShape::new(&expected));
        }
    }

    struct Nothing;

    impl oplink::ConstantInputs for Nothing {
        fn tensor(&self, _: usize) -> Option<&Tensor> {
            None
        }
    }
}

//! Morphological dilation and its gradients.

use oplink::prelude::*;
use oplink::shape_inference::shape_error;

use crate::attrs::Padding;

/// The largest sums of windows of `input` and `filter`.
///
/// `output[b, y, x, c] = max over i, j of input[b, y * stride + i * rate - pad, x * …, c] + filter[i, j, c]`, over the
/// taps inside the image. `input` is [batch, rows, columns, depth], `filter` is [rows, columns, depth]. NaN is passed
/// over; where no sum is larger, the output is the smallest finite number. Integers wrap.
#[op("Dilation2D",
     input = "input: T",
     input = "filter: T",
     output = "output: T",
     attr = "T: realnumbertype",
     attr = "strides: list(int) >= 4",
     attr = "rates: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     enums(padding = Padding),
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

/// The gradient of `Dilation2D` with respect to its filter.
///
/// Inputs and attrs are the dilation's, `out_backprop` is the gradient of its output. Each gradient goes to where the
/// first of a window's largest sums takes its part from, to the window's first place where no sum is larger than the
/// smallest finite number. Gradients of 16-bit floats are summed in f32.
#[op("Dilation2DBackpropFilter",
     input = "input: T",
     input = "filter: T",
     input = "out_backprop: T",
     output = "filter_backprop: T",
     attr = "T: realnumbertype",
     attr = "strides: list(int) >= 4",
     attr = "rates: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     enums(padding = Padding),
     shape = filter_shape)]
pub struct Dilation2DBackpropFilter;

fn filter_shape(c: &mut ShapeContext<'_>) -> Result<()> {
    let shape = c.input(1).clone();
    c.set_output(0, shape);
    Ok(())
}

/// The gradient of `Dilation2D` with respect to its input.
///
/// Inputs and attrs are the dilation's, `out_backprop` is the gradient of its output. Each gradient goes to where the
/// first of a window's largest sums takes its part from, to the window's first place where no sum is larger than the
/// smallest finite number. Gradients of 16-bit floats are summed in f32.
#[op("Dilation2DBackpropInput",
     input = "input: T",
     input = "filter: T",
     input = "out_backprop: T",
     output = "in_backprop: T",
     attr = "T: realnumbertype",
     attr = "strides: list(int) >= 4",
     attr = "rates: list(int) >= 4",
     attr = "padding: {'SAME', 'VALID'}",
     enums(padding = Padding),
     shape = shape_fns::unchanged)]
pub struct Dilation2DBackpropInput;

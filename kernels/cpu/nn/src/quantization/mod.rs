//! Quantised ranges, and quantized numbers.

pub mod arithmetic;
pub mod dequantize;
pub mod fake_quant;
pub mod fake_quant_gradient;
pub mod fused_conv2d;
pub mod fused_matmul;
pub mod movement;
pub mod normalization;
pub mod quantize;
pub mod quantize_and_dequantize;
pub mod quantized_conv2d;
pub mod quantized_matmul;
mod ranges;
pub mod requantize;
mod rescale;
mod steps;
pub mod uniform;
pub mod uniform_convolution;
pub mod uniform_hybrid;
mod zero;

use oplink::element::QUInt8;
use oplink::memory::try_collect;
use oplink::prelude::*;
use oplink_ops::nn::QuantizeMode;

pub use zero::Quantized;
pub(crate) use zero::range;

/// Slices along `axis`, each with a range in the vectors `ends`, and the elements of a run of one; without an axis (-1)
/// one slice, whose range is of scalars.
fn slices(shape: &Shape, axis: i64, ends: [&Tensor; 2]) -> Result<(usize, usize)> {
    let Ok(axis) = usize::try_from(axis) else {
        ensure!(axis == -1, "axis must be at least -1, it is {axis}");
        let is_single = ends.iter().all(|end| end.shape().num_elements() == 1);
        ensure!(is_single, "without an axis the ends of the range must be scalars");
        return Ok((1, 1));
    };
    ensure!(axis < shape.rank(), "axis is {axis}, input of shape {shape} has no such axis");
    let count = shape[axis];
    for end in ends {
        ensure!(
            end.shape().dims() == [count] || count == 1 && end.rank() == 0,
            "the ends of the ranges must be vectors of {count} elements, one for each slice along axis {axis}, one has \
             shape {}",
            end.shape()
        );
    }
    Ok((count, shape[axis + 1..].iter().product()))
}

/// Fails for a range for each of several slices in a mode that has one range only.
fn check_slices(mode: QuantizeMode, slices: usize) -> Result<()> {
    if mode == QuantizeMode::MinFirst && slices != 1 {
        let message = format!("the mode MIN_FIRST takes no axis but one of one slice, it has {slices}");
        return Err(Error::unimplemented(message));
    }
    Ok(())
}

/// The bytes of a tensor.
fn bytes(tensor: &Tensor) -> Result<Vec<u8>> {
    try_collect(tensor.as_slice::<QUInt8>()?.iter().map(|value| value.0))
}

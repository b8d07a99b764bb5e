//! Quantized numbers joined and reshaped.

use oplink::element::{QInt32, QUInt8};
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_ops::nn::{QuantizedConcat, QuantizedReshape};

use super::ranges::{Integers, Numbers};
use super::requantize::set;
use super::zero::{Quantized, range};

/// `QuantizedReshape` of unsigned bytes and of 32-bit numbers.
#[kernel(QuantizedReshape, device = CPU, T = [QUInt8, QInt32], Tshape = any)]
pub fn quantized_reshape_cpu(
    tensor: &Tensor,
    input_min: &Tensor,
    input_max: &Tensor,
    mut output: OutputSlot<'_>,
    mut output_min: OutputSlot<'_>,
    mut output_max: OutputSlot<'_>,
    shape: &Tensor,
) -> Result<()> {
    let wanted = int_values(shape)?;
    ensure!(shape.rank() == 1, "shape must be a vector, its shape is {}", shape.shape());
    let (low, high) = range(input_min, input_max)?;
    output.set(tensor.clone().with_shape(reshaped(tensor.shape(), &wanted)?)?);
    output_min.set_scalar(low);
    output_max.set_scalar(high);
    Ok(())
}

/// The shape that a vector of extents asks for, one of which may be -1.
fn reshaped(given: &Shape, wanted: &[i64]) -> Result<Shape> {
    let unknown = wanted.iter().filter(|&&extent| extent == -1).count();
    ensure!(unknown <= 1, "only one extent can be -1, {unknown} are");
    let known = wanted
        .iter()
        .filter(|&&extent| extent != -1)
        .try_fold(1i64, |product, &extent| if extent < 0 { None } else { product.checked_mul(extent) });
    let Some(known) = known else { bail!("the extents {wanted:?} are no shape") };
    let count = given.num_elements() as i64;
    let rest = match known {
        0 if unknown == 1 && count > 0 => bail!("a tensor of shape {given} cannot have the shape {wanted:?}"),
        0 => 0,
        known => count / known,
    };
    let extents: Vec<i64> = wanted.iter().map(|&extent| if extent == -1 { rest } else { extent }).collect();
    let shape = Shape::from_i64(&extents)?;
    ensure!(shape.num_elements() as i64 == count, "a tensor of shape {given} cannot have the shape {shape}");
    Ok(shape)
}

/// `QuantizedConcat` of unsigned bytes and of 32-bit numbers.
#[kernel(QuantizedConcat, device = CPU, T = [QUInt8, QInt32])]
pub fn quantized_concat_cpu<T: Quantized>(
    concat_dim: i32,
    values: &[Tensor],
    input_mins: &[Tensor],
    input_maxes: &[Tensor],
    mut output: OutputSlot<'_>,
    output_min: &mut Tensor,
    output_max: &mut Tensor,
) -> Result<()> {
    let ends = input_mins.iter().zip(input_maxes).map(|(min, max)| range(min, max)).collect::<Result<Vec<_>>>()?;
    let low = ends.iter().map(|end| end.0).fold(0f32, f32::min);
    let high = ends.iter().map(|end| end.1).fold(f32::MIN, f32::max);
    let is_signed = T::from_integer(-1).integer() < 0;
    let most = low.abs().max(high.abs());
    let (low, high) = if is_signed { (-most, most) } else { (low, high) };
    let first = values[0].shape();
    let rank = first.rank() as i32;
    let axis = if concat_dim < 0 { concat_dim + rank } else { concat_dim };
    ensure!((0..rank.max(1)).contains(&axis) && rank > 0, "concat_dim {concat_dim} is no axis of {first}");
    let axis = axis as usize;
    for value in values {
        let shape = value.shape();
        let same = shape.rank() == first.rank() && (0..first.rank()).all(|at| at == axis || shape[at] == first[at]);
        ensure!(same, "tensors of the shapes {first} and {shape} cannot be joined along axis {axis}");
    }
    let mut shape = first.clone();
    shape.dims_mut()[axis] = values.iter().map(|value| value.shape()[axis]).sum();
    let outer: usize = first[..axis].iter().product();
    let out = output.allocate(shape)?.as_mut_slice::<T>()?;
    let integers = Integers::of::<T>((low, high));
    let width = out.len().checked_div(outer).unwrap_or(0);
    let mut start = 0;
    for (value, &own) in values.iter().zip(&ends) {
        let (value, numbers) = (value.as_slice::<T>()?, Numbers::of::<T>(own));
        let length = value.len().checked_div(outer).unwrap_or(0);
        for row in 0..outer {
            let to = &mut out[row * width + start..][..length];
            let from = &value[row * length..][..length];
            match own == (low, high) {
                true => to.copy_from_slice(from),
                false => to.iter_mut().zip(from).for_each(|(to, &from)| *to = integers.integer(numbers.number(from))),
            }
        }
        start += length;
    }
    set(output_min, output_max, (low, high))
}

//! Quantized numbers joined and reshaped.

use oplink::element::{QInt8, QInt32, QUInt8};
use oplink::prelude::*;
use oplink::shape_inference::{int_values, normalize_axis};
use oplink_ops::nn::{QuantizedConcat, QuantizedConcatV2, QuantizedReshape};

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
    let ends = ranges(input_mins, input_maxes)?;
    let (low, high) = joined_range(&ends);
    let most = low.abs().max(high.abs());
    let range = if is_signed::<T>() { (-most, most) } else { (low, high) };
    concat::<T>(concat_dim.into(), (values, &ends), range, &mut output)?;
    set(output_min, output_max, range)
}

/// `QuantizedConcatV2` of bytes.
#[kernel(QuantizedConcatV2, device = CPU, T = [QUInt8, QInt8], Tidx = any)]
pub fn quantized_concat_v2_cpu<T: Quantized>(
    values: &[Tensor],
    axis: &Tensor,
    input_mins: &[Tensor],
    input_maxes: &[Tensor],
    mut output: OutputSlot<'_>,
    output_min: &mut Tensor,
    output_max: &mut Tensor,
) -> Result<()> {
    ensure!(axis.rank() == 0, "axis must be a scalar, its shape is {}", axis.shape());
    let axis = int_values(axis)?[0];
    let ends = ranges(input_mins, input_maxes)?;
    let (low, high) = joined_range(&ends);
    let range = match values[0].rank() == 4 && ends.iter().all(|end| *end == ends[0]) {
        true => ends[0],
        false if is_signed::<T>() => (-low.abs().max(high.abs()), low.abs().max(high.abs())),
        false => (0.0, high),
    };
    concat::<T>(axis, (values, &ends), range, &mut output)?;
    set(output_min, output_max, range)
}

fn is_signed<T: Quantized>() -> bool {
    T::LOWEST < 0.0
}

fn ranges(mins: &[Tensor], maxes: &[Tensor]) -> Result<Vec<(f32, f32)>> {
    mins.iter().zip(maxes).map(|(min, max)| range(min, max)).collect()
}

/// The smallest end, or 0, and the largest.
fn joined_range(ends: &[(f32, f32)]) -> (f32, f32) {
    let low = ends.iter().map(|end| end.0).fold(0f32, f32::min);
    (low, ends.iter().map(|end| end.1).fold(f32::MIN, f32::max))
}

/// Joins tensors, each with its range, along an axis, in a given range.
fn concat<T: Quantized>(
    axis: i64,
    (values, ends): (&[Tensor], &[(f32, f32)]),
    range: (f32, f32),
    output: &mut OutputSlot<'_>,
) -> Result<()> {
    let first = values[0].shape();
    let Ok(along) = normalize_axis(axis, first.rank()) else { bail!("axis {axis} is no axis of {first}") };
    for value in values {
        let shape = value.shape();
        let same = shape.rank() == first.rank() && (0..first.rank()).all(|at| at == along || shape[at] == first[at]);
        ensure!(same, "tensors of the shapes {first} and {shape} cannot be joined along axis {along}");
    }
    let mut shape = first.clone();
    shape.dims_mut()[along] = values.iter().map(|value| value.shape()[along]).sum();
    let outer: usize = first[..along].iter().product();
    let out = output.allocate(shape)?.as_mut_slice::<T>()?;
    let integers = Integers::of::<T>(range);
    let width = out.len().checked_div(outer).unwrap_or(0);
    let mut start = 0;
    for (value, &own) in values.iter().zip(ends) {
        let (value, numbers) = (value.as_slice::<T>()?, Numbers::of::<T>(own));
        let length = value.len().checked_div(outer).unwrap_or(0);
        for row in 0..outer {
            let to = &mut out[row * width + start..][..length];
            let from = &value[row * length..][..length];
            match own == range {
                true => to.copy_from_slice(from),
                false => to.iter_mut().zip(from).for_each(|(to, &from)| *to = integers.integer(numbers.number(from))),
            }
        }
        start += length;
    }
    Ok(())
}

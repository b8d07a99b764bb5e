//! Values of all members merged, element by element.
//!
//! The order of the additions is that of a ring, as TensorFlow has it: the elements are in as many chunks as there are
//! members, each of a multiple of [`ALIGNMENT`] bytes, and the merging of a chunk starts with the member of its number,
//! in the order of the devices.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink_ops::state::{CollectiveFinal, CollectiveMerge};

use super::meeting::Member;
use crate::combination::{Combination, Slices};
use crate::rows::join_into;

/// Bytes that the size of a chunk is a multiple of.
const ALIGNMENT: usize = 64;

/// The merged values of the members' inputs, which have one dtype and shape.
pub(super) fn reduce(merge: CollectiveMerge, then: CollectiveFinal, members: &[Member]) -> Result<Tensor> {
    let mut around: Vec<&Member> = members.iter().collect();
    around.sort_by(|a, b| a.device.cmp(&b.device));
    let inputs: Vec<&Tensor> = around.iter().filter_map(|member| member.input.as_ref()).collect();
    let Some(&first) = inputs.first() else { bail!("there is nothing to merge") };
    if inputs.len() == 1 {
        return Ok(first.clone());
    }
    let (dtype, length) = (first.dtype(), first.num_elements());
    let flat = inputs.iter().map(|&input| input.clone().with_shape([length])).collect::<Result<Vec<_>>>()?;
    let chunk = chunk_length(length, dtype.size().unwrap_or(1), flat.len());
    let mut chunks = try_vec(flat.len())?;
    for number in 0..flat.len() {
        let range = (chunk.saturating_mul(number).min(length), chunk.saturating_mul(number + 1).min(length));
        if range.0 < range.1 {
            chunks.push(merged(merge, then, &flat, number, range)?);
        }
    }
    let pieces: Vec<(Option<&Tensor>, usize)> =
        chunks.iter().map(|chunk| (Some(chunk), chunk.num_elements())).collect();
    let mut out = Tensor::zeros(dtype, first.shape().clone())?;
    join_into(&mut out, &pieces)?;
    Ok(out)
}

/// Elements of a chunk.
fn chunk_length(length: usize, size: usize, members: usize) -> usize {
    let bytes = length.div_ceil(members).saturating_mul(size);
    bytes.div_ceil(ALIGNMENT).saturating_mul(ALIGNMENT) / size.max(1)
}

/// A range of elements, merged from a member on around the ring.
fn merged(
    merge: CollectiveMerge,
    then: CollectiveFinal,
    inputs: &[Tensor],
    first: usize,
    (start, end): (usize, usize),
) -> Result<Tensor> {
    let part = |number: usize| inputs[number % inputs.len()].slice(start, end);
    let all = |is_scalar: bool| Slices { starts: vec![Some(0)], length: end - start, is_scalar };
    let mut values = part(first)?.deep_copy()?;
    for number in 1..inputs.len() {
        combination(merge).of_slices(&mut values, &part(first + number)?, &all(false))?;
    }
    if then == CollectiveFinal::Div {
        let count = number_of(values.dtype(), inputs.len())?;
        Combination::Div.of_slices(&mut values, &count, &all(true))?;
    }
    Ok(values)
}

fn combination(merge: CollectiveMerge) -> Combination {
    match merge {
        CollectiveMerge::Min => Combination::Min,
        CollectiveMerge::Max => Combination::Max,
        CollectiveMerge::Mul => Combination::Mul,
        CollectiveMerge::Add => Combination::Add,
    }
}

/// A number as a scalar of a dtype.
fn number_of(dtype: DType, number: usize) -> Result<Tensor> {
    Ok(match dtype {
        DType::Float => Tensor::scalar(number as f32),
        DType::Double => Tensor::scalar(number as f64),
        DType::Half => Tensor::scalar(f16::from_f32(number as f32)),
        DType::BFloat16 => Tensor::scalar(bf16::from_f32(number as f32)),
        DType::Int32 => Tensor::scalar(number as i32),
        DType::Int64 => Tensor::scalar(number as i64),
        dtype => bail!("elements of {dtype} cannot be divided"),
    })
}

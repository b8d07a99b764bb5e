//! The sum behind `AddN` and `AccumulateNV2`.

use oplink::prelude::*;

use oplink_cpu_support::elementwise::{Arithmetic, BLOCK, Computed, GRAIN};
use oplink_cpu_support::parallel::for_each_chunk;

/// Addends that are summed among themselves before they are added to the ones before.
const GROUP: usize = 8;

/// Sets `sum` to the sum of all inputs, in one pass and in the memory of one of them where nobody else needs it.
///
/// The order of the additions depends on the number of inputs only: the first 2 to 9 from left to right, then the sums
/// of 8 each. Sums of 16-bit floats are rounded after each addition.
pub(super) fn accumulate<T: Computed<ComputeType: Arithmetic>>(
    inputs: InputList<'_>,
    mut sum: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = common_shape(&inputs, env)?;
    let mut inputs: Vec<Input<'_>> = inputs.into_inputs().collect();
    if let [_] = inputs[..] {
        inputs.into_iter().for_each(|only| sum.set(only.take()));
        return Ok(());
    }
    let taken = sum.forward_any(&mut inputs, &shape)?;
    let Some(output) = sum.get_mut() else { bail!("the sum has no memory") };
    let addends: Vec<Option<&[T]>> = inputs
        .iter()
        .enumerate()
        .map(|(index, input)| if Some(index) == taken { Ok(None) } else { input.as_slice().map(Some) })
        .collect::<Result<_>>()?;
    for_each_chunk(env.env(), output.as_mut_slice::<T>()?, GRAIN, 1, &|start, part| {
        for (index, output) in part.chunks_mut(BLOCK).enumerate() {
            let mut sum = [T::ComputeType::ZERO; BLOCK];
            add_up(&addends, start + index * BLOCK, output, &mut sum[..output.len()]);
            T::narrow(&sum[..output.len()], output);
        }
    });
    Ok(())
}

/// Writes the sum of the addends' elements from position `start` on; those of the addend `None` stand in `output`.
fn add_up<'a, T: Computed<ComputeType: Arithmetic>>(
    addends: &[Option<&'a [T]>],
    start: usize,
    output: &'a [T],
    sum: &mut [T::ComputeType],
) {
    let read = |addend: Option<&'a [T]>| addend.map_or(output, |elements| &elements[start..start + output.len()]);
    let first = match addends.len() % GROUP {
        rest @ (0 | 1) => GROUP + rest,
        rest => rest,
    };
    let (first, groups) = addends.split_at(first);
    fold(first.iter().map(|addend| read(*addend)), sum);
    let mut group_sum = [T::ComputeType::ZERO; BLOCK];
    for group in groups.chunks(GROUP) {
        fold(group.iter().map(|addend| read(*addend)), &mut group_sum[..sum.len()]);
        add::<T>(sum, &group_sum);
    }
}

/// Writes the sum from left to right of one addend or more.
fn fold<'a, T: Computed<ComputeType: Arithmetic>>(
    mut addends: impl Iterator<Item = &'a [T]>,
    sum: &mut [T::ComputeType],
) {
    if let Some(first) = addends.next() {
        T::widen(first, sum);
    }
    let mut block = [T::ComputeType::ZERO; BLOCK];
    for addend in addends {
        T::widen(addend, &mut block[..addend.len()]);
        add::<T>(sum, &block);
    }
}

/// Adds `addend` to `sum`, rounded to what `T` holds.
fn add<T: Computed<ComputeType: Arithmetic>>(sum: &mut [T::ComputeType], addend: &[T::ComputeType]) {
    for (sum, addend) in sum.iter_mut().zip(addend) {
        *sum = sum.add(*addend);
    }
    if T::computed(&[]).is_none() {
        let mut rounded = [T::default(); BLOCK];
        T::narrow(sum, &mut rounded[..sum.len()]);
        T::widen(&rounded[..sum.len()], sum);
    }
}

fn common_shape(inputs: &[Tensor], env: Env<'_>) -> Result<Shape> {
    let first = inputs[0].shape();
    for (index, input) in inputs.iter().enumerate() {
        ensure!(
            input.shape() == first,
            "Inputs to operation {} must have the same size and shape.  Input 0: {first} != input {index}: {}",
            env.node().name,
            input.shape()
        );
    }
    Ok(first.clone())
}

//! Reading operands through blocks on the stack: in their compute type, and from memory that is about to be
//! overwritten.

use oplink::prelude::*;

use super::{BLOCK, Computed, UnaryLoop};

/// Calls `loops` with `input` and space for `output`, both in their compute types; both have the same length.
pub(super) fn map_computed<T: Computed, U: Computed>(
    input: &[T],
    output: &mut [U],
    loops: &UnaryLoop<'_, T::ComputeType, U::ComputeType>,
) {
    if let Some(computed) = T::computed(input) {
        return store(output, &mut |start, out| loops(&computed[start..start + out.len()], out));
    }
    let mut block = [T::ComputeType::default(); BLOCK];
    for (input, output) in input.chunks(BLOCK).zip(output.chunks_mut(BLOCK)) {
        let block = &mut block[..input.len()];
        T::widen(input, block);
        store(output, &mut |start, out| loops(&block[start..start + out.len()], out));
    }
}

/// As [`map_computed`], where the output stands in the input's memory.
pub(super) fn map_computed_in_place<T: Computed>(
    values: &mut [T],
    loops: &UnaryLoop<'_, T::ComputeType, T::ComputeType>,
) {
    let mut block = [T::ComputeType::default(); BLOCK];
    for values in values.chunks_mut(BLOCK) {
        let block = &mut block[..values.len()];
        T::widen(values, block);
        store(values, &mut |start, out| loops(&block[start..start + out.len()], out));
    }
}

/// Lets `fill` write all of `output` in its compute type, in parts: `fill(start, computed)`.
pub fn store<U: Computed>(output: &mut [U], fill: &mut dyn FnMut(usize, &mut [U::ComputeType])) {
    if let Some(computed) = U::computed_mut(output) {
        return fill(0, computed);
    }
    let mut block = [U::ComputeType::default(); BLOCK];
    for (index, output) in output.chunks_mut(BLOCK).enumerate() {
        let block = &mut block[..output.len()];
        fill(index * BLOCK, block);
        U::narrow(block, output);
    }
}

/// Sets the output to a scalar, in the memory of one of the scalar inputs where nobody else needs it.
#[inline]
pub(super) fn set_scalar<T: Element, const N: usize>(
    inputs: [Input<'_>; N],
    output: &mut OutputSlot<'_>,
    value: T,
) -> Result<()> {
    match inputs.into_iter().find(|input| input.is_unique()) {
        Some(input) => {
            let mut tensor = input.take();
            tensor.as_mut_slice::<T>()?[0] = value;
            output.set(tensor);
        }
        None => output.set_scalar(value),
    }
    Ok(())
}

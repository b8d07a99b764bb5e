//! Reading operands through blocks on the stack: as lanes, and from memory that is about to be overwritten.

use oplink::prelude::*;

use super::{BLOCK, Lanes, UnaryLoop};

/// Calls `loops` with the lanes of `input` and room for the lanes of `output`; both have the same length.
pub(super) fn map_lanes<T: Lanes, U: Lanes>(input: &[T], output: &mut [U], loops: &UnaryLoop<'_, T::Lane, U::Lane>) {
    if let Some(lanes) = T::lanes(input) {
        return store(output, &mut |start, out| loops(&lanes[start..start + out.len()], out));
    }
    let mut block = [T::Lane::default(); BLOCK];
    for (input, output) in input.chunks(BLOCK).zip(output.chunks_mut(BLOCK)) {
        let block = &mut block[..input.len()];
        T::widen(input, block);
        store(output, &mut |start, out| loops(&block[start..start + out.len()], out));
    }
}

/// As [`map_lanes`], where the output stands in the input's memory.
pub(super) fn map_lanes_in_place<T: Lanes>(values: &mut [T], loops: &UnaryLoop<'_, T::Lane, T::Lane>) {
    let mut block = [T::Lane::default(); BLOCK];
    for values in values.chunks_mut(BLOCK) {
        let block = &mut block[..values.len()];
        T::widen(values, block);
        store(values, &mut |start, out| loops(&block[start..start + out.len()], out));
    }
}

/// Lets `fill` write lanes for all of `output`, in parts: `fill(start, lanes)`.
pub(super) fn store<U: Lanes>(output: &mut [U], fill: &mut dyn FnMut(usize, &mut [U::Lane])) {
    if let Some(lanes) = U::lanes_mut(output) {
        return fill(0, lanes);
    }
    let mut block = [U::Lane::default(); BLOCK];
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

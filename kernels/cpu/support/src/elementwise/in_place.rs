//! Functions of two tensors of one shape, written over the first.

use super::{BLOCK, Computed};

/// Replaces each element of `values` by `f` of it and the element of `operands` at its position; both have one length.
pub fn combine<T: Computed>(
    values: &mut [T],
    operands: &[T],
    f: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType + Copy,
) {
    let apply = |values: &mut [T::ComputeType], operands: &[T::ComputeType]| {
        values.iter_mut().zip(operands).for_each(|(value, operand)| *value = f(*value, *operand));
    };
    if let Some(operands) = T::computed(operands) {
        if let Some(values) = T::computed_mut(values) {
            apply(values, operands);
        }
        return;
    }
    let mut blocks = [[T::ComputeType::default(); BLOCK]; 2];
    for (values, operands) in values.chunks_mut(BLOCK).zip(operands.chunks(BLOCK)) {
        let [left, right] = &mut blocks;
        let (left, right) = (&mut left[..values.len()], &mut right[..values.len()]);
        T::widen(values, left);
        T::widen(operands, right);
        apply(left, right);
        T::narrow(left, values);
    }
}

//! Whole tensors in their compute type: borrowed where that is the element type, converted otherwise.

use std::borrow::Cow;

use oplink_cpu_support::elementwise::Computed;

/// The elements in their compute type.
pub fn computed_of<T: Computed>(elements: &[T]) -> Cow<'_, [T::ComputeType]> {
    if let Some(computed) = T::computed(elements) {
        return Cow::Borrowed(computed);
    }
    // bounded: a few times the elements
    let mut computed = vec![T::ComputeType::default(); elements.len()];
    T::widen(elements, &mut computed);
    Cow::Owned(computed)
}

/// Lets `fill` write every element of `output` in its compute type, which it gets with arbitrary values.
pub fn fill_computed<T: Computed, R>(output: &mut [T], fill: impl FnOnce(&mut [T::ComputeType]) -> R) -> R {
    if let Some(computed) = T::computed_mut(output) {
        return fill(computed);
    }
    // bounded: a few times the output
    let mut computed = vec![T::ComputeType::default(); output.len()];
    let result = fill(&mut computed);
    T::narrow(&computed, output);
    result
}

/// Lets `change` read and write the values in their compute type.
pub fn change_computed<T: Computed>(values: &mut [T], change: impl FnOnce(&mut [T::ComputeType])) {
    if let Some(computed) = T::computed_mut(values) {
        return change(computed);
    }
    let mut computed = computed_of(values).into_owned();
    change(&mut computed);
    T::narrow(&computed, values);
}

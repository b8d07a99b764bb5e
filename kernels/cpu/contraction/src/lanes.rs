//! Whole tensors as lanes: borrowed where elements are their own lanes, converted otherwise.

use std::borrow::Cow;

use oplink_cpu_support::elementwise::Lanes;

/// The elements as lanes.
pub fn lanes_of<T: Lanes>(elements: &[T]) -> Cow<'_, [T::Lane]> {
    if let Some(lanes) = T::lanes(elements) {
        return Cow::Borrowed(lanes);
    }
    let mut lanes = vec![T::Lane::default(); elements.len()];
    T::widen(elements, &mut lanes);
    Cow::Owned(lanes)
}

/// Lets `fill` write every lane of `output`, which it gets with arbitrary values.
pub fn fill_lanes<T: Lanes, R>(output: &mut [T], fill: impl FnOnce(&mut [T::Lane]) -> R) -> R {
    if let Some(lanes) = T::lanes_mut(output) {
        return fill(lanes);
    }
    let mut lanes = vec![T::Lane::default(); output.len()];
    let result = fill(&mut lanes);
    T::narrow(&lanes, output);
    result
}

/// Lets `change` read and write the values as lanes.
pub fn change_lanes<T: Lanes>(values: &mut [T], change: impl FnOnce(&mut [T::Lane])) {
    if let Some(lanes) = T::lanes_mut(values) {
        return change(lanes);
    }
    let mut lanes = lanes_of(values).into_owned();
    change(&mut lanes);
    T::narrow(&lanes, values);
}

//! Pairwise sums.

use oplink_cpu_support::elementwise::{Arithmetic, Computed};

/// Elements summed one after the other.
const BLOCK: usize = 128;

/// The sum over blocks of `values` of what `block` gives for each, joined as a balanced tree.
pub fn sum_of<T: Computed, S: Arithmetic>(values: &[T], block: &dyn Fn(&[T::ComputeType]) -> S) -> S {
    if values.len() > BLOCK {
        let (left, right) = values.split_at(values.len().div_ceil(2));
        return sum_of(left, block).add(sum_of(right, block));
    }
    if let Some(computed) = T::computed(values) {
        return block(computed);
    }
    let mut computed = [T::ComputeType::default(); BLOCK];
    let computed = &mut computed[..values.len()];
    T::widen(values, computed);
    block(computed)
}

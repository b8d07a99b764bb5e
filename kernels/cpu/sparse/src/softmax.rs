//! `SparseSoftmax`: the softmax of the values of each row of a sparse tensor.
//!
//! Rows lie along the last of two axes or more; what is left out takes no part. The output has the values in row-major
//! order of their indices. f16 is computed in f32.

use oplink::prelude::*;
use oplink_cpu_support::elementwise::{Arithmetic, Computed, Ordered};
use oplink_ops::sparse::SparseSoftmax;

use crate::coordinates::{Sparse, groups};

/// Floats with an exponential.
pub trait Exponential: Ordered + std::ops::Sub<Output = Self> + std::ops::Div<Output = Self> {
    /// `e` to this power.
    #[must_use]
    fn exponential(self) -> Self;
}

impl Exponential for f32 {
    fn exponential(self) -> Self {
        self.exp()
    }
}

impl Exponential for f64 {
    fn exponential(self) -> Self {
        self.exp()
    }
}

/// `SparseSoftmax` of f16, f32 and f64.
#[kernel(SparseSoftmax, device = CPU, T = [f16, f32, f64])]
pub fn sparse_softmax_cpu<T: Computed>(
    sp_indices: &Tensor,
    sp_values: &Tensor,
    sp_shape: &Tensor,
    mut output: OutputSlot<'_>,
) -> Result<()>
where
    T::ComputeType: Exponential,
{
    let input = Sparse::new(sp_indices, sp_values, sp_shape, "sp_")?;
    let rank = input.shape.rank();
    ensure!(rank >= 2, "sp_shape must have 2 elements at least, it is {}", input.shape);
    let axes: Vec<usize> = (0..rank).collect();
    let order = input.at.sorted_by(&axes)?;
    let values = sp_values.as_slice::<T>()?;
    let out = output.allocate([values.len()])?.as_mut_slice::<T>()?;
    for group in groups(input.at, &order, &axes[..rank - 1])? {
        let mut row: Vec<T::ComputeType> = order[group.clone()].iter().map(|&at| values[at].to_computed()).collect();
        let largest = row.iter().copied().reduce(Ordered::maximum).unwrap_or_default();
        row.iter_mut().for_each(|value| *value = (*value - largest).exponential());
        let sum = row.iter().copied().reduce(Arithmetic::add).unwrap_or_default();
        out[group].iter_mut().zip(row).for_each(|(out, value)| *out = T::from_computed(value / sum));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{check, check_error};

    #[test]
    fn rows_sum_to_one() {
        let indices = || Tensor::from_vec([3, 2], vec![0i64, 0, 0, 2, 1, 1]).unwrap();
        check("SparseSoftmax", [indices(), [1.0f32, 1.0, 5.0].into(), [2i64, 3].into()], [0.5f32, 0.5, 1.0]);
        let flat = Tensor::from_vec([1, 1], vec![0i64]).unwrap();
        check_error("SparseSoftmax", [flat, [1.0f32].into(), [2i64].into()], "2 elements at least");
    }
}

//! What all scatters share: the check of their shapes, and the loop over slices.

use oplink::prelude::*;
use oplink::shape_inference::int_values;

use super::super::gathering::coordinates::{ignores_bad_indices, slice_starts};
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::array::ScatterLayout;

/// Where the slices of `updates` go.
pub struct Scatter {
    /// Where each slice starts; `None` for a slice that is left out.
    pub starts: Vec<Option<usize>>,
    /// Elements of a slice.
    pub length: usize,
}

impl Scatter {
    /// Slices of `updates` to locations of a tensor of shape `output`, by the coordinates in the last axis of
    /// `indices`, as for [`ScatterLayout::of`]. `policy` is the attr `bad_indices_policy`.
    ///
    /// # Errors
    /// Its errors; coordinates outside of the tensor (unless the policy is `IGNORE`).
    pub fn new(output: &Shape, indices: &Tensor, updates: &Tensor, policy: &str) -> Result<Self> {
        let ignore = ignores_bad_indices(policy)?;
        let ScatterLayout { depth, slices, length } = ScatterLayout::of(output, indices.shape(), updates.shape())?;
        let starts = match slices {
            0 => Vec::new(),
            _ => slice_starts(output, &int_values(indices)?, depth, slices, ignore)?,
        };
        Ok(Self { starts, length })
    }

    /// Calls `combine` with each element of the locations and the one of `updates` that goes there, in order.
    #[inline]
    pub fn run<C>(&self, out: &mut [C], updates: &[C], combine: impl Fn(&mut C, &C)) {
        for (slice, start) in updates.chunks_exact(self.length).zip(&self.starts) {
            let Some(start) = start else { continue };
            for (out, value) in out[*start..][..self.length].iter_mut().zip(slice) {
                combine(out, value);
            }
        }
    }
}

/// A change of an element by another, rounded to their dtype.
#[inline]
pub(super) fn by_computed<T: Computed>(
    combine: impl Fn(T::ComputeType, T::ComputeType) -> T::ComputeType,
) -> impl Fn(&mut T, &T) {
    move |out, value| *out = T::from_computed(combine(out.to_computed(), value.to_computed()))
}

/// Truth of either.
pub(super) fn or(sum: &mut bool, value: &bool) {
    *sum |= value;
}

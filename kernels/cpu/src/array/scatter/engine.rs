//! What all scatters share: the check of their shapes, and the loop over slices.

use oplink::int_values;
use oplink::prelude::*;

use super::super::coordinates::{ignore_bad_indices, slice_starts};
use crate::support::elementwise::{Arithmetic, Lanes};

/// Where the slices of `updates` go.
pub(crate) struct Scatter {
    /// Where each slice starts; `None` for a slice that is left out.
    pub(crate) starts: Vec<Option<usize>>,
    /// Elements of a slice.
    pub(crate) length: usize,
}

impl Scatter {
    /// Slices of `updates` to places of a tensor of shape `output`, by the coordinates in the last axis of `indices`:
    /// `updates` has the shape `indices[:-1] + output[indices.shape[-1]:]`.
    ///
    /// # Errors
    /// Other shapes, updates for a tensor without elements, coordinates outside of it (unless the attr
    /// `bad_indices_policy` is `IGNORE`).
    pub(crate) fn new(context: &KernelContext<'_>, output: &Shape, indices: &Tensor, updates: &Tensor) -> Result<Self> {
        let ignore = ignore_bad_indices(context)?;
        let Some((&depth, outer)) = indices.shape().split_last() else {
            bail!("indices must be at least a vector, it is a scalar")
        };
        let wanted = output.get(depth..).map(|inner| [outer, inner].concat());
        ensure!(
            updates.rank() > 0 && wanted.is_some_and(|wanted| wanted == updates.shape().dims()),
            "updates of shape {} do not fit indices of shape {} into a tensor of shape {output}: \
             they must have the shape indices[:-1] + tensor[{depth}:]",
            updates.shape(),
            indices.shape()
        );
        let (places, values) = (indices.num_elements(), updates.num_elements());
        if places == 0 && values == 0 {
            return Ok(Self { starts: Vec::new(), length: 1 });
        }
        ensure!(
            places > 0 && values > 0 && output.num_elements() > 0,
            "indices of shape {} and updates of shape {} go to a tensor of shape {output}, which has no place for them",
            indices.shape(),
            updates.shape()
        );
        let starts = slice_starts(output, &int_values(indices)?, depth, outer.iter().product(), ignore)?;
        Ok(Self { starts, length: output[depth..].iter().product() })
    }

    /// Calls `combine` with each element of the places and the one of `updates` that goes there, in order.
    pub(crate) fn run<C>(&self, out: &mut [C], updates: &[C], combine: impl Fn(&mut C, &C)) {
        for (slice, start) in updates.chunks_exact(self.length).zip(&self.starts) {
            let Some(start) = start else { continue };
            out[*start..][..self.length].iter_mut().zip(slice).for_each(|(out, value)| combine(out, value));
        }
    }
}

/// Sets output 0 to input 0 with `combine` of its elements and those of input 2 at the coordinates in input 1, in the
/// memory of input 0 where nobody else needs it.
pub(super) fn combine<T: Lanes>(
    context: &mut KernelContext<'_>,
    combine: impl Fn(T::Lane, T::Lane) -> T::Lane,
) -> Result<()> {
    let scatter = Scatter::new(context, context.input(0).shape(), context.input(1), context.input(2))?;
    let mut out = context.take_input(0).make_unique()?;
    scatter.run(out.as_mut_slice::<T>()?, context.input(2).as_slice::<T>()?, |out, value| {
        *out = T::from_lane(combine(out.to_lane(), value.to_lane()));
    });
    context.set_output(0, out);
    Ok(())
}

/// Addition of elements, rounded to their dtype.
pub(super) fn add<T: Lanes<Lane: Arithmetic>>(sum: &mut T, value: &T) {
    *sum = T::from_lane(sum.to_lane().add(value.to_lane()));
}

/// Truth of either.
pub(super) fn or(sum: &mut bool, value: &bool) {
    *sum |= value;
}

//! A data set whose batches are changed.

use std::fmt;

use oplink_api::Result;

use super::{Batch, Batches, Dataset, Random};

/// The batches of a data set, each changed by a function; made by [`Dataset::map`].
pub struct Map<D, F> {
    inner: D,
    change: F,
}

impl<D, F> Map<D, F> {
    pub(super) fn new(inner: D, change: F) -> Self {
        Self { inner, change }
    }
}

impl<D: Dataset, F: Fn(Batch, &mut Random) -> Result<Batch> + Sync> Dataset for Map<D, F> {
    fn num_batches(&self) -> Option<usize> {
        self.inner.num_batches()
    }

    fn batches(&self, epoch: u64, first: usize) -> Result<Batches<'_>> {
        let batches = self.inner.batches(epoch, first)?.zip(first as u64..);
        Ok(Box::new(batches.map(move |(batch, at)| (self.change)(batch?, &mut Random::of_part(epoch, at)))))
    }
}

impl<D: fmt::Debug, F> fmt::Debug for Map<D, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Map({:?})", self.inner)
    }
}

//! How examples become batches: so many at a time, in an order that follows from a seed and the epoch.

use std::ops::Range;

use oplink_api::{Error, Result};

use super::Random;

/// Sizes and order of batches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batching {
    pub(super) batch_size: usize,
    pub(super) seed: Option<u64>,
    pub(super) drop_remainder: bool,
}

impl Default for Batching {
    /// Batches of 32, in the order of the examples.
    fn default() -> Self {
        Self { batch_size: 32, seed: None, drop_remainder: false }
    }
}

/// The examples of a batch.
#[derive(Clone, Debug)]
pub(super) enum Rows<'o> {
    /// These, as they follow one another.
    Range(Range<usize>),
    /// Those of these numbers, in this order.
    These(&'o [u32]),
}

impl Rows<'_> {
    /// The numbers of the examples.
    pub(super) fn numbers(&self) -> Vec<usize> {
        match self {
            Self::Range(range) => range.clone().collect(),
            Self::These(numbers) => numbers.iter().map(|&number| number as usize).collect(),
        }
    }
}

impl Batching {
    /// The batches of an epoch of so many examples.
    pub(super) fn num_batches(&self, num_rows: usize) -> usize {
        let has_rest = !self.drop_remainder && !num_rows.is_multiple_of(self.batch_size);
        num_rows / self.batch_size + usize::from(has_rest)
    }

    /// The numbers of the examples in the order of an epoch, where that is not their own.
    pub(super) fn order(&self, num_rows: usize, epoch: u64) -> Result<Option<Vec<u32>>> {
        let count = u32::try_from(num_rows)
            .map_err(|_| Error::invalid_argument(format!("{num_rows} examples are too many to be shuffled")));
        self.seed
            .map(|seed| {
                let mut order: Vec<u32> = (0..count?).collect();
                Random::of_part(seed, epoch).shuffle(&mut order);
                Ok(order)
            })
            .transpose()
    }

    /// The examples of a batch.
    pub(super) fn rows<'o>(&self, num_rows: usize, order: Option<&'o [u32]>, at: usize) -> Rows<'o> {
        let range = at * self.batch_size..((at + 1) * self.batch_size).min(num_rows);
        match order {
            Some(order) => Rows::These(&order[range]),
            None => Rows::Range(range),
        }
    }
}

/// The options of batches, and the data set, of a type with the field `batching`, the method `len`, and `batch`, which
/// gives the examples of some rows.
macro_rules! batched {
    ($ty:ident) => {
        impl $ty {
            /// Sets the rows of a batch, at least 1. The last batch of an epoch may be smaller.
            #[must_use]
            pub fn batch_size(mut self, batch_size: usize) -> Self {
                self.batching.batch_size = batch_size.max(1);
                self
            }

            /// Another order in each epoch, which follows from the seed.
            #[must_use]
            pub fn shuffle(mut self, seed: u64) -> Self {
                self.batching.seed = Some(seed);
                self
            }

            /// Leaves out a last batch that is smaller than the others.
            #[must_use]
            pub fn drop_remainder(mut self) -> Self {
                self.batching.drop_remainder = true;
                self
            }

            /// Whether there is no example.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        }

        impl $crate::data::Dataset for $ty {
            fn num_batches(&self) -> Option<usize> {
                Some(self.batching.num_batches(self.len()))
            }

            fn batches(&self, epoch: u64, first: usize) -> oplink_api::Result<$crate::data::Batches<'_>> {
                let order = self.batching.order(self.len(), epoch)?;
                let numbers = first..self.batching.num_batches(self.len());
                let rows = move |at| self.batch(&self.batching.rows(self.len(), order.as_deref(), at));
                Ok(Box::new(numbers.map(rows)))
            }
        }
    };
}

pub(super) use batched;

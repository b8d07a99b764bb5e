//! Data sets: batches of inputs with what is true of them, in an order that follows from a seed and the epoch.
//!
//! [`Arrays`] is data in memory; [`Csv`], `ImageFolder` (feature `image`) and `TfRecords` (feature `string`) read files
//! while the model computes. They know where each example lies, and give its part of the order like arrays do.

mod arrays;
mod batching;
mod csv;
#[cfg(feature = "image")]
mod images;
mod map;
mod prefetch;
#[cfg(feature = "string")]
mod record_spans;
mod shuffle;
#[cfg(feature = "string")]
mod tf_records;

use oplink_api::{Result, Tensor};

pub use arrays::Arrays;
pub use csv::Csv;
#[cfg(feature = "image")]
pub use images::{ImageFolder, decode_image};
pub use map::Map;
pub(crate) use prefetch::prefetch;
pub use shuffle::Random;
#[cfg(feature = "string")]
pub use tf_records::TfRecords;

/// Rows of inputs with what is true of them: both have one row for each example.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The inputs.
    pub x: Tensor,
    /// What is true.
    pub y: Tensor,
}

impl Batch {
    /// The number of examples: the first extent of the inputs.
    pub fn num_rows(&self) -> usize {
        self.x.shape().dims().first().copied().unwrap_or(1)
    }
}

/// The batches of an epoch.
pub type Batches<'d> = Box<dyn Iterator<Item = Result<Batch>> + Send + 'd>;

/// What a model is trained with.
///
/// The same epoch gives the same batches whenever it is asked for, so that training that was interrupted continues
/// where it was.
pub trait Dataset: Sync {
    /// The number of batches of an epoch, where it is known.
    fn num_batches(&self) -> Option<usize>;

    /// The batches of an epoch, counted from 0, without the `first` ones. Another thread takes them while the model
    /// computes.
    ///
    /// # Errors
    /// The source cannot be read.
    fn batches(&self, epoch: u64, first: usize) -> Result<Batches<'_>>;

    /// The same batches, each changed: noise is added, pictures are turned, numbers are scaled. `change` gets the
    /// batch, and random numbers that follow from the epoch and the batch's number.
    fn map<F: Fn(Batch, &mut Random) -> Result<Batch> + Sync>(self, change: F) -> Map<Self, F>
    where
        Self: Sized,
    {
        Map::new(self, change)
    }
}

impl<D: Dataset + ?Sized> Dataset for &D {
    fn num_batches(&self) -> Option<usize> {
        (**self).num_batches()
    }

    fn batches(&self, epoch: u64, first: usize) -> Result<Batches<'_>> {
        (**self).batches(epoch, first)
    }
}

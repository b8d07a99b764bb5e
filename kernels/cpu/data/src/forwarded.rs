//! Iterators that are others.

use oplink::prelude::*;

use crate::dataset::{DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};

/// The elements of another iterator.
pub(crate) struct Forwarded(pub(crate) Elements);

impl DatasetIterator for Forwarded {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        self.0.next(run)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.0.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.0.restore(run, from)
    }
}

//! The values that the caller of a run gives.

use oplink_api::{DType, Error, Output, PartialShape, Result, Tensor};

use crate::Graph;

/// A value that the caller gives.
pub(crate) struct Feed {
    pub(crate) slot: u32,
    name: String,
    dtype: DType,
    shape: PartialShape,
}

impl Feed {
    pub(crate) fn new(graph: &Graph, output: Output, slot: u32) -> Self {
        let dtype = graph.dtype(output).unwrap_or(DType::Invalid);
        Self { slot, name: graph.output_name(output), dtype, shape: graph.shape(output) }
    }

    /// Checks a value for it.
    ///
    /// # Errors
    /// The value has another dtype, or a shape that does not fit.
    #[inline]
    pub(crate) fn check(&self, value: &Tensor) -> Result<()> {
        if value.dtype() == self.dtype && self.shape.accepts(value.shape()) { Ok(()) } else { Err(self.wrong(value)) }
    }

    #[cold]
    fn wrong(&self, value: &Tensor) -> Error {
        let Self { name, dtype, shape, .. } = self;
        let message = if value.dtype() == *dtype {
            format!("`{name}` has shape {shape}, the value fed has shape {}", value.shape())
        } else {
            format!("`{name}` is of {dtype}, the value fed is of {}", value.dtype())
        };
        Error::invalid_argument(message).context(format!("feed `{name}`"))
    }
}

/// The error of a run that is given another number of values than it needs.
#[cold]
pub(crate) fn wrong_feed_count(given: usize, needed: usize) -> Error {
    Error::invalid_argument(format!("{given} values are fed, {needed} are needed"))
}

//! Statistics of pipelines: what gathers them, and the datasets that record them or say where they go.

pub mod aggregator;
pub mod datasets;

pub use aggregator::*;
pub use datasets::*;

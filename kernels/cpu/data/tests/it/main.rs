//! Pipelines that TensorFlow built, and what is asked of iterators from outside.

use oplink_device_cpu as _;

mod errors;
mod generated;
mod graphs;
mod pipeline;
mod pipelines;
mod saved;
mod shards;
mod statistics;
mod stopping;
mod written;

oplink::link!(oplink_kernels_cpu);

//! Ops by the names that they had first; a flat table, the second half.

use oplink::prelude::*;

/// As [`MaxIntraOpParallelismDataset`](super::MaxIntraOpParallelismDataset), by the name that it had first.
#[op("ExperimentalMaxIntraOpParallelismDataset",
     input = "input_dataset: variant",
     input = "max_intra_op_parallelism: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalMaxIntraOpParallelismDataset;

/// As [`NonSerializableDataset`](super::NonSerializableDataset), by the name that it had first.
#[op("ExperimentalNonSerializableDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalNonSerializableDataset;

/// As [`ParallelInterleaveDataset`](super::ParallelInterleaveDataset), by the name that it had first.
#[op("ExperimentalParallelInterleaveDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "cycle_length: int64",
     input = "block_length: int64",
     input = "sloppy: bool",
     input = "buffer_output_elements: int64",
     input = "prefetch_input_elements: int64",
     output = "handle: variant",
     attr = "f: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalParallelInterleaveDataset;

/// As [`PrivateThreadPoolDataset`](super::PrivateThreadPoolDataset), by the name that it had first.
#[op("ExperimentalPrivateThreadPoolDataset",
     input = "input_dataset: variant",
     input = "num_threads: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalPrivateThreadPoolDataset;

/// As [`RandomDataset`](super::RandomDataset), by the name that it had first.
#[op("ExperimentalRandomDataset",
     input = "seed: int64",
     input = "seed2: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalRandomDataset;

/// As [`ScanDataset`](super::ScanDataset), by the name that it had first.
#[op("ExperimentalScanDataset",
     input = "input_dataset: variant",
     input = "initial_state: Tstate",
     input = "other_arguments: Targuments",
     output = "handle: variant",
     attr = "f: func",
     attr = "Tstate: list(type) >= 1",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "preserve_cardinality: bool = false",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalScanDataset;

/// As [`SetStatsAggregatorDataset`](super::SetStatsAggregatorDataset), by the name that it had first.
#[op("ExperimentalSetStatsAggregatorDataset",
     input = "input_dataset: variant",
     input = "stats_aggregator: resource",
     input = "tag: string",
     input = "counter_prefix: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalSetStatsAggregatorDataset;

/// As [`SleepDataset`](super::SleepDataset), by the name that it had first.
#[op("ExperimentalSleepDataset",
     input = "input_dataset: variant",
     input = "sleep_microseconds: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalSleepDataset;

/// As [`SlidingWindowDataset`](super::SlidingWindowDataset) with `drop_remainder`, by the name that it had first.
#[op("ExperimentalSlidingWindowDataset",
     input = "input_dataset: variant",
     input = "window_size: int64",
     input = "window_shift: int64",
     input = "window_stride: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalSlidingWindowDataset;

/// As [`TakeWhileDataset`](super::TakeWhileDataset), by the name that it had first.
#[op("ExperimentalTakeWhileDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     output = "handle: variant",
     attr = "predicate: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalTakeWhileDataset;

/// As [`UnbatchDataset`](super::UnbatchDataset), by the name that it had first.
#[op("ExperimentalUnbatchDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalUnbatchDataset;

/// As [`UniqueDataset`](super::UniqueDataset), by the name that it had first.
#[op("ExperimentalUniqueDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalUniqueDataset;

/// As [`ThreadPoolHandle`](super::ThreadPoolHandle), by the name that it had first.
#[op("ExperimentalThreadPoolHandle",
     output = "handle: resource",
     attr = "num_threads: int",
     attr = "max_intra_op_parallelism: int = 1",
     attr = "display_name: string",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalThreadPoolHandle;

/// As [`ThreadPoolDataset`](super::ThreadPoolDataset), by the name that it had first.
#[op("ExperimentalThreadPoolDataset",
     input = "input_dataset: variant",
     input = "thread_pool: resource",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalThreadPoolDataset;

/// As [`RebatchDataset`](super::RebatchDataset), by the name that it had first.
#[op("ExperimentalRebatchDataset",
     input = "input_dataset: variant",
     input = "num_replicas: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "use_fallback: bool = true",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalRebatchDataset;

/// As [`StatsAggregatorHandle`](super::StatsAggregatorHandle), by the name that it had first.
#[op("ExperimentalStatsAggregatorHandle",
     output = "handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalStatsAggregatorHandle;

/// As [`StatsAggregatorSummary`](super::StatsAggregatorSummary), by the name that it had first.
#[op("ExperimentalStatsAggregatorSummary",
     input = "iterator: resource",
     output = "summary: string",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalStatsAggregatorSummary;

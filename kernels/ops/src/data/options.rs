//! Datasets of the elements of another, with advice to the runtime, which orders nothing anew.

use oplink::prelude::*;

/// The elements; `serialized_options` is a message of options, of which none changes them.
#[op("OptionsDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "serialized_options: string",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     bytes(serialized_options),
     no_gradient,
     shape = shape_fns::scalar)]
pub struct OptionsDataset;

/// The elements. The runtime chooses its own degrees of parallelism.
#[op("ModelDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "algorithm: int = 0",
     attr = "cpu_budget: int = 0",
     attr = "ram_budget: int = 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ModelDataset;

/// The elements. Pipelines run as they are written.
#[op("OptimizeDataset",
     input = "input_dataset: variant",
     input = "optimizations: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "optimization_configs: list(string) = []",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct OptimizeDataset;

/// The elements. Pipelines run as they are written.
#[op("OptimizeDatasetV2",
     input = "input_dataset: variant",
     input = "optimizations_enabled: string",
     input = "optimizations_disabled: string",
     input = "optimizations_default: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "optimization_configs: list(string) = []",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct OptimizeDatasetV2;

/// The elements.
#[op("FinalizeDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "has_captured_ref: bool = false",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct FinalizeDataset;

/// The elements. Which transformations follow is not looked at.
#[op("AssertNextDataset",
     input = "input_dataset: variant",
     input = "transformations: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AssertNextDataset;

/// The elements. Which transformations come before is not looked at.
#[op("AssertPrevDataset",
     input = "input_dataset: variant",
     input = "transformations: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AssertPrevDataset;

/// The elements. The bytes of each go into the histogram `tag` of the aggregator that [`SetStatsAggregatorDataset`]
/// sets for the iterator, if any: those of the components' elements, of strings 24 for each and those of its text, and
/// 64 for each variant.
#[op("BytesProducedStatsDataset",
     input = "input_dataset: variant",
     input = "tag: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct BytesProducedStatsDataset;

/// The elements. The microseconds that each takes, also one that fails, go into the histogram `tag` of the aggregator
/// that [`SetStatsAggregatorDataset`] sets for the iterator, if any.
#[op("LatencyStatsDataset",
     input = "input_dataset: variant",
     input = "tag: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct LatencyStatsDataset;

/// The elements. Kernels use the threads of the session.
#[op("MaxIntraOpParallelismDataset",
     input = "input_dataset: variant",
     input = "max_intra_op_parallelism: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct MaxIntraOpParallelismDataset;

/// The elements. Kernels use the threads of the session.
#[op("PrivateThreadPoolDataset",
     input = "input_dataset: variant",
     input = "num_threads: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct PrivateThreadPoolDataset;

/// The elements.
#[op("NonSerializableDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct NonSerializableDataset;

/// The elements. What datasets of `input_dataset` record while they are made goes to `stats_aggregator`, the innermost
/// one where there are several, with `tag` and `::` before its tag unless `tag` is empty.
///
/// [`BytesProducedStatsDataset`] and [`LatencyStatsDataset`] record what they say.
/// [`FilterDataset`](super::FilterDataset) sets the numbers `NODE::dropped_elements` and `NODE::filtered_elements`,
/// where NODE is the name of its node: how many elements its iterator left out, and gave.
/// [`PrefetchDataset`](super::PrefetchDataset) adds to the histogram `NODE::buffer_utilization` the share of its buffer
/// that is full when an element is taken, and sets the numbers `NODE::buffer_size` and `NODE::buffer_capacity`.
/// [`ParseExampleDataset`](super::ParseExampleDataset) and its other forms add to the histograms `NODE::features_count`
/// and `NODE::feature_values_count` how many features each example has, and how many values those that are parsed. How
/// busy threads are, what TensorFlow's model of a pipeline measures of functions, and counters, for which
/// `counter_prefix` is, are not recorded.
#[op("SetStatsAggregatorDataset",
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
pub struct SetStatsAggregatorDataset;

/// The elements, each after `sleep_microseconds`.
#[op("SleepDataset",
     input = "input_dataset: variant",
     input = "sleep_microseconds: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct SleepDataset;

/// The elements. Pipelines run as they are written.
#[op("RewriteDataset",
     input = "input_dataset: variant",
     input = "rewrite_name: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct RewriteDataset;

/// A handle to threads for [`ThreadPoolDataset`].
#[op("ThreadPoolHandle",
     output = "handle: resource",
     attr = "num_threads: int",
     attr = "max_intra_op_parallelism: int = 1",
     attr = "display_name: string",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ThreadPoolHandle;

/// The elements. Kernels use the threads of the session, not those of `thread_pool`.
#[op("ThreadPoolDataset",
     input = "input_dataset: variant",
     input = "thread_pool: resource",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ThreadPoolDataset;

/// The options of a pipeline, a message `Options`: those that the datasets on the way to this one carry, merged, the
/// later ones over the earlier ones.
#[op("GetOptions",
     input = "input_dataset: variant",
     output = "serialized_options: string",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct GetOptions;

/// A handle to an aggregator of statistics for [`SetStatsAggregatorDataset`], of which [`StatsAggregatorSummary`] gives
/// a summary.
#[op("StatsAggregatorHandle",
     output = "handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct StatsAggregatorHandle;

/// A handle to an aggregator of statistics for [`SetStatsAggregatorDataset`], which writes an event for each value: a
/// histogram with all values so far, or a number, to the writer that [`StatsAggregatorSetSummaryWriter`] set, if any.
/// Where an iterator is asked for the elements, the event's step is the number of elements that the recording dataset
/// gave before, as in TensorFlow unless the pipeline's options switch tuning off; otherwise it is 0.
#[op("StatsAggregatorHandleV2",
     output = "handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct StatsAggregatorHandleV2;

/// The summary of what an aggregator has gathered, a message `Summary`: a value for each histogram, then for each
/// number, each in the order of their tags. Empty of one that [`StatsAggregatorHandleV2`] made. Fails where `iterator`
/// is no aggregator.
#[op("StatsAggregatorSummary",
     input = "iterator: resource",
     output = "summary: string",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct StatsAggregatorSummary;

/// Sets the writer of an aggregator, in place of the one that it had. One of which summaries are asked for writes
/// nothing to it. Fails where one of the handles refers to nothing of its kind.
#[op("StatsAggregatorSetSummaryWriter",
     input = "stats_aggregator: resource",
     input = "summary: resource",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct StatsAggregatorSetSummaryWriter;

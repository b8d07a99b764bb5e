//! Ops by the names that they had first; a flat table, the first half.

use oplink::prelude::*;

/// As [`AssertNextDataset`](super::AssertNextDataset), by the name that it had first.
#[op("ExperimentalAssertNextDataset",
     input = "input_dataset: variant",
     input = "transformations: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalAssertNextDataset;

/// As [`BytesProducedStatsDataset`](super::BytesProducedStatsDataset), by the name that it had first.
#[op("ExperimentalBytesProducedStatsDataset",
     input = "input_dataset: variant",
     input = "tag: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalBytesProducedStatsDataset;

/// As [`ChooseFastestDataset`](super::ChooseFastestDataset), by the name that it had first.
#[op("ExperimentalChooseFastestDataset",
     input = "input_datasets: N * variant",
     output = "handle: variant",
     attr = "N: int >= 2",
     attr = "num_experiments: int",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalChooseFastestDataset;

/// As [`CSVDataset`](super::CSVDataset), by the name that it had first.
#[op("ExperimentalCSVDataset",
     input = "filenames: string",
     input = "compression_type: string",
     input = "buffer_size: int64",
     input = "header: bool",
     input = "field_delim: string",
     input = "use_quote_delim: bool",
     input = "na_value: string",
     input = "select_cols: int64",
     input = "record_defaults: output_types",
     output = "handle: variant",
     attr = "output_types: list({float32, float64, int32, int64, string}) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalCSVDataset;

/// As [`DatasetCardinality`](super::DatasetCardinality), by the name that it had first.
#[op("ExperimentalDatasetCardinality",
     input = "input_dataset: variant",
     output = "cardinality: int64",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalDatasetCardinality;

/// As [`DirectedInterleaveDataset`](super::DirectedInterleaveDataset), by the name that it had first.
#[op("ExperimentalDirectedInterleaveDataset",
     input = "selector_input_dataset: variant",
     input = "data_input_datasets: N * variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "N: int >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalDirectedInterleaveDataset;

/// As [`GroupByReducerDataset`](super::GroupByReducerDataset), by the name that it had first.
#[op("ExperimentalGroupByReducerDataset",
     input = "input_dataset: variant",
     input = "key_func_other_arguments: Tkey_func_other_arguments",
     input = "init_func_other_arguments: Tinit_func_other_arguments",
     input = "reduce_func_other_arguments: Treduce_func_other_arguments",
     input = "finalize_func_other_arguments: Tfinalize_func_other_arguments",
     output = "handle: variant",
     attr = "key_func: func",
     attr = "init_func: func",
     attr = "reduce_func: func",
     attr = "finalize_func: func",
     attr = "Tkey_func_other_arguments: list(type) >= 0",
     attr = "Tinit_func_other_arguments: list(type) >= 0",
     attr = "Treduce_func_other_arguments: list(type) >= 0",
     attr = "Tfinalize_func_other_arguments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalGroupByReducerDataset;

/// As [`GroupByWindowDataset`](super::GroupByWindowDataset), by the name that it had first.
#[op("ExperimentalGroupByWindowDataset",
     input = "input_dataset: variant",
     input = "key_func_other_arguments: Tkey_func_other_arguments",
     input = "reduce_func_other_arguments: Treduce_func_other_arguments",
     input = "window_size_func_other_arguments: Twindow_size_func_other_arguments",
     output = "handle: variant",
     attr = "key_func: func",
     attr = "reduce_func: func",
     attr = "window_size_func: func",
     attr = "Tkey_func_other_arguments: list(type) >= 0",
     attr = "Treduce_func_other_arguments: list(type) >= 0",
     attr = "Twindow_size_func_other_arguments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalGroupByWindowDataset;

/// As [`IgnoreErrorsDataset`](super::IgnoreErrorsDataset), by the name that it had first.
#[op("ExperimentalIgnoreErrorsDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "log_warning: bool = false",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalIgnoreErrorsDataset;

/// As [`IteratorGetDevice`](super::IteratorGetDevice), by the name that it had first.
#[op("ExperimentalIteratorGetDevice",
     input = "resource: resource",
     output = "device: string",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalIteratorGetDevice;

/// As [`LatencyStatsDataset`](super::LatencyStatsDataset), by the name that it had first.
#[op("ExperimentalLatencyStatsDataset",
     input = "input_dataset: variant",
     input = "tag: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalLatencyStatsDataset;

/// As [`MapAndBatchDataset`](super::MapAndBatchDataset), by the name that it had first.
#[op("ExperimentalMapAndBatchDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "batch_size: int64",
     input = "num_parallel_calls: int64",
     input = "drop_remainder: bool",
     output = "handle: variant",
     attr = "f: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "preserve_cardinality: bool = false",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalMapAndBatchDataset;

/// As [`MapDataset`](super::MapDataset), by the name that it had first.
#[op("ExperimentalMapDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     output = "handle: variant",
     attr = "f: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "use_inter_op_parallelism: bool = true",
     attr = "preserve_cardinality: bool = false",
     attr = "force_synchronous: bool = false",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalMapDataset;

/// As [`AutoShardDataset`](super::AutoShardDataset), by the name that it had first.
#[op("ExperimentalAutoShardDataset",
     input = "input_dataset: variant",
     input = "num_workers: int64",
     input = "index: int64",
     output = "handle: variant",
     attr = "auto_shard_policy: int = 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalAutoShardDataset;

/// As [`DatasetToTFRecord`](super::DatasetToTFRecord), by the name that it had first.
#[op("ExperimentalDatasetToTFRecord",
     input = "input_dataset: variant",
     input = "filename: string",
     input = "compression_type: string",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct ExperimentalDatasetToTFRecord;

/// As [`DenseToSparseBatchDataset`](super::DenseToSparseBatchDataset), by the name that it had first.
#[op("ExperimentalDenseToSparseBatchDataset",
     input = "input_dataset: variant",
     input = "batch_size: int64",
     input = "row_shape: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalDenseToSparseBatchDataset;

/// As [`LMDBDataset`](super::LMDBDataset), by the name that it had first.
#[op("ExperimentalLMDBDataset",
     input = "filenames: string",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     unused_attr = "output_shapes",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalLMDBDataset;

/// As [`MatchingFilesDataset`](super::MatchingFilesDataset), by the name that it had first.
#[op("ExperimentalMatchingFilesDataset",
     input = "patterns: string",
     output = "handle: variant",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalMatchingFilesDataset;

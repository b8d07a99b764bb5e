//! Datasets of the elements of datasets that a function makes of elements.

use oplink::prelude::*;

/// The elements of the datasets that a function makes, one dataset after the other.
#[op("FlatMapDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     output = "handle: variant",
     attr = "f: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct FlatMapDataset;

/// The elements of `cycle_length` datasets that a function makes, `block_length` of each in turn; where one ends the
/// next takes its place.
#[op("InterleaveDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "cycle_length: int64",
     input = "block_length: int64",
     output = "handle: variant",
     attr = "f: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct InterleaveDataset;

/// As [`InterleaveDataset`], with datasets read ahead; the order is the same.
#[op("ParallelInterleaveDataset",
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
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParallelInterleaveDataset;

/// As [`InterleaveDataset`], several datasets at once, in order.
#[op("ParallelInterleaveDatasetV2",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "cycle_length: int64",
     input = "block_length: int64",
     input = "num_parallel_calls: int64",
     output = "handle: variant",
     attr = "f: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "sloppy: bool = false",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParallelInterleaveDatasetV2;

/// As [`ParallelInterleaveDatasetV2`].
#[op("ParallelInterleaveDatasetV3",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "cycle_length: int64",
     input = "block_length: int64",
     input = "num_parallel_calls: int64",
     output = "handle: variant",
     attr = "f: func",
     attr = "deterministic: string = 'default'",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParallelInterleaveDatasetV3;

/// As [`ParallelInterleaveDatasetV2`].
#[op("ParallelInterleaveDatasetV4",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "cycle_length: int64",
     input = "block_length: int64",
     input = "buffer_output_elements: int64",
     input = "prefetch_input_elements: int64",
     input = "num_parallel_calls: int64",
     output = "handle: variant",
     attr = "f: func",
     attr = "deterministic: string = 'default'",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParallelInterleaveDatasetV4;

/// The elements of several datasets, the next of the one whose number a selecting dataset gives, until that ends, or
/// with `stop_on_empty_dataset` one of them. Datasets that ended are passed over.
#[op("DirectedInterleaveDataset",
     input = "selector_input_dataset: variant",
     input = "data_input_datasets: N * variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "N: int >= 1",
     attr = "stop_on_empty_dataset: bool = false",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct DirectedInterleaveDataset;

/// As [`ParallelInterleaveDataset`].
#[op("LegacyParallelInterleaveDatasetV2",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "cycle_length: int64",
     input = "block_length: int64",
     input = "buffer_output_elements: int64",
     input = "prefetch_input_elements: int64",
     output = "handle: variant",
     attr = "f: func",
     attr = "deterministic: string = 'default'",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct LegacyParallelInterleaveDatasetV2;

/// The first elements of several datasets of known length, one dataset after the other: as many of each as their
/// weights allow until one of them ends.
#[op("WeightedFlatMapDataset",
     input = "input_datasets: N * variant",
     input = "weights: M * float64",
     output = "handle: variant",
     attr = "N: int >= 2",
     attr = "M: int >= 2",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct WeightedFlatMapDataset;

/// The rows of what a function makes of elements. Another function tells, of the number of a row, which element it is
/// of and where in it; elements are read in order, the next one where a row is of a later element than the present one.
/// A scalar is its own only row. `output_cardinality` is the number of rows, -1 without end, -2 unknown.
#[op("IndexFlatMapDataset",
     input = "input_dataset: variant",
     input = "map_func_other_args: Tmap_func_args",
     input = "index_map_func_other_args: Tindex_map_func_args",
     input = "output_cardinality: int64",
     output = "handle: variant",
     attr = "map_func: func",
     attr = "index_map_func: func",
     attr = "Tmap_func_args: list(type) >= 0",
     attr = "Tindex_map_func_args: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct IndexFlatMapDataset;

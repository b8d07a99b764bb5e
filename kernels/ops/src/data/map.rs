//! Datasets of what functions make of elements.

use oplink::prelude::*;

/// What a function makes of each element. A function that fails with `OutOfRange` ends the dataset, except with
/// `preserve_cardinality`.
#[op("MapDataset",
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
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct MapDataset;

/// As [`MapDataset`], several elements at once, in order.
#[op("ParallelMapDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "num_parallel_calls: int32",
     output = "handle: variant",
     attr = "f: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "use_inter_op_parallelism: bool = true",
     attr = "sloppy: bool = false",
     attr = "preserve_cardinality: bool = false",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParallelMapDataset;

/// As [`ParallelMapDataset`].
#[op("ParallelMapDatasetV2",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "num_parallel_calls: int64",
     output = "handle: variant",
     attr = "f: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "use_inter_op_parallelism: bool = true",
     attr = "deterministic: string = 'default'",
     attr = "preserve_cardinality: bool = false",
     attr = "use_unbounded_threadpool: bool = false",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParallelMapDatasetV2;

/// Batches of what a function makes of each element: [`ParallelMapDatasetV2`] and [`BatchDatasetV2`] in one.
#[op("MapAndBatchDataset",
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
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct MapAndBatchDataset;

/// What a function makes of a state and each element: the next state, then the components of an element.
#[op("ScanDataset",
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
     attr = "use_default_device: bool = true",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ScanDataset;

//! Datasets of some of the elements of another.

use oplink::prelude::*;

/// The elements for which a function is true.
#[op("FilterDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     output = "handle: variant",
     attr = "predicate: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct FilterDataset;

/// As [`FilterDataset`], several elements at once, in order.
#[op("ParallelFilterDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     input = "num_parallel_calls: int64",
     output = "handle: variant",
     attr = "predicate: func",
     attr = "deterministic: string = 'default'",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParallelFilterDataset;

/// The elements before the first for which a function is false.
#[op("TakeWhileDataset",
     input = "input_dataset: variant",
     input = "other_arguments: Targuments",
     output = "handle: variant",
     attr = "predicate: func",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct TakeWhileDataset;

/// The elements whose last component, a bool, is true, without it.
#[op("FilterByLastComponentDataset",
     input = "input_dataset: variant",
     output = "output: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct FilterByLastComponentDataset;

/// The elements that were not there before; they have one component, of int32, int64 or string.
#[op("UniqueDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct UniqueDataset;

/// The elements without those that fail, as a rule: the dataset goes on after an error.
#[op("IgnoreErrorsDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "log_warning: bool = false",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct IgnoreErrorsDataset;

/// The elements; an error where they are not `cardinality` many.
#[op("AssertCardinalityDataset",
     input = "input_dataset: variant",
     input = "cardinality: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AssertCardinalityDataset;

/// Each element with the probability `rate`, by the same random numbers in each iteration. With both seeds 0 nobody can
/// foretell them.
#[op("SamplingDataset",
     input = "input_dataset: variant",
     input = "rate: float",
     input = "seed: int64",
     input = "seed2: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct SamplingDataset;

//! Datasets of the features of `Example` messages.

use oplink::prelude::*;

/// The features of the messages in the elements of a dataset, strings of any shape, as a component for each key, in the
/// order of the keys. Dense features have a row for each message: `dense_shapes[i]`, of which the first extent may be
/// unknown, and `dense_defaults[i]` where one is missing. Sparse features are three variants, the indices, values and
/// shape of a sparse tensor, ragged ones a variant. Elements stay in order, whatever `sloppy` says.
#[op("ParseExampleDataset",
     input = "input_dataset: variant",
     input = "num_parallel_calls: int64",
     input = "dense_defaults: Tdense",
     output = "handle: variant",
     attr = "sparse_keys: list(string) >= 0",
     attr = "dense_keys: list(string) >= 0",
     attr = "sparse_types: list({float, int64, string}) >= 0",
     attr = "Tdense: list({float, int64, string}) >= 0",
     attr = "dense_shapes: list(shape) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "sloppy: bool = false",
     attr = "ragged_keys: list(string) >= 0 = []",
     attr = "ragged_value_types: list({float, int64, string}) >= 0 = []",
     attr = "ragged_split_types: list({int32, int64}) >= 0 = []",
     unused_attr = "sparse_types",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParseExampleDataset;

/// As [`ParseExampleDataset`]. Elements stay in order, whatever `deterministic` says.
#[op("ParseExampleDatasetV2",
     input = "input_dataset: variant",
     input = "num_parallel_calls: int64",
     input = "dense_defaults: Tdense",
     output = "handle: variant",
     attr = "sparse_keys: list(string) >= 0",
     attr = "dense_keys: list(string) >= 0",
     attr = "sparse_types: list({float, int64, string}) >= 0",
     attr = "Tdense: list({float, int64, string}) >= 0",
     attr = "dense_shapes: list(shape) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "deterministic: string = 'default'",
     attr = "ragged_keys: list(string) >= 0 = []",
     attr = "ragged_value_types: list({float, int64, string}) >= 0 = []",
     attr = "ragged_split_types: list({int32, int64}) >= 0 = []",
     unused_attr = "sparse_types",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParseExampleDatasetV2;

/// As [`ParseExampleDataset`], without ragged features, by the name that it had first.
#[op("ExperimentalParseExampleDataset",
     input = "input_dataset: variant",
     input = "num_parallel_calls: int64",
     input = "dense_defaults: Tdense",
     output = "handle: variant",
     attr = "sparse_keys: list(string) >= 0",
     attr = "dense_keys: list(string) >= 0",
     attr = "sparse_types: list({float, int64, string}) >= 0",
     attr = "Tdense: list({float, int64, string}) >= 0",
     attr = "dense_shapes: list(shape) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "sloppy: bool = false",
     unused_attr = "sparse_types",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ExperimentalParseExampleDataset;

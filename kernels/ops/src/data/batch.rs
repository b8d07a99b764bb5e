//! Datasets whose elements are several of another in one, or parts of one.

use oplink::prelude::*;

/// `batch_size` elements of a dataset as the rows of each component; the last batch may have fewer. All elements have
/// one shape.
#[op("BatchDataset",
     input = "input_dataset: variant",
     input = "batch_size: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct BatchDataset;

/// As [`BatchDataset`]; with `drop_remainder` a last batch that has fewer elements is left out.
#[op("BatchDatasetV2",
     input = "input_dataset: variant",
     input = "batch_size: int64",
     input = "drop_remainder: bool",
     output = "handle: variant",
     attr = "parallel_copy: bool = false",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct BatchDatasetV2;

/// As [`BatchDatasetV2`], several batches at once.
#[op("ParallelBatchDataset",
     input = "input_dataset: variant",
     input = "batch_size: int64",
     input = "num_parallel_calls: int64",
     input = "drop_remainder: bool",
     output = "handle: variant",
     attr = "parallel_copy: bool = false",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "deterministic: string = 'default'",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ParallelBatchDataset;

/// As [`BatchDataset`], of elements of different shapes, padded to `padded_shapes` with `padding_values`; extents of -1
/// become the largest of the batch.
#[op("PaddedBatchDataset",
     input = "input_dataset: variant",
     input = "batch_size: int64",
     input = "padded_shapes: N * int64",
     input = "padding_values: Toutput_types",
     output = "handle: variant",
     attr = "Toutput_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "N: int >= 1",
     attr = "metadata: string = ''",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct PaddedBatchDataset;

/// As [`PaddedBatchDataset`]; with `drop_remainder` a last batch that has fewer elements is left out.
#[op("PaddedBatchDatasetV2",
     input = "input_dataset: variant",
     input = "batch_size: int64",
     input = "padded_shapes: N * int64",
     input = "padding_values: Toutput_types",
     input = "drop_remainder: bool",
     output = "handle: variant",
     attr = "parallel_copy: bool = false",
     attr = "Toutput_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "N: int >= 1",
     attr = "metadata: string = ''",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct PaddedBatchDatasetV2;

/// The rows of the components of each element, one after the other.
#[op("UnbatchDataset",
     input = "input_dataset: variant",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct UnbatchDataset;

/// The rows of the batches of a dataset in batches of `batch_sizes`, which begin again after the last; with
/// `drop_remainder` a last one that is not full is left out.
#[op("RebatchDatasetV2",
     input = "input_dataset: variant",
     input = "batch_sizes: int64",
     input = "drop_remainder: bool",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct RebatchDatasetV2;

/// `batch_size` elements of a dataset of one component as the rows of a sparse tensor, whose indices, values and dense
/// shape are a vector of three variants; the last batch may have fewer. Every value of an element is there, zeros too.
/// Elements have the rank of `row_shape`, and extents at most its own; an extent of -1 becomes the largest of the
/// batch. The attrs `output_types` and `output_shapes` say nothing more.
#[op("DenseToSparseBatchDataset",
     input = "input_dataset: variant",
     input = "batch_size: int64",
     input = "row_shape: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct DenseToSparseBatchDataset;

/// Each batch of a dataset in `num_replicas` parts of equal numbers of rows; the last parts of a batch that cannot be
/// divided have fewer, or none. The attr `use_fallback` changes nothing.
#[op("RebatchDataset",
     input = "input_dataset: variant",
     input = "num_replicas: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "use_fallback: bool = true",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct RebatchDataset;

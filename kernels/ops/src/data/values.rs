//! What ops other than iterators make of a dataset.

use super::shapes;
use oplink::prelude::*;

/// The state that a function makes of a state and each element of a dataset, from `initial_state` on.
#[op("ReduceDataset",
     input = "input_dataset: variant",
     input = "initial_state: Tstate",
     input = "other_arguments: Targuments",
     output = "components: output_types",
     attr = "f: func",
     attr = "Tstate: list(type) >= 1",
     attr = "Targuments: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "use_inter_op_parallelism: bool = true",
     attr = "metadata: string = ''",
     stateful,
     no_gradient,
     shape = shapes::from_attr)]
pub struct ReduceDataset;

/// The only element of a dataset; any other number of elements is an error.
#[op("DatasetToSingleElement",
     input = "dataset: variant",
     output = "components: output_types",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     stateful,
     no_gradient,
     shape = shapes::from_attr)]
pub struct DatasetToSingleElement;

/// The element of a dataset at a position; `OutOfRange` where there is none.
#[op("GetElementAtIndex",
     input = "dataset: variant",
     input = "index: int64",
     output = "components: output_types",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     no_gradient,
     shape = shapes::from_attr)]
pub struct GetElementAtIndex;

/// The number of elements of a dataset, as far as it is known without running it: -1 without end, -2 unknown.
#[op("DatasetCardinality",
     input = "input_dataset: variant",
     output = "cardinality: int64",
     attr = "cardinality_options: string = ''",
     bytes(cardinality_options),
     no_gradient,
     shape = shape_fns::scalar)]
pub struct DatasetCardinality;

/// A dataset in a variant that stays on the host.
#[op("WrapDatasetVariant",
     input = "input_handle: variant",
     output = "output_handle: variant",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct WrapDatasetVariant;

/// The dataset in such a variant.
#[op("UnwrapDatasetVariant",
     input = "input_handle: variant",
     output = "output_handle: variant",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct UnwrapDatasetVariant;

/// The size of a dataset's batches, as far as the datasets that it is made of tell: -1 where it is unknown. Datasets
/// that leave elements as they are have the size of their input, those that join others that of all of these.
#[op("ComputeBatchSize",
     input = "input_dataset: variant",
     output = "batch_size: int64",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ComputeBatchSize;

/// Tensors in a variant, compressed: those of numbers by zlib, others as they are.
#[op("CompressElement",
     input = "components: input_types",
     output = "compressed: variant",
     attr = "input_types: list(type) >= 1",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct CompressElement;

/// The tensors of [`CompressElement`]. Their number and dtypes are as the node declares; shapes are not checked.
#[op("UncompressElement",
     input = "compressed: variant",
     output = "components: output_types",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     no_gradient,
     shape = shapes::from_attr)]
pub struct UncompressElement;

/// Gives a table with fixed entries the elements of a dataset, each a key and a value, both scalars. A table that has
/// entries already keeps them. A dataset without elements is `OutOfRange`, different values for one key are
/// `FailedPrecondition`.
#[op("InitializeTableFromDataset", input = "table_handle: resource", input = "dataset: variant", stateful, no_gradient)]
pub fn initialize_table_from_dataset(context: &mut ShapeContext<'_>) -> Result<()> {
    context.with_rank(0, 0)?;
    context.with_rank(1, 0)?;
    Ok(())
}

/// `FailedPrecondition`, because memory is pinned for CUDA only, and what is without CUDA cannot tell whether it is.
#[op("CheckPinned",
     input = "tensor: T",
     output = "output: T",
     attr = "T: type",
     no_gradient,
     shape = shape_fns::unchanged)]
pub struct CheckPinned;

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

/// What a function makes of each row of the arguments, which have a number of rows in common, and of all of
/// `captured_inputs`, as the rows of the outputs. Without a row, outputs of unknown shape are empty vectors.
#[op("MapDefun",
     input = "arguments: Targuments",
     input = "captured_inputs: Tcaptured",
     output = "output: output_types",
     attr = "Targuments: list(type) >= 1",
     attr = "Tcaptured: list(type) >= 0 = []",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "f: func",
     attr = "max_intra_op_parallelism: int = 1",
     no_gradient,
     shape = map_defun_shape)]
pub struct MapDefun;

fn map_defun_shape(context: &mut ShapeContext<'_>) -> Result<()> {
    let shapes: &[PartialShape] = context.attr("output_shapes")?;
    let (given, wanted) = (shapes.len(), context.num_outputs());
    ensure!(given == wanted, "attr `output_shapes` has {given} shapes for {wanted} outputs");
    let mut rows = None;
    for argument in 0..context.input_list("arguments")?.len() {
        rows = context.merge_dim(rows, context.with_rank_at_least(argument, 1)?.dim(0))?;
    }
    for (output, shape) in shapes.iter().enumerate() {
        let shape = context.concatenate(&PartialShape::new(&[rows]), shape);
        context.set_output(output, shape);
    }
    Ok(())
}

//! Datasets of values that are inputs.

use oplink::prelude::*;

/// The numbers from `start` towards `stop`, which is left out, in steps of `step`, in the one dtype of `output_types`.
/// A step of 0 is an error.
#[op("RangeDataset",
     input = "start: int64",
     input = "stop: int64",
     input = "step: int64",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     attr = "replicate_on_split: bool = false",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct RangeDataset;

/// One element: the inputs.
#[op("TensorDataset",
     input = "components: Toutput_types",
     output = "handle: variant",
     attr = "Toutput_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct TensorDataset;

/// The rows of the inputs along their first axes, which have one extent.
#[op("TensorSliceDataset",
     input = "components: Toutput_types",
     output = "handle: variant",
     attr = "Toutput_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "is_files: bool = false",
     attr = "metadata: string = ''",
     attr = "replicate_on_split: bool = false",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct TensorSliceDataset;

/// One element for each of the inputs, or for each group of as many as there are `output_types`.
#[op("ListDataset",
     input = "tensors: Tinput_types",
     output = "handle: variant",
     attr = "Tinput_types: list(type) >= 1",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct ListDataset;

/// The rows of a sparse tensor, each as a sparse tensor: indices, values and dense shape. Indices are in order of rows.
#[op("SparseTensorSliceDataset",
     input = "indices: int64",
     input = "values: Tvalues",
     input = "dense_shape: int64",
     output = "handle: variant",
     attr = "Tvalues: type",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct SparseTensorSliceDataset;

/// A window: one element for each group of as many inputs as there are `output_types`. Inputs at the end that are no
/// whole group are left out.
#[op("WindowOp",
     input = "inputs: Tinputs",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "Tinputs: list(type) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct WindowOp;

/// What a function makes of a state, until it is out of range. The first function makes the state, when the first
/// element is asked for; the last one gets it at the end, or when the iterator goes before. The state stays the same:
/// what changes are the resources that it refers to.
#[op("GeneratorDataset",
     input = "init_func_other_args: Tinit_func_args",
     input = "next_func_other_args: Tnext_func_args",
     input = "finalize_func_other_args: Tfinalize_func_args",
     output = "handle: variant",
     attr = "init_func: func",
     attr = "next_func: func",
     attr = "finalize_func: func",
     attr = "Tinit_func_args: list(type) >= 0",
     attr = "Tnext_func_args: list(type) >= 0",
     attr = "Tfinalize_func_args: list(type) >= 0",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct GeneratorDataset;

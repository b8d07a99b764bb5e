//! Datasets of what functions make of groups of elements, and of windows.

use oplink::prelude::*;

/// Windows of `size` elements, `stride` apart, each window `shift` elements after the one before: a dataset for each
/// component. The last windows may have fewer; with `drop_remainder` they are left out.
#[op("WindowDataset",
     input = "input_dataset: variant",
     input = "size: int64",
     input = "shift: int64",
     input = "stride: int64",
     input = "drop_remainder: bool",
     output = "handle: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct WindowDataset;

/// Windows of `window_size` elements, `window_stride` apart, each window `window_shift` elements after the one before,
/// as batches. The last windows may have fewer elements; with `drop_remainder` they are left out.
#[op("SlidingWindowDataset",
     input = "input_dataset: variant",
     input = "window_size: int64",
     input = "window_shift: int64",
     input = "window_stride: int64",
     output = "handle: variant",
     attr = "drop_remainder: bool = true",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct SlidingWindowDataset;

/// The elements of the datasets that `reduce_func` makes of a key and a dataset of elements with that key, as many as
/// `window_size_func` says, or what there is at the end.
#[op("GroupByWindowDataset",
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
     attr = "metadata: string = ''",
     unused_attr = "output_types",
     no_gradient,
     shape = shape_fns::scalar)]
pub struct GroupByWindowDataset;

/// For each key, in order, what `finalize_func` makes of the state that `init_func` begins and `reduce_func` changes
/// with each element.
#[op("GroupByReducerDataset",
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
pub struct GroupByReducerDataset;

//! Tensor arrays of the first two versions, which differ from the third in their handle alone.
//!
//! The first has a reference to the two names of an array, its container and its own; the second has a vector of these
//! names. Arrays of both live until the step ends. What an op computes stands beside the op of the third version.

use super::shapes;
use oplink::prelude::*;

/// A new array of tensors: a reference.
#[op("TensorArray",
     input = "size: int32",
     output = "handle: Ref(string)",
     attr = "dtype: type",
     attr = "dynamic_size: bool = false",
     attr = "clear_after_read: bool = true",
     attr = "tensor_array_name: string = ''",
     attr = "element_shape: shape = { unknown_rank: true }",
     deprecated(since = 16, note = "Use TensorArrayV3"),
     stateful,
     shape = shape_fns::unknown)]
pub struct TensorArray;

/// A new array of tensors: its names.
#[op("TensorArrayV2",
     input = "size: int32",
     output = "handle: string",
     attr = "dtype: type",
     attr = "element_shape: shape = { unknown_rank: true }",
     attr = "dynamic_size: bool = false",
     attr = "clear_after_read: bool = true",
     attr = "tensor_array_name: string = ''",
     deprecated(since = 26, note = "Use TensorArrayV3"),
     unused_attr = "dtype",
     stateful,
     shape = shapes::new_names)]
pub struct TensorArrayV2;

/// The array of gradients of the array of these names: a reference.
#[op("TensorArrayGrad",
     input = "handle: string",
     input = "flow_in: float",
     output = "grad_handle: Ref(string)",
     attr = "source: string",
     deprecated(since = 16, note = "Use TensorArrayGradV3"),
     stateful,
     shape = shape_fns::unknown)]
pub struct TensorArrayGrad;

/// The array of gradients of the array of these names: its names.
#[op("TensorArrayGradV2",
     input = "handle: string",
     input = "flow_in: float",
     output = "grad_handle: string",
     attr = "source: string",
     deprecated(since = 26, note = "Use TensorArrayGradV3"),
     stateful,
     shape = shapes::gradient_names)]
pub struct TensorArrayGradV2;

/// Writes an element.
#[op("TensorArrayWrite",
     input = "handle: Ref(string)",
     input = "index: int32",
     input = "value: T",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     deprecated(since = 16, note = "Use TensorArrayWriteV3"),
     shape = shape_fns::unknown)]
pub struct TensorArrayWrite;

/// Writes an element.
#[op("TensorArrayWriteV2",
     input = "handle: string",
     input = "index: int32",
     input = "value: T",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     deprecated(since = 26, note = "Use TensorArrayWriteV3"),
     shape = shapes::write)]
pub struct TensorArrayWriteV2;

/// An element.
#[op("TensorArrayRead",
     input = "handle: Ref(string)",
     input = "index: int32",
     input = "flow_in: float",
     output = "value: dtype",
     attr = "dtype: type",
     deprecated(since = 16, note = "Use TensorArrayReadV3"),
     shape = shape_fns::unknown)]
pub struct TensorArrayRead;

/// An element.
#[op("TensorArrayReadV2",
     input = "handle: string",
     input = "index: int32",
     input = "flow_in: float",
     output = "value: dtype",
     attr = "dtype: type",
     deprecated(since = 26, note = "Use TensorArrayReadV3"),
     shape = shapes::read)]
pub struct TensorArrayReadV2;

/// All elements as rows.
#[op("TensorArrayPack",
     input = "handle: Ref(string)",
     input = "flow_in: float",
     output = "value: dtype",
     attr = "dtype: type",
     attr = "element_shape: shape = { unknown_rank: true }",
     deprecated(since = 16, note = "Use TensorArrayGatherV3 with RangeOp"),
     shape = shape_fns::unknown)]
pub struct TensorArrayPack;

/// Writes the rows of `value` as all elements; a growing array grows by them.
#[op("TensorArrayUnpack",
     input = "handle: Ref(string)",
     input = "value: T",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     deprecated(since = 20, note = "Use TensorArrayScatterV3 with RangeOp"),
     shape = shape_fns::unknown)]
pub struct TensorArrayUnpack;

/// The elements at `indices` as rows.
#[op("TensorArrayGather",
     input = "handle: Ref(string)",
     input = "indices: int32",
     input = "flow_in: float",
     output = "value: dtype",
     attr = "dtype: type",
     attr = "element_shape: shape = { unknown_rank: true }",
     deprecated(since = 16, note = "Use TensorArrayGatherV3"),
     shape = shape_fns::unknown)]
pub struct TensorArrayGather;

/// The elements at `indices` as rows.
#[op("TensorArrayGatherV2",
     input = "handle: string",
     input = "indices: int32",
     input = "flow_in: float",
     output = "value: dtype",
     attr = "dtype: type",
     attr = "element_shape: shape = { unknown_rank: true }",
     deprecated(since = 26, note = "Use TensorArrayGatherV3"),
     shape = shapes::gather_by_names)]
pub struct TensorArrayGatherV2;

/// Writes rows as elements.
#[op("TensorArrayScatter",
     input = "handle: Ref(string)",
     input = "indices: int32",
     input = "value: T",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     deprecated(since = 19, note = "Use TensorArrayGradV3"),
     shape = shape_fns::unknown)]
pub struct TensorArrayScatter;

/// Writes rows as elements.
#[op("TensorArrayScatterV2",
     input = "handle: string",
     input = "indices: int32",
     input = "value: T",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     deprecated(since = 26, note = "Use TensorArrayScatterV3"),
     shape = shapes::scatter_by_names)]
pub struct TensorArrayScatterV2;

/// All elements one after the other, and how long each is.
#[op("TensorArrayConcat",
     input = "handle: Ref(string)",
     input = "flow_in: float",
     output = "value: dtype",
     output = "lengths: int64",
     attr = "dtype: type",
     attr = "element_shape_except0: shape = { unknown_rank: true }",
     deprecated(since = 16, note = "Use TensorArrayGradV3"),
     shape = shape_fns::unknown)]
pub struct TensorArrayConcat;

/// All elements one after the other, and how long each is.
#[op("TensorArrayConcatV2",
     input = "handle: string",
     input = "flow_in: float",
     output = "value: dtype",
     output = "lengths: int64",
     attr = "dtype: type",
     attr = "element_shape_except0: shape = { unknown_rank: true }",
     shape = shapes::concat)]
pub struct TensorArrayConcatV2;

/// Writes parts of `value` as elements.
#[op("TensorArraySplit",
     input = "handle: Ref(string)",
     input = "value: T",
     input = "lengths: int64",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     deprecated(since = 16, note = "Use TensorArraySplitV3"),
     shape = shape_fns::unknown)]
pub struct TensorArraySplit;

/// Writes parts of `value` as elements.
#[op("TensorArraySplitV2",
     input = "handle: string",
     input = "value: T",
     input = "lengths: int64",
     input = "flow_in: float",
     output = "flow_out: float",
     attr = "T: type",
     deprecated(since = 26, note = "Use TensorArraySplitV3"),
     shape = shapes::split)]
pub struct TensorArraySplitV2;

/// The number of elements.
#[op("TensorArraySize",
     input = "handle: Ref(string)",
     input = "flow_in: float",
     output = "size: int32",
     deprecated(since = 16, note = "Use TensorArraySizeV3"),
     shape = shape_fns::unknown)]
pub struct TensorArraySize;

/// The number of elements.
#[op("TensorArraySizeV2",
     input = "handle: string",
     input = "flow_in: float",
     output = "size: int32",
     deprecated(since = 26, note = "Use TensorArraySizeV3"),
     shape = shapes::size)]
pub struct TensorArraySizeV2;

/// Lets the elements go.
#[op("TensorArrayClose",
     input = "handle: Ref(string)",
     deprecated(since = 16, note = "Use TensorArrayCloseV3"),
     shape = shape_fns::unknown)]
pub struct TensorArrayClose;

/// Lets the elements go.
#[op("TensorArrayCloseV2",
     input = "handle: string",
     deprecated(since = 26, note = "Use TensorArrayCloseV3"),
     shape = shapes::close)]
pub struct TensorArrayCloseV2;

//! Iterators: the elements of a dataset one after the other, in the order of runs.
//!
//! At the end a run that takes an element is `OutOfRange`. Runs of several threads take elements one after the other.

use super::shapes;
use oplink::prelude::*;

/// An iterator, which has elements once [`MakeIterator`] gave it a dataset. Nodes of one `container` and `shared_name`
/// share an iterator.
#[op("IteratorV2",
     output = "handle: resource",
     attr = "shared_name: string",
     attr = "container: string",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct IteratorV2;

/// As [`IteratorV2`].
#[op("Iterator",
     output = "handle: resource",
     attr = "shared_name: string",
     attr = "container: string",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct Iterator;

/// An iterator of its own, which goes with its last handle.
#[op("AnonymousIterator",
     output = "handle: resource",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AnonymousIterator;

/// As [`AnonymousIterator`], with what [`DeleteIterator`] takes.
#[op("AnonymousIteratorV2",
     output = "handle: resource",
     output = "deleter: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AnonymousIteratorV2;

/// As [`AnonymousIterator`].
#[op("AnonymousIteratorV3",
     output = "handle: resource",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AnonymousIteratorV3;

/// An iterator over the dataset that a function makes at the first run.
#[op("OneShotIterator",
     output = "handle: resource",
     attr = "dataset_factory: func",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct OneShotIterator;

/// Gives an iterator a dataset; it starts with the first element, also where it had one.
#[op("MakeIterator",
     input = "dataset: variant",
     input = "iterator: resource",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct MakeIterator;

/// The next element.
#[op("IteratorGetNext",
     input = "iterator: resource",
     output = "components: output_types",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     stateful,
     no_gradient,
     shape = shapes::from_attr)]
pub struct IteratorGetNext;

/// The next element.
#[op("IteratorGetNextSync",
     input = "iterator: resource",
     output = "components: output_types",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     stateful,
     no_gradient,
     shape = shapes::from_attr)]
pub struct IteratorGetNextSync;

/// The next element as an optional, without a value at the end.
#[op("IteratorGetNextAsOptional",
     input = "iterator: resource",
     output = "optional: variant",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct IteratorGetNextAsOptional;

/// Lets an iterator go.
#[op("DeleteIterator",
     input = "handle: resource",
     input = "deleter: variant",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct DeleteIterator;

/// A string that stands for an iterator.
#[op("IteratorToStringHandle",
     input = "resource_handle: resource",
     output = "string_handle: string",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct IteratorToStringHandle;

/// The iterator that a string stands for.
#[op("IteratorFromStringHandle",
     input = "string_handle: string",
     output = "resource_handle: resource",
     attr = "output_types: list(type) >= 0 = []",
     attr = "output_shapes: list(shape) >= 0 = []",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct IteratorFromStringHandle;

/// The iterator that a string stands for.
#[op("IteratorFromStringHandleV2",
     input = "string_handle: string",
     output = "resource_handle: resource",
     attr = "output_types: list(type) >= 0 = []",
     attr = "output_shapes: list(shape) >= 0 = []",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct IteratorFromStringHandleV2;

/// The device of an iterator.
#[op("IteratorGetDevice",
     input = "resource: resource",
     output = "device: string",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct IteratorGetDevice;

/// Where an iterator is in its dataset, and what it has read ahead, as a vector of variants.
#[op("SerializeIterator",
     input = "resource_handle: resource",
     output = "serialized: variant",
     attr = "external_state_policy: int = 0",
     stateful,
     no_gradient,
     shape = shapes::vector)]
pub struct SerializeIterator;

/// Brings an iterator over the same dataset to where [`SerializeIterator`] found one.
#[op("DeserializeIterator",
     input = "resource_handle: resource",
     input = "serialized: variant",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct DeserializeIterator;

/// An iterator whose elements several devices take in turn: element `i` is that of device `i` modulo their number. It
/// has elements once [`MultiDeviceIteratorInit`] gave it a dataset. Nodes of one `container` and `shared_name` share an
/// iterator.
#[op("MultiDeviceIterator",
     output = "handle: resource",
     attr = "devices: list(string) >= 1",
     attr = "shared_name: string",
     attr = "container: string",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct MultiDeviceIterator;

/// As [`MultiDeviceIterator`], an iterator that goes with its last handle.
#[op("AnonymousMultiDeviceIterator",
     output = "handle: resource",
     output = "deleter: variant",
     attr = "devices: list(string) >= 1",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AnonymousMultiDeviceIterator;

/// As [`AnonymousMultiDeviceIterator`].
#[op("AnonymousMultiDeviceIteratorV3",
     output = "handle: resource",
     attr = "devices: list(string) >= 1",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct AnonymousMultiDeviceIteratorV3;

/// Starts with the first element of a dataset, and gives the number of this start. Elements that other devices have not
/// taken yet are kept for them.
#[op("MultiDeviceIteratorInit",
     input = "dataset: variant",
     input = "multi_device_iterator: resource",
     input = "max_buffer_size: int64",
     output = "incarnation_id: int64",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct MultiDeviceIteratorInit;

/// The next element of the device `shard_num`, since the start `incarnation_id`; `OutOfRange` at the end.
#[op("MultiDeviceIteratorGetNextFromShard",
     input = "multi_device_iterator: resource",
     input = "shard_num: int32",
     input = "incarnation_id: int64",
     output = "components: output_types",
     attr = "output_types: list(type) >= 1",
     attr = "output_shapes: list(shape) >= 1",
     stateful,
     no_gradient,
     shape = shapes::from_attr)]
pub struct MultiDeviceIteratorGetNextFromShard;

/// A string that stands for a multi-device iterator.
#[op("MultiDeviceIteratorToStringHandle",
     input = "multi_device_iterator: resource",
     output = "string_handle: string",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct MultiDeviceIteratorToStringHandle;

/// The multi-device iterator that a string stands for.
#[op("MultiDeviceIteratorFromStringHandle",
     input = "string_handle: string",
     output = "multi_device_iterator: resource",
     attr = "output_types: list(type) >= 0 = []",
     attr = "output_shapes: list(shape) >= 0 = []",
     unused_attr = "output_types",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct MultiDeviceIteratorFromStringHandle;

/// Lets a multi-device iterator go. `iterators`, those of the devices, only order the op after them.
#[op("DeleteMultiDeviceIterator",
     input = "multi_device_iterator: resource",
     input = "iterators: N * resource",
     input = "deleter: variant",
     attr = "N: int >= 0",
     stateful,
     no_gradient,
     shape = shape_fns::no_outputs)]
pub struct DeleteMultiDeviceIterator;

/// The model of a pipeline's performance, which is kept where pipelines are tuned while they run. They are not: an
/// iterator with a dataset is `NotFound`, one without `FailedPrecondition`.
#[op("IteratorGetModelProto",
     input = "iterator: resource",
     output = "model_proto: string",
     stateful,
     no_gradient,
     shape = shape_fns::scalar)]
pub struct IteratorGetModelProto;

//! Staging areas with keys: tensors that some nodes put in under a key and others take out by it, within a process.
//!
//! An element has a tensor for each entry of the attr `dtypes`. `indices` says which of them a run brings or takes, in
//! rising order; an element that lacks some is incomplete, and nobody can take it. Areas, limits and waiting are those
//! of [`Stage`](super::Stage); incomplete elements count for the bytes and not for the capacity.

use oplink::prelude::*;

/// Puts tensors in under a key. A complete element is dropped where the key has one already; a tensor that an
/// incomplete one has already is an error.
#[op("MapStage",
     input = "key: int64",
     input = "indices: int32",
     input = "values: fake_dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "fake_dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct MapStage;

/// As [`MapStage`], into an area in the order of the keys.
#[op("OrderedMapStage",
     input = "key: int64",
     input = "indices: int32",
     input = "values: fake_dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "fake_dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct OrderedMapStage;

/// Takes tensors of a key out, which is gone with the last of them.
#[op("MapUnstage",
     input = "key: int64",
     input = "indices: int32",
     output = "values: dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::unknown)]
pub struct MapUnstage;

/// As [`MapUnstage`], from an area in the order of the keys.
#[op("OrderedMapUnstage",
     input = "key: int64",
     input = "indices: int32",
     output = "values: dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::unknown)]
pub struct OrderedMapUnstage;

/// The tensors of a key, which stay.
#[op("MapPeek",
     input = "key: int64",
     input = "indices: int32",
     output = "values: dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::unknown)]
pub struct MapPeek;

/// As [`MapPeek`], in an area in the order of the keys.
#[op("OrderedMapPeek",
     input = "key: int64",
     input = "indices: int32",
     output = "values: dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::unknown)]
pub struct OrderedMapPeek;

/// Takes the tensors of some key out, and tells the key.
#[op("MapUnstageNoKey",
     input = "indices: int32",
     output = "key: int64",
     output = "values: dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::unknown)]
pub struct MapUnstageNoKey;

/// Takes the tensors of the smallest key out, and tells the key.
#[op("OrderedMapUnstageNoKey",
     input = "indices: int32",
     output = "key: int64",
     output = "values: dtypes",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type) >= 1",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     stateful,
     shape = shape_fns::unknown)]
pub struct OrderedMapUnstageNoKey;

/// The number of complete elements.
#[op("MapSize",
     output = "size: int32",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::scalar)]
pub struct MapSize;

/// As [`MapSize`], of an area in the order of the keys.
#[op("OrderedMapSize",
     output = "size: int32",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::scalar)]
pub struct OrderedMapSize;

/// The number of incomplete elements.
#[op("MapIncompleteSize",
     output = "size: int32",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::scalar)]
pub struct MapIncompleteSize;

/// As [`MapIncompleteSize`], of an area in the order of the keys.
#[op("OrderedMapIncompleteSize",
     output = "size: int32",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::scalar)]
pub struct OrderedMapIncompleteSize;

/// Lets all elements go.
#[op("MapClear",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct MapClear;

/// As [`MapClear`], of an area in the order of the keys.
#[op("OrderedMapClear",
     attr = "capacity: int >= 0 = 0",
     attr = "memory_limit: int >= 0 = 0",
     attr = "dtypes: list(type)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     unused_attr = "dtypes",
     stateful,
     shape = shape_fns::no_outputs)]
pub struct OrderedMapClear;

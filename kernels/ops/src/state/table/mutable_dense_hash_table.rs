//! `MutableDenseHashTableV2`, `MutableDenseHashTable`, `AnonymousMutableDenseHashTable`: a table whose entries can
//! change, two keys of which stand for none.
//!
//! As `MutableHashTableV2`, with values of the attr `value_shape`. No entry can have the key `empty_key` or
//! `deleted_key`, which differ; asking for one of them is an error too. `initial_num_buckets` is a power of two of at
//! least 4, `max_load_factor` above 0 and at most 1. Keys are scalars.

use super::shapes;
use oplink::prelude::*;

/// A table whose entries can change, two keys of which stand for none.
#[op("MutableDenseHashTableV2",
     input = "empty_key: key_dtype",
     input = "deleted_key: key_dtype",
     output = "table_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     attr = "value_shape: shape = {}",
     attr = "initial_num_buckets: int = 131072",
     attr = "max_load_factor: float = 0.8",
     stateful,
     no_gradient,
     shape = shapes::dense_table)]
pub struct MutableDenseHashTableV2;

/// A reference to a table whose entries can change, a key of which stands for none.
#[op("MutableDenseHashTable",
     input = "empty_key: key_dtype",
     output = "table_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     attr = "value_shape: shape = {}",
     attr = "initial_num_buckets: int = 131072",
     attr = "max_load_factor: float = 0.8",
     stateful,
     no_gradient,
     shape = shapes::reference)]
pub struct MutableDenseHashTable;

/// A new table whose entries can change, two keys of which stand for none.
#[op("AnonymousMutableDenseHashTable",
     input = "empty_key: key_dtype",
     input = "deleted_key: key_dtype",
     output = "table_handle: resource",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     attr = "value_shape: shape = {}",
     attr = "initial_num_buckets: int = 131072",
     attr = "max_load_factor: float = 0.8",
     stateful,
     shape = shapes::dense_table)]
pub struct AnonymousMutableDenseHashTable;

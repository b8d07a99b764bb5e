//! `HashTableV2`, `HashTable`, `AnonymousHashTable`: a table whose entries are given once and for all.
//!
//! A key has one value. Nodes of one `container` and `shared_name` share a table; without a name a node has a table of
//! its own, or with the attr `use_node_name_sharing` that of the node's name. The anonymous table is a new one at each
//! run, and goes with its last handle.

use super::shapes;
use oplink::prelude::*;

/// A table with fixed entries.
#[op("HashTableV2",
     output = "table_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::table)]
pub struct HashTableV2;

/// A reference to a table with fixed entries.
#[op("HashTable",
     output = "table_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::reference)]
pub struct HashTable;

/// A new table with fixed entries.
#[op("AnonymousHashTable",
     output = "table_handle: resource",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::table)]
pub struct AnonymousHashTable;

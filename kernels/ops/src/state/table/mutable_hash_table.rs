//! `MutableHashTableV2`, `MutableHashTable`, `AnonymousMutableHashTable`: a table whose entries can change.
//!
//! A key has one value. Nodes of one `container` and `shared_name` share a table; without a name a node has a table of
//! its own, or with the attr `use_node_name_sharing` that of the node's name. The anonymous table is a new one at each
//! run, and goes with its last handle.

use super::shapes;
use oplink::prelude::*;

/// A table whose entries can change.
#[op("MutableHashTableV2",
     output = "table_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::mutable_table)]
pub struct MutableHashTableV2;

/// A reference to a table whose entries can change.
#[op("MutableHashTable",
     output = "table_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::reference)]
pub struct MutableHashTable;

/// A new table whose entries can change.
#[op("AnonymousMutableHashTable",
     output = "table_handle: resource",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::mutable_table)]
pub struct AnonymousMutableHashTable;

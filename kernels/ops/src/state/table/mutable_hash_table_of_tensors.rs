//! `MutableHashTableOfTensorsV2` and its other forms: a table of vectors whose entries can change.
//!
//! A key has a vector of the attr `value_shape`. Nodes of one `container` and `shared_name` share a table; without a
//! name a node has a table of its own, or with the attr `use_node_name_sharing` that of the node's name. The anonymous
//! table is a new one at each run, and goes with its last handle.

use super::shapes;
use oplink::prelude::*;

/// A table of vectors whose entries can change.
#[op("MutableHashTableOfTensorsV2",
     output = "table_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     attr = "value_shape: shape = {}",
     stateful,
     shape = shapes::table_of_vectors)]
pub struct MutableHashTableOfTensorsV2;

/// A reference to a table of vectors whose entries can change.
#[op("MutableHashTableOfTensors",
     output = "table_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     attr = "value_shape: shape = {}",
     stateful,
     shape = shapes::reference)]
pub struct MutableHashTableOfTensors;

/// A new table of vectors whose entries can change.
#[op("AnonymousMutableHashTableOfTensors",
     output = "table_handle: resource",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     attr = "value_shape: shape = {}",
     stateful,
     shape = shapes::table_of_vectors)]
pub struct AnonymousMutableHashTableOfTensors;

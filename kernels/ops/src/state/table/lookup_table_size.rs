//! `LookupTableSizeV2` and `LookupTableSize`: the number of entries of a table, a scalar of int64.

use super::shapes;
use oplink::prelude::*;

/// The number of entries.
#[op("LookupTableSizeV2",
     input = "table_handle: resource",
     output = "size: int64",
     stateful,
     shape = shapes::size)]
pub struct LookupTableSizeV2;

/// The number of entries in the table behind a reference.
#[op("LookupTableSize",
     input = "table_handle: Ref(string)",
     output = "size: int64",
     shape = shape_fns::scalar)]
pub struct LookupTableSize;

//! `LookupTableRemoveV2`: takes keys out of a table whose entries can change. Keys that are not there are no error.

use super::shapes;
use oplink::prelude::*;

/// Takes keys out of a table.
#[op("LookupTableRemoveV2",
     input = "table_handle: resource",
     input = "keys: Tin",
     attr = "Tin: type",
     stateful,
     shape = shapes::remove)]
pub struct LookupTableRemoveV2;

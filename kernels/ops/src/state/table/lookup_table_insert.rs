//! `LookupTableInsertV2` and `LookupTableInsert`: set the values of keys in a table whose entries can change.
//!
//! `values` has the shape of `keys`, then that of a value. Of a key given several times the last value stays.

use super::shapes;
use oplink::prelude::*;

/// Sets the values of keys.
#[op("LookupTableInsertV2",
     input = "table_handle: resource",
     input = "keys: Tin",
     input = "values: Tout",
     attr = "Tin: type",
     attr = "Tout: type",
     stateful,
     shape = shapes::write)]
pub struct LookupTableInsertV2;

/// Sets the values of keys in the table behind a reference.
#[op("LookupTableInsert",
     input = "table_handle: Ref(string)",
     input = "keys: Tin",
     input = "values: Tout",
     attr = "Tin: type",
     attr = "Tout: type",
     shape = shapes::write_reference)]
pub struct LookupTableInsert;

//! `LookupTableFindV2` and `LookupTableFind`: the value of each key in a table.
//!
//! The output has the shape of `keys`, then that of a value. Keys that are not there have the default: `default_value`
//! is a value for all, or has one for each key, of which a table with fixed entries takes the first for all.

use super::shapes;
use oplink::prelude::*;

/// The values of keys.
#[op("LookupTableFindV2",
     input = "table_handle: resource",
     input = "keys: Tin",
     input = "default_value: Tout",
     output = "values: Tout",
     attr = "Tin: type",
     attr = "Tout: type",
     stateful,
     shape = shapes::find)]
pub struct LookupTableFindV2;

/// The values of keys in the table behind a reference.
#[op("LookupTableFind",
     input = "table_handle: Ref(string)",
     input = "keys: Tin",
     input = "default_value: Tout",
     output = "values: Tout",
     attr = "Tin: type",
     attr = "Tout: type",
     shape = shapes::find_reference)]
pub struct LookupTableFind;

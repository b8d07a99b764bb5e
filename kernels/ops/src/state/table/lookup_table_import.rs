//! `LookupTableImportV2` and `LookupTableImport`: replace all entries of a table.
//!
//! As `LookupTableInsertV2` into an empty table; of a table with fixed entries, as `InitializeTableV2`.

use super::shapes;
use oplink::prelude::*;

/// Replaces the entries of a table.
#[op("LookupTableImportV2",
     input = "table_handle: resource",
     input = "keys: Tin",
     input = "values: Tout",
     attr = "Tin: type",
     attr = "Tout: type",
     stateful,
     shape = shapes::import)]
pub struct LookupTableImportV2;

/// Replaces the entries of the table behind a reference.
#[op("LookupTableImport",
     input = "table_handle: Ref(string)",
     input = "keys: Tin",
     input = "values: Tout",
     attr = "Tin: type",
     attr = "Tout: type",
     shape = shapes::write_reference)]
pub struct LookupTableImport;

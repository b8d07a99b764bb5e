//! `LookupTableExportV2` and `LookupTableExport`: all keys and values of a table, in some order that both have.

use super::shapes;
use oplink::prelude::*;

/// The entries of a table.
#[op("LookupTableExportV2",
     input = "table_handle: resource",
     output = "keys: Tkeys",
     output = "values: Tvalues",
     attr = "Tkeys: type",
     attr = "Tvalues: type",
     stateful,
     shape = shapes::export)]
pub struct LookupTableExportV2;

/// The entries of the table behind a reference.
#[op("LookupTableExport",
     input = "table_handle: Ref(string)",
     output = "keys: Tkeys",
     output = "values: Tvalues",
     attr = "Tkeys: type",
     attr = "Tvalues: type",
     shape = shapes::export_reference)]
pub struct LookupTableExport;

//! `LookupTableImportV2` and `LookupTableImport`: replace all entries of a table.
//!
//! As `LookupTableInsertV2` into an empty table; of a table with fixed entries, as `InitializeTableV2`.

use oplink::prelude::*;

use super::resource::LookupTable;
use super::shapes;

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

/// `LookupTableImportV2` and `LookupTableImport` of every dtype that keys and values have.
#[kernel(LookupTableImportV2, device = CPU, Tin = any, Tout = any)]
#[kernel(LookupTableImport, device = CPU, Tin = any, Tout = any)]
pub fn lookup_table_import_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    context.resource::<LookupTable>(0)?.import(context.input(1), context.input(2))
}

//! `LookupTableInsertV2` and `LookupTableInsert`: set the values of keys in a table whose entries can change.
//!
//! `values` has the shape of `keys`, then that of a value. Of a key given several times the last value stays.

use oplink::prelude::*;

use super::resource::LookupTable;
use super::shapes;

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

/// `LookupTableInsertV2` and `LookupTableInsert` of every dtype that keys and values have.
#[kernel(LookupTableInsertV2, device = CPU, Tin = any, Tout = any)]
#[kernel(LookupTableInsert, device = CPU, Tin = any, Tout = any)]
pub fn lookup_table_insert_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    context.resource::<LookupTable>(0)?.insert(context.input(1), context.input(2))
}

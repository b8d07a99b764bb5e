//! `LookupTableRemoveV2`: takes keys out of a table whose entries can change. Keys that are not there are no error.

use oplink::prelude::*;

use super::resource::LookupTable;
use super::shapes;

/// Takes keys out of a table.
#[op("LookupTableRemoveV2",
     input = "table_handle: resource",
     input = "keys: Tin",
     attr = "Tin: type",
     stateful,
     shape = shapes::remove)]
pub struct LookupTableRemoveV2;

/// `LookupTableRemoveV2` of every dtype that keys and values have.
#[kernel(LookupTableRemoveV2, device = CPU, Tin = any)]
pub fn lookup_table_remove_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    context.resource::<LookupTable>(0)?.remove(context.input(1))
}

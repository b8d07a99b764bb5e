//! `LookupTableSizeV2` and `LookupTableSize`: the number of entries of a table, a scalar of int64.

use oplink::prelude::*;

use super::resource::LookupTable;
use super::shapes;

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

/// `LookupTableSizeV2` and `LookupTableSize` of every dtype that keys and values have.
#[kernel(LookupTableSizeV2, device = CPU)]
#[kernel(LookupTableSize, device = CPU)]
pub fn lookup_table_size_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let size = context.resource::<LookupTable>(0)?.len();
    context.set_scalar(0, size as i64);
    Ok(())
}

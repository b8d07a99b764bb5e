//! `LookupTableExportV2` and `LookupTableExport`: all keys and values of a table, in some order that both have.

use oplink::prelude::*;

use super::resource::LookupTable;
use super::shapes;

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

/// `LookupTableExportV2` and `LookupTableExport` of every dtype that keys and values have.
#[kernel(LookupTableExportV2, device = CPU, Tkeys = any, Tvalues = any)]
#[kernel(LookupTableExport, device = CPU, Tkeys = any, Tvalues = any)]
pub fn lookup_table_export_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let (keys, values) = context.resource::<LookupTable>(0)?.export()?;
    let dtypes = &context.node().output_dtypes;
    ensure!(
        dtypes[..] == [keys.dtype(), values.dtype()],
        "the table maps {} to {}, the op expects {dtypes:?}",
        keys.dtype(),
        values.dtype()
    );
    context.set_output(0, keys);
    context.set_output(1, values);
    Ok(())
}

//! The entries of tables: given once and for all, found, set, taken away, exported. Each kernel serves keys and values
//! of every dtype that they can have, the op that takes a resource, `LookupTableFindV2`, and the one that takes a
//! reference, `LookupTableFind`.

use std::sync::Arc;

use super::resource::LookupTable;
use oplink::prelude::*;
use oplink_ops::state::{InitializeTable, InitializeTableV2, LookupTableExport, LookupTableExportV2, LookupTableFind};
use oplink_ops::state::{LookupTableFindV2, LookupTableImport, LookupTableImportV2, LookupTableInsert};
use oplink_ops::state::{LookupTableInsertV2, LookupTableRemoveV2, LookupTableSize, LookupTableSizeV2};

/// `InitializeTableV2` and `InitializeTable`: give a table with fixed entries these. Both inputs are vectors of one
/// length, which is not 0. Different values for one key are `FailedPrecondition`, and so are other entries than the
/// table has already, where their numbers differ.
#[kernel(InitializeTableV2, device = CPU, Tkey = any, Tval = any)]
#[kernel(InitializeTable, device = CPU, Tkey = any, Tval = any)]
pub fn initialize_table_cpu(table_handle: Arc<LookupTable>, keys: &Tensor, values: &Tensor) -> Result<()> {
    table_handle.initialize(keys, values)
}

/// `LookupTableFindV2` and `LookupTableFind`: the value of each key in a table. The output has the shape of `keys`,
/// then that of a value. Keys that are not there have the default: `default_value` is a value for all, or has one for
/// each key, of which a table with fixed entries takes the first for all.
#[kernel(LookupTableFindV2, device = CPU, Tin = any, Tout = any)]
#[kernel(LookupTableFind, device = CPU, Tin = any, Tout = any)]
pub fn lookup_table_find_cpu(table_handle: Arc<LookupTable>, keys: &Tensor, default_value: &Tensor) -> Result<Tensor> {
    table_handle.find(keys, default_value)
}

/// `LookupTableInsertV2` and `LookupTableInsert`: set the values of keys in a table whose entries can change. `values`
/// has the shape of `keys`, then that of a value. Of a key given several times the last value stays.
#[kernel(LookupTableInsertV2, device = CPU, Tin = any, Tout = any)]
#[kernel(LookupTableInsert, device = CPU, Tin = any, Tout = any)]
pub fn lookup_table_insert_cpu(table_handle: Arc<LookupTable>, keys: &Tensor, values: &Tensor) -> Result<()> {
    table_handle.insert(keys, values)
}

/// `LookupTableImportV2` and `LookupTableImport`: replace all entries of a table. As `LookupTableInsertV2` into an
/// empty table; of a table with fixed entries, as `InitializeTableV2`.
#[kernel(LookupTableImportV2, device = CPU, Tin = any, Tout = any)]
#[kernel(LookupTableImport, device = CPU, Tin = any, Tout = any)]
pub fn lookup_table_import_cpu(table_handle: Arc<LookupTable>, keys: &Tensor, values: &Tensor) -> Result<()> {
    table_handle.import(keys, values)
}

/// `LookupTableRemoveV2`: takes keys out of a table whose entries can change. Keys that are not there are no error.
#[kernel(LookupTableRemoveV2, device = CPU, Tin = any)]
pub fn lookup_table_remove_cpu(table_handle: Arc<LookupTable>, keys: &Tensor) -> Result<()> {
    table_handle.remove(keys)
}

/// `LookupTableExportV2` and `LookupTableExport`: all keys and values of a table, in some order that both have.
#[kernel(LookupTableExportV2, device = CPU, Tkeys = any, Tvalues = any)]
#[kernel(LookupTableExport, device = CPU, Tkeys = any, Tvalues = any)]
pub fn lookup_table_export_cpu(
    table_handle: Arc<LookupTable>,
    tkeys: DType,
    tvalues: DType,
) -> Result<(Tensor, Tensor)> {
    let (keys, values) = table_handle.export()?;
    let (key_dtype, value_dtype) = (keys.dtype(), values.dtype());
    ensure!(
        (tkeys, tvalues) == (key_dtype, value_dtype),
        "the table maps {key_dtype} to {value_dtype}, the op expects [{tkeys:?}, {tvalues:?}]"
    );
    Ok((keys, values))
}

/// `LookupTableSizeV2` and `LookupTableSize`: the number of entries of a table.
#[kernel(LookupTableSizeV2, device = CPU)]
#[kernel(LookupTableSize, device = CPU)]
pub fn lookup_table_size_cpu(table_handle: Arc<LookupTable>) -> i64 {
    table_handle.len() as i64
}

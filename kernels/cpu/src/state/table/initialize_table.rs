//! `InitializeTableV2` and `InitializeTable`: give a table with fixed entries these.
//!
//! Both inputs are vectors of one length, which is not 0. Different values for one key are `FailedPrecondition`, and so are other entries than the
//! table has already, where their numbers differ.

use oplink::prelude::*;

use super::resource::LookupTable;
use super::shapes;

/// Gives a table its entries.
#[op("InitializeTableV2",
     input = "table_handle: resource",
     input = "keys: Tkey",
     input = "values: Tval",
     attr = "Tkey: type",
     attr = "Tval: type",
     stateful,
     shape = shapes::initialize)]
pub struct InitializeTableV2;

/// Gives the table behind a reference its entries.
#[op("InitializeTable",
     input = "table_handle: Ref(string)",
     input = "keys: Tkey",
     input = "values: Tval",
     attr = "Tkey: type",
     attr = "Tval: type",
     shape = shapes::initialize_reference)]
pub struct InitializeTable;

/// `InitializeTableV2` and `InitializeTable` of every dtype that keys and values have.
#[kernel(InitializeTableV2, device = CPU, Tkey = any, Tval = any)]
#[kernel(InitializeTable, device = CPU, Tkey = any, Tval = any)]
pub fn initialize_table_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    context.resource::<LookupTable>(0)?.initialize(context.input(1), context.input(2))
}

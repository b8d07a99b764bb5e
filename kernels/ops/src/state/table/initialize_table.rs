//! `InitializeTableV2` and `InitializeTable`: give a table with fixed entries these.
//!
//! Both inputs are vectors of one length, which is not 0. Different values for one key are `FailedPrecondition`, and so
//! are other entries than the table has already, where their numbers differ.

use super::shapes;
use oplink::prelude::*;

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

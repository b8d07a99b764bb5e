//! `MutableHashTableV2`, `MutableHashTable`, `AnonymousMutableHashTable`: a table whose entries can change.
//!
//! A key has one value. Nodes of one `container` and `shared_name` share a table; without a name a node has a table of its own, or with the
//! attr `use_node_name_sharing` that of the node's name. The anonymous table is a new one at
//! each run, and goes with its last handle.

use oplink::prelude::*;

use super::resource::Declaration;
use super::{declaration, output_new_table, output_table, shapes};
use crate::state::named::OwnHandle;

/// A table whose entries can change.
#[op("MutableHashTableV2",
     output = "table_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::mutable_table)]
pub struct MutableHashTableV2;

/// A reference to a table whose entries can change.
#[op("MutableHashTable",
     output = "table_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::reference)]
pub struct MutableHashTable;

/// A new table whose entries can change.
#[op("AnonymousMutableHashTable",
     output = "table_handle: resource",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::mutable_table)]
pub struct AnonymousMutableHashTable;

/// The named tables with the node's handle.
#[derive(Debug, Default)]
pub struct MutableHashTableCpu(OwnHandle);

#[kernel(MutableHashTable, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString, Variant])]
#[kernel(MutableHashTableV2, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString, Variant])]
impl Kernel for MutableHashTableCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        output_table(context, &self.0, declared(context)?)
    }
}

/// A new table at each run.
#[kernel(AnonymousMutableHashTable, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString, Variant])]
pub fn anonymous_mutable_hash_table_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    output_new_table(context, declared(context)?)
}

fn declared(context: &KernelContext<'_>) -> Result<Declaration> {
    declaration(context, Shape::scalar(), false)
}

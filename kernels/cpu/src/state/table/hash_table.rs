//! `HashTableV2`, `HashTable`, `AnonymousHashTable`: a table whose entries are given once and for all.
//!
//! A key has one value. Nodes of one `container` and `shared_name` share a table; without a name a node has a table of its own, or with the
//! attr `use_node_name_sharing` that of the node's name. The anonymous table is a new one at
//! each run, and goes with its last handle.

use oplink::prelude::*;

use super::resource::Declaration;
use super::{declaration, output_new_table, output_table, shapes};
use crate::state::named::OwnHandle;

/// A table with fixed entries.
#[op("HashTableV2",
     output = "table_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::table)]
pub struct HashTableV2;

/// A reference to a table with fixed entries.
#[op("HashTable",
     output = "table_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::reference)]
pub struct HashTable;

/// A new table with fixed entries.
#[op("AnonymousHashTable",
     output = "table_handle: resource",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     stateful,
     shape = shapes::table)]
pub struct AnonymousHashTable;

/// The named tables with the node's handle.
#[derive(Debug, Default)]
pub struct HashTableCpu(OwnHandle);

#[kernel(HashTable, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
#[kernel(HashTableV2, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
impl Kernel for HashTableCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        output_table(context, &self.0, declared(context)?)
    }
}

/// A new table at each run.
#[kernel(AnonymousHashTable, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
pub fn anonymous_hash_table_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    output_new_table(context, declared(context)?)
}

fn declared(context: &KernelContext<'_>) -> Result<Declaration> {
    declaration(context, Shape::scalar(), true)
}

//! `MutableHashTableOfTensorsV2` and its other forms: a table of vectors whose entries can change.
//!
//! A key has a vector of the attr `value_shape`. Nodes of one `container` and `shared_name` share a table; without a name a node has a table of its own, or with the
//! attr `use_node_name_sharing` that of the node's name. The
//! anonymous table is a new one at each run, and goes with its last handle.

use oplink::prelude::*;

use super::resource::Declaration;
use super::{declaration, output_new_table, output_table, shapes};
use crate::state::named::OwnHandle;

/// A table of vectors whose entries can change.
#[op("MutableHashTableOfTensorsV2",
     output = "table_handle: resource",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     attr = "value_shape: shape = {}",
     stateful,
     shape = shapes::table_of_vectors)]
pub struct MutableHashTableOfTensorsV2;

/// A reference to a table of vectors whose entries can change.
#[op("MutableHashTableOfTensors",
     output = "table_handle: Ref(string)",
     attr = "container: string = ''",
     attr = "shared_name: string = ''",
     attr = "use_node_name_sharing: bool = false",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     attr = "value_shape: shape = {}",
     stateful,
     shape = shapes::reference)]
pub struct MutableHashTableOfTensors;

/// A new table of vectors whose entries can change.
#[op("AnonymousMutableHashTableOfTensors",
     output = "table_handle: resource",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     attr = "value_shape: shape = {}",
     stateful,
     shape = shapes::table_of_vectors)]
pub struct AnonymousMutableHashTableOfTensors;

/// The named tables with the node's handle.
#[derive(Debug, Default)]
pub struct MutableHashTableOfTensorsCpu(OwnHandle);

#[kernel(MutableHashTableOfTensors, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
#[kernel(MutableHashTableOfTensorsV2, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
impl Kernel for MutableHashTableOfTensorsCpu {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        output_table(context, &self.0, declared(context)?)
    }
}

/// A new table at each run.
#[kernel(AnonymousMutableHashTableOfTensors, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
pub fn anonymous_mutable_hash_table_of_tensors_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    output_new_table(context, declared(context)?)
}

fn declared(context: &KernelContext<'_>) -> Result<Declaration> {
    let shape: &PartialShape = context.attr("value_shape")?;
    match shape.to_shape() {
        Some(shape) if shape.rank() == 1 => declaration(context, shape, false),
        _ => bail!("value_shape must be that of a vector, it is {shape}"),
    }
}

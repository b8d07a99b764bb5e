//! Lookup tables: maps from integers or strings to values of one shape.

mod keys;
mod resource;
mod shapes;
mod values;

pub mod hash_table;
pub mod initialize_table;
pub mod initialize_table_from_text_file;
pub mod lookup_table_export;
pub mod lookup_table_find;
pub mod lookup_table_import;
pub mod lookup_table_insert;
pub mod lookup_table_remove;
pub mod lookup_table_size;
pub mod mutable_hash_table;
pub mod mutable_hash_table_of_tensors;

use oplink::ResourceInfo;
use oplink::prelude::*;

pub use hash_table::*;
pub use initialize_table::*;
pub use initialize_table_from_text_file::*;
pub use lookup_table_export::*;
pub use lookup_table_find::*;
pub use lookup_table_import::*;
pub use lookup_table_insert::*;
pub use lookup_table_remove::*;
pub use lookup_table_size::*;
pub use mutable_hash_table::*;
pub use mutable_hash_table_of_tensors::*;
use resource::Declaration;
pub use resource::LookupTable;

use super::named::{OwnHandle, Unnamed, output_resource};

/// The type in the names of tables.
const KIND: &str = "table";

/// Sets output 0 to the handle of the node's table, which is made where there is none yet.
fn output_table(context: &mut KernelContext<'_>, handle: &OwnHandle, declaration: Declaration) -> Result<()> {
    let make = |_: &KernelContext<'_>, name: &str| LookupTable::new(name, declaration.clone());
    let unnamed = if context.attr("use_node_name_sharing")? { Unnamed::NodeName } else { Unnamed::Private };
    let table = output_resource(context, handle, KIND, unnamed, make)?;
    let (there, wanted) = (table.declaration(), &declaration);
    ensure!(
        (there.key_dtype, there.value_dtype) == (wanted.key_dtype, wanted.value_dtype),
        "the table of this name maps {} to {}, not {} to {}",
        there.key_dtype,
        there.value_dtype,
        wanted.key_dtype,
        wanted.value_dtype
    );
    Ok(())
}

/// Sets output 0 to a handle to a new table, which goes with its last handle.
fn output_new_table(context: &mut KernelContext<'_>, declaration: Declaration) -> Result<()> {
    let name = context.node().name.clone();
    let handle = ResourceHandle::new(ResourceInfo { name, type_name: KIND.into(), ..ResourceInfo::default() });
    handle.get_or_create(|| LookupTable::new(&context.node().name, declaration))?;
    context.set_scalar(0, handle);
    Ok(())
}

/// The node's declaration of a table.
fn declaration(context: &KernelContext<'_>, value_shape: Shape, fixed: bool) -> Result<Declaration> {
    Ok(Declaration {
        key_dtype: context.attr("key_dtype")?,
        value_dtype: context.attr("value_dtype")?,
        value_shape,
        fixed,
    })
}

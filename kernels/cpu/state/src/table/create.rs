//! Handles of tables: `HashTableV2`, whose entries are given once and for all; `MutableHashTableV2`, whose entries can
//! change; `MutableHashTableOfTensorsV2`, whose values are vectors; and the forms of each that are references, or
//! anonymous.
//!
//! A key has one value, or a vector of the attr `value_shape`. Nodes of one `container` and `shared_name` share a
//! table; without a name a node has a table of its own, or with the attr `use_node_name_sharing` that of the node's
//! name. The anonymous table is a new one at each run, and goes with its last handle.

use super::resource::{Declaration, LookupTable};
use crate::named::{NodeResource, Unnamed, info};
use oplink::NodeInfo;
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink::resource::ResourceInfo;
use oplink_ops::state::MutableHashTableV2;
use oplink_ops::state::{AnonymousHashTable, AnonymousMutableHashTable, AnonymousMutableHashTableOfTensors, HashTable};
use oplink_ops::state::{HashTableV2, MutableHashTable, MutableHashTableOfTensors, MutableHashTableOfTensorsV2};

/// The type in the names of tables.
pub(super) const KIND: &str = "table";

/// The table of a node.
#[derive(Debug)]
struct NodeTable {
    resource: NodeResource,
    declaration: Declaration,
}

impl NodeTable {
    fn new(
        node: &NodeInfo,
        (container, shared_name): (&str, &str),
        use_node_name_sharing: bool,
        declaration: Declaration,
    ) -> Result<Self> {
        let unnamed = if use_node_name_sharing { Unnamed::NodeName } else { Unnamed::Private };
        let info = info(node, container, shared_name, KIND, unnamed)?;
        Ok(Self { resource: NodeResource::new(info), declaration })
    }

    /// Sets an output to the handle of the table, which is made where there is none yet.
    fn output(&self, output: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
        let wanted = &self.declaration;
        let table = self.resource.output(output, env, |name| LookupTable::new(name, wanted.clone()))?;
        let there = table.declaration();
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
}

/// Kernels of ops that make a table, `#[kernel(…)] Kernel: Op, |attrs| (shape of a value, whether entries are fixed);`
/// each.
macro_rules! tables {
    ($(#[kernel($($keys:tt)*)] $name:ident: $op:ident, |$attrs:pat_param| $declared:expr;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the node's handle.")]
        #[derive(Debug)]
        pub struct $name(NodeTable);

        #[kernel($op, $($keys)*)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let (node, attrs) = (construction.node(), construction.attrs);
                let $attrs = attrs;
                let (value_shape, fixed) = $declared;
                let (key_dtype, value_dtype) = (attrs.key_dtype, attrs.value_dtype);
                let declaration = Declaration { key_dtype, value_dtype, value_shape, fixed, reserved: Vec::new() };
                let name = (attrs.container, attrs.shared_name);
                NodeTable::new(node, name, attrs.use_node_name_sharing, declaration).map(Self)
            }

            fn compute(
                &self,
                _: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                self.0.output(&mut outputs.table_handle, env)
            }
        }
    )*};
}

tables! {
    #[kernel(device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
    HashTableCpu: HashTableV2, |_| (Shape::scalar(), true);
    #[kernel(device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
    HashTableRefCpu: HashTable, |_| (Shape::scalar(), true);
    #[kernel(device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString, Variant])]
    MutableHashTableCpu: MutableHashTableV2, |_| (Shape::scalar(), false);
    #[kernel(device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString, Variant])]
    MutableHashTableRefCpu: MutableHashTable, |_| (Shape::scalar(), false);
    #[kernel(device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
    MutableHashTableOfTensorsCpu: MutableHashTableOfTensorsV2, |attrs| (vector(attrs.value_shape)?, false);
    #[kernel(device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
    MutableHashTableOfTensorsRefCpu: MutableHashTableOfTensors, |attrs| (vector(attrs.value_shape)?, false);
}

/// `AnonymousHashTable`.
#[kernel(AnonymousHashTable, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
pub fn anonymous_hash_table_cpu(key_dtype: DType, value_dtype: DType, env: Env<'_>) -> Result<Tensor> {
    new_table(
        env,
        Declaration { key_dtype, value_dtype, value_shape: Shape::scalar(), fixed: true, reserved: Vec::new() },
    )
}

/// `AnonymousMutableHashTable`.
#[kernel(AnonymousMutableHashTable, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString, Variant])]
pub fn anonymous_mutable_hash_table_cpu(key_dtype: DType, value_dtype: DType, env: Env<'_>) -> Result<Tensor> {
    new_table(
        env,
        Declaration { key_dtype, value_dtype, value_shape: Shape::scalar(), fixed: false, reserved: Vec::new() },
    )
}

/// `AnonymousMutableHashTableOfTensors`.
#[kernel(AnonymousMutableHashTableOfTensors, device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString])]
pub fn anonymous_mutable_hash_table_of_tensors_cpu(
    key_dtype: DType,
    value_dtype: DType,
    value_shape: &PartialShape,
    env: Env<'_>,
) -> Result<Tensor> {
    new_table(
        env,
        Declaration { key_dtype, value_dtype, value_shape: vector(value_shape)?, fixed: false, reserved: Vec::new() },
    )
}

/// A handle to a new table, which goes with its last handle.
pub(super) fn new_table(env: Env<'_>, declaration: Declaration) -> Result<Tensor> {
    let name = env.node().name.clone();
    let handle = ResourceHandle::new(ResourceInfo { name, type_name: KIND.into(), ..ResourceInfo::default() });
    handle.get_or_create(|| LookupTable::new(&env.node().name, declaration))?;
    Ok(Tensor::scalar(handle))
}

/// The attr `value_shape` of a table of vectors.
fn vector(value_shape: &PartialShape) -> Result<Shape> {
    match value_shape.to_shape() {
        Some(shape) if shape.rank() == 1 => Ok(shape),
        _ => bail!("value_shape must be that of a vector, it is {value_shape}"),
    }
}

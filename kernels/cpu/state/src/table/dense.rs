//! Handles of tables two keys of which stand for none: `MutableDenseHashTableV2` and its kin.
//!
//! The keys are inputs, so that a table is declared when it is first made; nodes that share one agree in its dtypes.

use super::create::{KIND, new_table};
use super::resource::{Declaration, LookupTable};
use crate::named::{NodeResource, Unnamed, info};
use oplink::arguments::TypedOp;
use oplink::prelude::*;
use oplink_ops::state::{AnonymousMutableDenseHashTable, MutableDenseHashTable, MutableDenseHashTableV2};

/// Fewest buckets.
const FEW_BUCKETS: i64 = 4;

/// What the attrs and the keys declare.
fn declaration(
    [key_dtype, value_dtype]: [DType; 2],
    value_shape: &PartialShape,
    buckets: i64,
    load_factor: f32,
    reserved: &[&Tensor],
) -> Result<Declaration> {
    let Some(value_shape) = value_shape.to_shape() else {
        bail!("value_shape must be fully known, it is {value_shape}")
    };
    let fits = buckets >= FEW_BUCKETS && buckets.count_ones() == 1;
    ensure!(fits, "initial_num_buckets must be a power of 2 of at least {FEW_BUCKETS}, it is {buckets}");
    ensure!(
        load_factor > 0.0 && load_factor <= 1.0,
        "max_load_factor must be above 0 and at most 1, it is {load_factor}"
    );
    if let Some(key) = reserved.iter().find(|key| key.rank() > 0) {
        let message =
            format!("keys of a table must be scalars, the empty or the deleted one has shape {}", key.shape());
        return Err(Error::unimplemented(message));
    }
    if let [empty, deleted] = reserved {
        let same = AttrValue::from(*empty) == AttrValue::from(*deleted);
        ensure!(!same, "empty_key and deleted_key must differ");
    }
    let reserved = reserved.iter().copied().cloned().collect();
    Ok(Declaration { key_dtype, value_dtype, value_shape, fixed: false, reserved })
}

/// Kernels of ops that make a table of a name, `#[kernel(…)] Kernel: Op, |inputs| keys that no entry has;` each.
macro_rules! tables {
    ($(#[kernel($($keys:tt)*)] $name:ident: $op:ident, |$inputs:pat_param| $reserved:expr;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the node's handle.")]
        #[derive(Debug)]
        pub struct $name {
            resource: NodeResource,
            dtypes: [DType; 2],
            value_shape: PartialShape,
            buckets: i64,
            load_factor: f32,
        }

        #[kernel($op, $($keys)*)]
        impl Kernel for $name {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let (node, attrs) = (construction.node(), construction.attrs);
                let unnamed = if attrs.use_node_name_sharing { Unnamed::NodeName } else { Unnamed::Private };
                let info = info(node, attrs.container, attrs.shared_name, KIND, unnamed)?;
                Ok(Self {
                    resource: NodeResource::new(info),
                    dtypes: [attrs.key_dtype, attrs.value_dtype],
                    value_shape: attrs.value_shape.clone(),
                    buckets: attrs.initial_num_buckets,
                    load_factor: attrs.max_load_factor,
                })
            }

            fn compute(
                &self,
                $inputs: <$op as TypedOp>::Inputs<'_>,
                outputs: &mut <$op as TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                let reserved = $reserved;
                let wanted = declaration(self.dtypes, &self.value_shape, self.buckets, self.load_factor, &reserved)?;
                let table = self.resource.output(&mut outputs.table_handle, env, |name| {
                    LookupTable::new(name, wanted.clone())
                })?;
                let there = table.declaration();
                let fits = [there.key_dtype, there.value_dtype] == self.dtypes;
                ensure!(fits, "the table of this name maps {} to {}", there.key_dtype, there.value_dtype);
                Ok(())
            }
        }
    )*};
}

tables! {
    #[kernel(device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString, Variant, ResourceHandle])]
    MutableDenseHashTableCpu: MutableDenseHashTableV2, |inputs| [&*inputs.empty_key, &*inputs.deleted_key];
    #[kernel(device = CPU, key_dtype = [i32, i64, TString], value_dtype = [bool, f32, f64, i32, i64, TString, Variant, ResourceHandle])]
    MutableDenseHashTableRefCpu: MutableDenseHashTable, |inputs| [&*inputs.empty_key];
}

/// `AnonymousMutableDenseHashTable`.
#[kernel(AnonymousMutableDenseHashTable, device = CPU, key_dtype = [i32, i64, TString],
         value_dtype = [bool, f32, f64, i32, i64, TString, Variant, ResourceHandle])]
pub fn anonymous_mutable_dense_hash_table_cpu(
    empty_key: &Tensor,
    deleted_key: &Tensor,
    key_dtype: DType,
    value_dtype: DType,
    value_shape: &PartialShape,
    initial_num_buckets: i64,
    max_load_factor: f32,
    env: Env<'_>,
) -> Result<Tensor> {
    let reserved = [empty_key, deleted_key];
    let dtypes = [key_dtype, value_dtype];
    new_table(env, declaration(dtypes, value_shape, initial_num_buckets, max_load_factor, &reserved)?)
}

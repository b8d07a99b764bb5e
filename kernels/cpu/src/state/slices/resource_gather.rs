//! `ResourceGather`: rows of a resource variable by index.
//!
//! As `GatherV2` of the variable's value along the axis after the `batch_dims` that go side by side. Every dtype.

use oplink::Variable;
use oplink::prelude::*;

use super::shapes;
use crate::array::gather::gathered;

/// Picks rows of a variable.
#[op("ResourceGather",
     input = "resource: resource",
     input = "indices: Tindices",
     output = "output: dtype",
     attr = "batch_dims: int = 0",
     attr = "validate_indices: bool = true",
     attr = "dtype: type",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::gather)]
pub struct ResourceGather;

/// `ResourceGather` of every dtype.
#[kernel(ResourceGather, device = CPU, dtype = any, Tindices = any)]
pub fn resource_gather_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let value = context.resource::<Variable>(0)?.read()?;
    let (dtype, wanted) = (value.dtype(), context.node().output_dtypes[0]);
    ensure!(dtype == wanted, "the variable holds {dtype}, the op expects {wanted}");
    let batch_dims: i64 = context.attr("batch_dims")?;
    let out = gathered(context, &value, context.input(1), batch_dims, batch_dims)?;
    context.set_output(0, out);
    Ok(())
}

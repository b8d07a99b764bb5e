//! `ResourceGatherNd`: slices of a resource variable by the coordinates of their start.
//!
//! As `GatherNd` of the variable's value. Every dtype.

use oplink::Variable;
use oplink::prelude::*;

use super::shapes;
use crate::array::gather_nd::gathered_nd;

/// Picks slices of a variable.
#[op("ResourceGatherNd",
     input = "resource: resource",
     input = "indices: Tindices",
     output = "output: dtype",
     attr = "dtype: type",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::gather_nd)]
pub struct ResourceGatherNd;

/// `ResourceGatherNd` of every dtype.
#[kernel(ResourceGatherNd, device = CPU, dtype = any, Tindices = any)]
pub fn resource_gather_nd_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let value = context.resource::<Variable>(0)?.read()?;
    let (dtype, wanted) = (value.dtype(), context.node().output_dtypes[0]);
    ensure!(dtype == wanted, "the variable holds {dtype}, the op expects {wanted}");
    let out = gathered_nd(context, &value, context.input(1), false)?;
    context.set_output(0, out);
    Ok(())
}

//! `ResourceGather`: rows of a resource variable by index; `ResourceGatherNd`: slices by the coordinates of their
//! start.
//!
//! As `GatherV2` of the variable's value along the axis after its `batch_dims` leading ones, and as `GatherNd` of it.

use std::sync::Arc;

use oplink::prelude::*;
use oplink::resource::Variable;
use oplink_cpu_array::gathering::{gathered, gathered_nd};
use oplink_ops::state::{ResourceGather, ResourceGatherNd};

/// `ResourceGather` of every dtype.
#[kernel(ResourceGather, device = CPU, dtype = any, Tindices = any)]
pub fn resource_gather_cpu(
    resource: Arc<Variable>,
    indices: &Tensor,
    batch_dims: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let value = value_of(&resource, output.dtype())?;
    gathered(&value, indices, batch_dims, batch_dims, &mut output, env)
}

/// `ResourceGatherNd` of every dtype.
#[kernel(ResourceGatherNd, device = CPU, dtype = any, Tindices = any)]
pub fn resource_gather_nd_cpu(resource: Arc<Variable>, indices: &Tensor, mut output: OutputSlot<'_>) -> Result<()> {
    let value = value_of(&resource, output.dtype())?;
    gathered_nd(&value, indices, false, &mut output)
}

fn value_of(variable: &Variable, wanted: DType) -> Result<Tensor> {
    let value = variable.read()?;
    ensure!(value.dtype() == wanted, "the variable holds {}, the op expects {wanted}", value.dtype());
    Ok(value)
}

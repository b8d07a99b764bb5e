//! `ResourceGather`: slices of a variable by index.

use oplink::prelude::*;
use oplink::resource::Variable;
use oplink_ops::state::ResourceGather;

use crate::array::gather::pick;

/// `ResourceGather` in the device's memory.
#[kernel(ResourceGather, device = GPU, dtype = [numbers, bool], Tindices = [i32, i64])]
pub fn resource_gather_gpu(
    resource: Input<'_>,
    indices: &Tensor,
    batch_dims: i64,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let params = resource.resource::<Variable>()?.read()?;
    let (dtype, wanted) = (params.dtype(), output.dtype());
    ensure!(dtype == wanted, "the variable holds {dtype}, the op expects {wanted}");
    pick([&params, indices], batch_dims, batch_dims, &mut output, env)
}

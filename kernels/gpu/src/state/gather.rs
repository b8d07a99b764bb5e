//! `ResourceGather`: slices of a variable by index.

use oplink::Variable;
use oplink::prelude::*;
use oplink_ops::state::ResourceGather;

use crate::array::gather::pick;
use crate::host_fallback::kernels;

kernels! {
    #[kernel(ResourceGather, device = GPU, dtype = [numbers, bool], Tindices = [i32, i64])]
    resource_gather_gpu = resource_gather;
}

fn resource_gather(context: &mut KernelContext<'_>) -> Result<()> {
    let params = context.resource::<Variable>(0)?.read()?;
    let (dtype, wanted) = (params.dtype(), context.node().output_dtypes[0]);
    ensure!(dtype == wanted, "the variable holds {dtype}, the op expects {wanted}");
    let batch_dims: i64 = context.attr("batch_dims")?;
    pick(context, &params, batch_dims, batch_dims)
}

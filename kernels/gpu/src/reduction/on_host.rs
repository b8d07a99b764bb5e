//! Reductions of int32, which stay in host memory as shapes do.

use oplink::prelude::*;
use oplink_ops::reduction::{Max, Min, Prod, Sum};

/// Reductions on host memory.
#[derive(Debug)]
pub struct ReductionsOnHost;

#[kernel(Max, device = GPU, T = [i32], Tidx = [i32, i64], host_memory = [input, reduction_indices, output])]
#[kernel(Min, device = GPU, T = [i32], Tidx = [i32, i64], host_memory = [input, reduction_indices, output])]
#[kernel(Prod, device = GPU, T = [i32], Tidx = [i32, i64], host_memory = [input, reduction_indices, output])]
#[kernel(Sum, device = GPU, T = [i32], Tidx = [i32, i64], host_memory = [input, reduction_indices, output])]
impl HostFallback for ReductionsOnHost {}

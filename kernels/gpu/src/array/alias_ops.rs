//! Ops that hand their input on, under the shape it has or another, and ops that only ask for its shape.
//!
//! The elements stay where they are; shapes go to host memory.

use oplink::prelude::*;
use oplink_cpu_array::*;
use oplink_ops::array::*;

use crate::host_fallback::{host, kernels};

kernels! {
    #[kernel(Identity, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    identity_gpu = host::<identity_cpu>;
    #[kernel(StopGradient, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    stop_gradient_gpu = host::<identity_cpu>;
    #[kernel(PreventGradient, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    prevent_gradient_gpu = host::<identity_cpu>;
    #[kernel(PlaceholderWithDefault, device = GPU, dtype = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    placeholder_with_default_gpu = host::<identity_cpu>;
    #[kernel(Reshape, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tshape = any, host_memory = [shape])]
    reshape_gpu = host::<reshape_cpu>;
    #[kernel(ExpandDims, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tdim = any, host_memory = [dim])]
    expand_dims_gpu = host::<expand_dims_cpu>;
    #[kernel(Squeeze, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    squeeze_gpu = host::<squeeze_cpu>;
    #[kernel(EnsureShape, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    ensure_shape_gpu = host::<ensure_shape_cpu>;
    #[kernel(Snapshot, device = GPU, T = [numbers, bool])]
    snapshot_gpu = host::<identity_cpu>;
    #[kernel(IdentityN, device = GPU, )]
    identity_n_gpu = host::<identity_n_cpu>;
    #[kernel(NoOp, device = GPU, )]
    no_op_gpu = host::<no_op_cpu>;
    #[kernel(Placeholder, device = GPU, dtype = any)]
    placeholder_gpu = host::<placeholder_cpu>;
    #[kernel(PlaceholderV2, device = GPU, dtype = any)]
    placeholder_v2_gpu = host::<placeholder_cpu>;
    #[kernel(Shape, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], out_type = any, host_memory = [output])]
    shape_gpu = host::<shape_cpu>;
    #[kernel(Shape, device = GPU, T = [i32], out_type = any, host_memory = [input, output])]
    shape_int32 = host::<shape_cpu>;
    #[kernel(ShapeN, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], out_type = any, host_memory = [output])]
    shape_n_gpu = host::<shape_n_cpu>;
    #[kernel(ShapeN, device = GPU, T = [i32], out_type = any, host_memory = [input, output])]
    shape_n_int32 = host::<shape_n_cpu>;
    #[kernel(Size, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], out_type = any, host_memory = [output])]
    size_gpu = host::<size_cpu>;
    #[kernel(Size, device = GPU, T = [i32], out_type = any, host_memory = [input, output])]
    size_int32 = host::<size_cpu>;
    #[kernel(Rank, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], host_memory = [output])]
    rank_gpu = host::<rank_cpu>;
    #[kernel(Rank, device = GPU, T = [i32], host_memory = [input, output])]
    rank_int32 = host::<rank_cpu>;
}

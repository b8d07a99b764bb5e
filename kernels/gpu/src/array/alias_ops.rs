//! Ops that forward their input, under the shape it has or another, and ops that only ask for its shape.
//!
//! The elements stay where they are; shapes go to host memory.

use oplink::prelude::*;
use oplink_ops::array::*;

/// Ops without work for a device.
#[derive(Debug)]
pub struct AliasOps;

#[kernel(Identity, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
#[kernel(StopGradient, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
#[kernel(PreventGradient, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
#[kernel(PlaceholderWithDefault, device = GPU, dtype = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
#[kernel(Reshape, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tshape = any, host_memory = [shape])]
#[kernel(ExpandDims, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tdim = any, host_memory = [dim])]
#[kernel(Squeeze, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
#[kernel(EnsureShape, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
#[kernel(Snapshot, device = GPU, T = [numbers, bool])]
#[kernel(IdentityN, device = GPU)]
#[kernel(NoOp, device = GPU)]
#[kernel(Placeholder, device = GPU, dtype = any)]
#[kernel(PlaceholderV2, device = GPU, dtype = any)]
#[kernel(Shape, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], out_type = any, host_memory = [output])]
#[kernel(Shape, device = GPU, T = [i32], out_type = any, host_memory = [input, output])]
#[kernel(ShapeN, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], out_type = any, host_memory = [output])]
#[kernel(ShapeN, device = GPU, T = [i32], out_type = any, host_memory = [input, output])]
#[kernel(Size, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], out_type = any, host_memory = [output])]
#[kernel(Size, device = GPU, T = [i32], out_type = any, host_memory = [input, output])]
#[kernel(Rank, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], host_memory = [output])]
#[kernel(Rank, device = GPU, T = [i32], host_memory = [input, output])]
impl HostFallback for AliasOps {}

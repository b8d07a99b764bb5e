//! Ops of which every argument stays in host memory: shape arithmetic in int32, as TensorFlow has it, and what is
//! computed ahead of the device's work.

use oplink::prelude::*;
use oplink_ops::array::*;

/// Array ops on host memory.
#[derive(Debug)]
pub struct ArraysOnHost;

#[kernel(Const, device = GPU, dtype = [i32], host_memory = [output])]
#[kernel(Identity, device = GPU, T = [i32], host_memory = [input, output])]
#[kernel(StopGradient, device = GPU, T = [i32], host_memory = [input, output])]
#[kernel(PreventGradient, device = GPU, T = [i32], host_memory = [input, output])]
#[kernel(PlaceholderWithDefault, device = GPU, dtype = [i32], host_memory = [input, output])]
#[kernel(Reshape, device = GPU, T = [i32], Tshape = any, host_memory = [tensor, shape, output])]
#[kernel(ExpandDims, device = GPU, T = [i32], Tdim = any, host_memory = [input, dim, output])]
#[kernel(Squeeze, device = GPU, T = [i32], host_memory = [input, output])]
#[kernel(Pack, device = GPU, T = [i32], host_memory = [values, output])]
#[kernel(Unpack, device = GPU, T = [i32], host_memory = [value, output])]
#[kernel(Concat, device = GPU, T = [i32], host_memory = [concat_dim, values, output])]
#[kernel(ConcatV2, device = GPU, T = [i32], Tidx = any, host_memory = [values, axis, output])]
#[kernel(Split, device = GPU, T = [i32], host_memory = [split_dim, value, output])]
#[kernel(SplitV, device = GPU, T = [i32], Tlen = any, host_memory = [value, size_splits, split_dim, output])]
#[kernel(Slice, device = GPU, T = [i32], Index = any, host_memory = [input, begin, size, output])]
#[kernel(StridedSlice, device = GPU, T = [i32], Index = any, host_memory = [input, begin, end, strides, output])]
#[kernel(StridedSliceGrad, device = GPU, T = [i32], Index = any, host_memory = [shape, begin, end, strides, dy, output])]
#[kernel(Gather, device = GPU, Tparams = [i32], Tindices = any, host_memory = [params, indices, output])]
#[kernel(GatherV2, device = GPU, Tparams = [i32], Tindices = any, Taxis = any, host_memory = [params, indices, axis, output])]
#[kernel(Fill, device = GPU, T = [i32], index_type = any, host_memory = [dims, value, output])]
#[kernel(ZerosLike, device = GPU, T = [i32], host_memory = [x, y])]
#[kernel(OnesLike, device = GPU, T = [i32], host_memory = [x, y])]
#[kernel(Pad, device = GPU, T = [i32], Tpaddings = any, host_memory = [input, paddings, output])]
#[kernel(PadV2, device = GPU, T = [i32], Tpaddings = any, host_memory = [input, paddings, constant_values, output])]
#[kernel(BroadcastTo, device = GPU, T = [i32], Tidx = any, host_memory = [input, shape, output])]
#[kernel(Reverse, device = GPU, T = [i32], host_memory = [tensor, dims, output])]
#[kernel(ReverseV2, device = GPU, T = [i32], Tidx = any, host_memory = [tensor, axis, output])]
#[kernel(InvertPermutation, device = GPU, T = [i32], host_memory = [x, y])]
#[kernel(Range, device = GPU, Tidx = [f32, f64, i32, i64], host_memory = [start, limit, delta, output])]
#[kernel(ConcatOffset, device = GPU, shape_type = [i32, i64], host_memory = [concat_dim, shape, offset])]
#[kernel(BroadcastArgs, device = GPU, T = [i32, i64], host_memory = [s0, s1, r0])]
#[kernel(BroadcastGradientArgs, device = GPU, T = [i32, i64], host_memory = [s0, s1, r0, r1])]
#[kernel(LinSpace, device = GPU, T = [f32, f64], Tidx = any, host_memory = [start, stop, num, output])]
#[kernel(ScatterNd, device = GPU, T = [i32], Tindices = [i32, i64], host_memory = [indices, updates, shape, output])]
#[kernel(ScatterNdNonAliasingAdd, device = GPU, T = [i32], Tindices = any, host_memory = [input, indices, updates, output])]
#[kernel(TensorScatterAdd, device = GPU, T = [i32], Tindices = any, host_memory = [tensor, indices, updates, output])]
#[kernel(TensorScatterSub, device = GPU, T = [i32], Tindices = any, host_memory = [tensor, indices, updates, output])]
#[kernel(TensorScatterMax, device = GPU, T = [i32], Tindices = any, host_memory = [tensor, indices, updates, output])]
#[kernel(TensorScatterMin, device = GPU, T = [i32], Tindices = any, host_memory = [tensor, indices, updates, output])]
#[kernel(TensorScatterUpdate, device = GPU, T = [i32], Tindices = [i32, i64], host_memory = [tensor, indices, updates, output])]
impl HostFallback for ArraysOnHost {}

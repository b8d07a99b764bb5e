//! Ops of which every argument stays in host memory: shape arithmetic in int32, as TensorFlow has it, and what is computed
//! ahead of the device's work.

use oplink::prelude::*;
use oplink_cpu_array::*;
use oplink_ops::array::*;

use crate::host_fallback::{host, kernels};

kernels! {
    #[kernel(Identity, device = GPU, T = [i32], host_memory = [input, output])]
    identity_int32 = host::<identity_cpu>;
    #[kernel(StopGradient, device = GPU, T = [i32], host_memory = [input, output])]
    stop_gradient_int32 = host::<identity_cpu>;
    #[kernel(PreventGradient, device = GPU, T = [i32], host_memory = [input, output])]
    prevent_gradient_int32 = host::<identity_cpu>;
    #[kernel(PlaceholderWithDefault, device = GPU, dtype = [i32], host_memory = [input, output])]
    placeholder_with_default_int32 = host::<identity_cpu>;
    #[kernel(Reshape, device = GPU, T = [i32], Tshape = any, host_memory = [tensor, shape, output])]
    reshape_int32 = host::<reshape_cpu>;
    #[kernel(ExpandDims, device = GPU, T = [i32], Tdim = any, host_memory = [input, dim, output])]
    expand_dims_int32 = host::<expand_dims_cpu>;
    #[kernel(Squeeze, device = GPU, T = [i32], host_memory = [input, output])]
    squeeze_int32 = host::<squeeze_cpu>;
    #[kernel(Pack, device = GPU, T = [i32], host_memory = [values, output])]
    pack_int32 = host::<pack_cpu>;
    #[kernel(Unpack, device = GPU, T = [i32], host_memory = [value, output])]
    unpack_int32 = host::<unpack_cpu>;
    #[kernel(Concat, device = GPU, T = [i32], host_memory = [concat_dim, values, output])]
    concat_int32 = host::<concat_cpu>;
    #[kernel(ConcatV2, device = GPU, T = [i32], Tidx = any, host_memory = [values, axis, output])]
    concat_v2_int32 = host::<concat_v2_cpu>;
    #[kernel(Split, device = GPU, T = [i32], host_memory = [split_dim, value, output])]
    split_int32 = host::<split_cpu>;
    #[kernel(SplitV, device = GPU, T = [i32], Tlen = any, host_memory = [value, size_splits, split_dim, output])]
    split_v_int32 = host::<split_v_cpu>;
    #[kernel(Slice, device = GPU, T = [i32], Index = any, host_memory = [input, begin, size, output])]
    slice_int32 = host::<slice_cpu>;
    #[kernel(StridedSlice, device = GPU, T = [i32], Index = any, host_memory = [input, begin, end, strides, output])]
    strided_slice_int32 = host::<strided_slice_cpu>;
    #[kernel(StridedSliceGrad, device = GPU, T = [i32], Index = any, host_memory = [shape, begin, end, strides, dy, output])]
    strided_slice_grad_int32 = host::<strided_slice_grad_cpu>;
    #[kernel(Gather, device = GPU, Tparams = [i32], Tindices = any, host_memory = [params, indices, output])]
    gather_int32 = host::<gather_cpu>;
    #[kernel(GatherV2, device = GPU, Tparams = [i32], Tindices = any, Taxis = any,
        host_memory = [params, indices, axis, output])]
    gather_v2_int32 = host::<gather_cpu>;
    #[kernel(Fill, device = GPU, T = [i32], index_type = any, host_memory = [dims, value, output])]
    fill_int32 = host::<fill_cpu>;
    #[kernel(ZerosLike, device = GPU, T = [i32], host_memory = [x, y])]
    zeros_like_int32 = host::<zeros_like_cpu>;
    #[kernel(OnesLike, device = GPU, T = [i32], host_memory = [x, y])]
    ones_like_int32 = host::<ones_like_cpu>;
    #[kernel(Pad, device = GPU, T = [i32], Tpaddings = any, host_memory = [input, paddings, output])]
    pad_int32 = host::<pad_cpu>;
    #[kernel(PadV2, device = GPU, T = [i32], Tpaddings = any, host_memory = [input, paddings, constant_values, output])]
    pad_v2_int32 = host::<pad_cpu>;
    #[kernel(BroadcastTo, device = GPU, T = [i32], Tidx = any, host_memory = [input, shape, output])]
    broadcast_to_int32 = host::<broadcast_to_cpu>;
    #[kernel(Reverse, device = GPU, T = [i32], host_memory = [tensor, dims, output])]
    reverse_int32 = host::<reverse_cpu>;
    #[kernel(ReverseV2, device = GPU, T = [i32], Tidx = any, host_memory = [tensor, axis, output])]
    reverse_v2_int32 = host::<reverse_v2_cpu>;
    #[kernel(InvertPermutation, device = GPU, T = [i32], host_memory = [x, y])]
    invert_permutation_int32 = host::<invert_permutation_cpu>;
    #[kernel(Range, device = GPU, Tidx = [f32, f64, i32, i64], host_memory = [start, limit, delta, output])]
    range_gpu = host::<range_cpu>;
    #[kernel(ConcatOffset, device = GPU, shape_type = [i32, i64], host_memory = [concat_dim, shape, offset])]
    concat_offset_gpu = host::<concat_offset_cpu>;
    #[kernel(BroadcastArgs, device = GPU, T = [i32, i64], host_memory = [s0, s1, r0])]
    broadcast_args_gpu = host::<broadcast_args_cpu>;
    #[kernel(BroadcastGradientArgs, device = GPU, T = [i32, i64], host_memory = [s0, s1, r0, r1])]
    broadcast_gradient_args_gpu = host::<broadcast_gradient_args_cpu>;
    #[kernel(LinSpace, device = GPU, T = [f32, f64], Tidx = any, host_memory = [start, stop, num, output])]
    lin_space_gpu = host::<lin_space_cpu>;
}

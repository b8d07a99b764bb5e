//! Ops that move elements within the device's memory, in every plain dtype; those that TensorFlow keeps in host memory for
//! int32 are in [`on_host`](super::on_host).

use oplink::prelude::*;
use oplink_kernels_cpu::array::*;

use crate::movement::Device;
use crate::serve::kernels;

kernels! {
    #[kernel(Transpose, device = GPU, T = [numbers, bool], Tperm = any, host_memory = [perm])]
    transpose_gpu = transpose_by::<Device>;
    #[kernel(Concat, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], host_memory = [concat_dim])]
    concat_gpu = concat_by::<Device>;
    #[kernel(ConcatV2, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tidx = any, host_memory = [axis])]
    concat_v2_gpu = concat_v2_by::<Device>;
    #[kernel(Pack, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    pack_gpu = pack_by::<Device>;
    #[kernel(Unpack, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    unpack_gpu = unpack_by::<Device>;
    #[kernel(Split, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], host_memory = [split_dim])]
    split_gpu = split_by::<Device>;
    #[kernel(SplitV, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tlen = any, host_memory = [size_splits, split_dim])]
    split_v_gpu = split_v_by::<Device>;
    #[kernel(Slice, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Index = any, host_memory = [begin, size])]
    slice_gpu = slice_by::<Device>;
    #[kernel(StridedSlice, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Index = any, host_memory = [begin, end, strides])]
    strided_slice_gpu = strided_slice_by::<Device>;
    #[kernel(StridedSliceGrad, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Index = any, host_memory = [shape, begin, end, strides])]
    strided_slice_grad_gpu = strided_slice_grad_by::<Device>;
    #[kernel(Tile, device = GPU, T = [numbers, bool], Tmultiples = any, host_memory = [multiples])]
    tile_gpu = tile_by::<Device>;
    #[kernel(BroadcastTo, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tidx = any, host_memory = [shape])]
    broadcast_to_gpu = broadcast_to_by::<Device>;
    #[kernel(Reverse, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], host_memory = [dims])]
    reverse_gpu = reverse_by::<Device>;
    #[kernel(ReverseV2, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tidx = any, host_memory = [axis])]
    reverse_v2_gpu = reverse_v2_by::<Device>;
    #[kernel(Roll, device = GPU, T = [numbers, bool], Tshift = any, Taxis = any, host_memory = [shift, axis])]
    roll_gpu = roll_by::<Device>;
    #[kernel(MirrorPad, device = GPU, T = [numbers, bool], Tpaddings = any, host_memory = [paddings])]
    mirror_pad_gpu = mirror_pad_by::<Device>;
    #[kernel(DepthToSpace, device = GPU, T = [numbers, bool])]
    depth_to_space_gpu = depth_to_space_by::<Device>;
    #[kernel(SpaceToDepth, device = GPU, T = [numbers, bool])]
    space_to_depth_gpu = space_to_depth_by::<Device>;
    #[kernel(Fill, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], index_type = any, host_memory = [dims])]
    fill_gpu = fill_by::<Device>;
    #[kernel(ZerosLike, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    zeros_like_gpu = zeros_like_by::<Device>;
    #[kernel(OnesLike, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
    ones_like_gpu = ones_like_by::<Device>;
    #[kernel(Pad, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tpaddings = any, host_memory = [paddings])]
    pad_gpu = super::pad::pad;
    #[kernel(PadV2, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tpaddings = any, host_memory = [paddings, constant_values])]
    pad_v2_gpu = super::pad::pad;
    #[kernel(DeepCopy, device = GPU, T = [numbers, bool])]
    deep_copy_gpu = deep_copied;
}

fn deep_copied(context: &mut KernelContext<'_>) -> Result<()> {
    let copy = context.device()?.copy_in_device(context.input(0))?;
    context.set_output(0, copy);
    Ok(())
}

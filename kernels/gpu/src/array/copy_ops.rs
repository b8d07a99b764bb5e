//! Ops that move elements within the device's memory, in every plain dtype; those that TensorFlow keeps in host memory
//! for int32 are in [`on_host`](super::on_host).

use oplink::prelude::*;
use oplink_ops::array::*;

use crate::movement::Device;

/// `Transpose` in the device's memory.
#[kernel(Transpose, device = GPU, T = [numbers, bool], Tperm = any, host_memory = [perm])]
pub fn transpose_gpu(x: &Tensor, perm: &Tensor, mut y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::transpose::<Device>(x, perm, &mut y, env)
}

/// `Concat` in the device's memory.
#[kernel(Concat, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], host_memory = [concat_dim])]
pub fn concat_gpu(concat_dim: &Tensor, values: &[Tensor], output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::concat::<Device>(concat_dim, values, output, env)
}

/// `ConcatV2` in the device's memory.
#[kernel(ConcatV2, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tidx = any, host_memory = [axis])]
pub fn concat_v2_gpu(values: &[Tensor], axis: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::concat::<Device>(axis, values, output, env)
}

/// `Pack` in the device's memory.
#[kernel(Pack, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
pub fn pack_gpu(values: &[Tensor], axis: i64, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::pack::<Device>(values, axis, output, env)
}

/// `Unpack` in the device's memory.
#[kernel(Unpack, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
pub fn unpack_gpu(value: &Tensor, axis: i64, output: OutputList<'_>, env: Env<'_>) -> Result<()> {
    copies::unpack::<Device>(value, axis, output, env)
}

/// `Split` in the device's memory.
#[kernel(Split, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], host_memory = [split_dim])]
pub fn split_gpu(split_dim: &Tensor, value: &Tensor, output: OutputList<'_>, env: Env<'_>) -> Result<()> {
    copies::split::<Device>(split_dim, value, output, env)
}

/// `SplitV` in the device's memory.
#[kernel(SplitV, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tlen = any, host_memory = [size_splits, split_dim])]
pub fn split_v_gpu(
    value: &Tensor,
    size_splits: &Tensor,
    split_dim: &Tensor,
    output: OutputList<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::split_v::<Device>(value, size_splits, split_dim, output, env)
}

/// `Slice` in the device's memory.
#[kernel(Slice, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Index = any, host_memory = [begin, size])]
pub fn slice_gpu(input: &Tensor, begin: &Tensor, size: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::slice::<Device>(input, begin, size, output, env)
}

/// `StridedSlice` in the device's memory.
#[kernel(StridedSlice, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Index = any, host_memory = [begin, end, strides])]
pub fn strided_slice_gpu(
    input: &Tensor,
    begin: &Tensor,
    end: &Tensor,
    strides: &Tensor,
    attrs: StridedSliceAttrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::strided_slice::<Device>(input, [begin, end, strides], attrs, output, env)
}

/// `StridedSliceGrad` in the device's memory.
#[kernel(StridedSliceGrad, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Index = any, host_memory = [shape, begin, end, strides])]
pub fn strided_slice_grad_gpu(
    inputs: StridedSliceGradInputs<'_>,
    attrs: StridedSliceGradAttrs<'_>,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::strided_slice_grad::<Device>(&inputs, attrs, output, env)
}

/// `Tile` in the device's memory.
#[kernel(Tile, device = GPU, T = [numbers, bool], Tmultiples = any, host_memory = [multiples])]
pub fn tile_gpu(input: Input<'_>, multiples: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::tile::<Device>(input, multiples, output, env)
}

/// `BroadcastTo` in the device's memory.
#[kernel(BroadcastTo, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tidx = any, host_memory = [shape])]
pub fn broadcast_to_gpu(input: Input<'_>, shape: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::broadcast_to::<Device>(input, shape, output, env)
}

/// `Reverse` in the device's memory.
#[kernel(Reverse, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], host_memory = [dims])]
pub fn reverse_gpu(tensor: &Tensor, dims: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::reverse::<Device>(tensor, dims, output, env)
}

/// `ReverseV2` in the device's memory.
#[kernel(ReverseV2, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tidx = any, host_memory = [axis])]
pub fn reverse_v2_gpu(tensor: &Tensor, axis: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::reverse_v2::<Device>(tensor, axis, output, env)
}

/// `Roll` in the device's memory.
#[kernel(Roll, device = GPU, T = [numbers, bool], Tshift = any, Taxis = any, host_memory = [shift, axis])]
pub fn roll_gpu(input: &Tensor, shift: &Tensor, axis: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::roll::<Device>(input, shift, axis, output, env)
}

/// `MirrorPad` in the device's memory.
#[kernel(MirrorPad, device = GPU, T = [numbers, bool], Tpaddings = any, host_memory = [paddings])]
pub fn mirror_pad_gpu(
    input: &Tensor,
    paddings: &Tensor,
    mode: MirrorMode,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::mirror_pad::<Device>(input, paddings, mode, output, env)
}

/// `DepthToSpace` in the device's memory.
#[kernel(DepthToSpace, device = GPU, T = [numbers, bool])]
pub fn depth_to_space_gpu(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::depth_to_space::<Device>(input, block_size, data_format, output, env)
}

/// `SpaceToDepth` in the device's memory.
#[kernel(SpaceToDepth, device = GPU, T = [numbers, bool])]
pub fn space_to_depth_gpu(
    input: &Tensor,
    block_size: i64,
    data_format: DepthFormat,
    output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    copies::space_to_depth::<Device>(input, block_size, data_format, output, env)
}

/// `Fill` in the device's memory.
#[kernel(Fill, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], index_type = any, host_memory = [dims])]
pub fn fill_gpu(dims: &Tensor, value: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::fill::<Device>(dims, value, output, env)
}

/// `ZerosLike` in the device's memory.
#[kernel(ZerosLike, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
pub fn zeros_like_gpu(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::zeros_like::<Device>(x, y, env)
}

/// `OnesLike` in the device's memory.
#[kernel(OnesLike, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64])]
pub fn ones_like_gpu(x: Input<'_>, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    copies::ones_like::<Device>(x, y, env)
}

/// `DeepCopy` in the device's memory.
#[kernel(DeepCopy, device = GPU, T = [numbers, bool])]
pub fn deep_copy_gpu(x: &Tensor, mut y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    y.set(env.device()?.copy_in_device(x)?);
    Ok(())
}

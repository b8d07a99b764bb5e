//! `Pad` and `PadV2`: the constant everywhere, then the input in its place.

use oplink::prelude::*;
use oplink_ops::array::copies::padded_shape;
use oplink_ops::array::{Pad, PadV2};
use oplink_ops::movement::{Axis, AxisList, CopyBackend, row_major_strides};

use crate::movement::Device;

/// `Pad` and `PadV2` in the device's memory; the border is zero where there is no constant.
#[kernel(Pad, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tpaddings = any, host_memory = [paddings])]
#[kernel(PadV2, device = GPU, T = [floats, complex, bool, i8, i16, i64, u8, u16, u32, u64], Tpaddings = any, host_memory = [paddings, constant_values])]
pub fn pad_gpu(
    input: Input<'_>,
    paddings: &Tensor,
    constant_values: Option<&Tensor>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    if let Some(value) = constant_values {
        ensure!(value.rank() == 0, "constant_values must be a scalar, it has shape {}", value.shape());
    }
    let (before, shape) = padded_shape(input.shape(), paddings)?;
    if shape == *input.shape() {
        output.set(input.take());
        return Ok(());
    }
    let strides = row_major_strides(&shape);
    let out = output.allocate(shape)?;
    Device::fill(env, out, constant_values)?;
    let base = before.iter().zip(&strides).map(|(&before, stride)| before as isize * stride).sum();
    let axes = input.shape().iter().zip(&strides).map(|(&count, &stride)| Axis::Strided { count, stride });
    Device::put_axes(env, out, base, &axes.collect::<AxisList<'_>>(), &input)
}

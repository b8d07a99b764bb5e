//! `Pad` and `PadV2`: the constant everywhere, then the input in its place.

use oplink::prelude::*;
use oplink_cpu_array::pad::padded_shape;
use oplink_cpu_support::movement::{Axis, AxisList, CopyBackend, row_major_strides};

use crate::movement::Device;

/// Pads input 0 by input 1 with input 2, or zero where there is none; the latter two are in host memory.
pub(super) fn pad(context: &mut KernelContext<'_>) -> Result<()> {
    let value = context.inputs().get(2);
    if let Some(value) = value {
        ensure!(value.rank() == 0, "constant_values must be a scalar, it has shape {}", value.shape());
    }
    let (before, shape) = padded_shape(context.input(0).shape(), context.input(1))?;
    let out = if shape == *context.input(0).shape() {
        context.take_input(0)
    } else {
        let (input, strides) = (context.input(0), row_major_strides(&shape));
        let mut out = context.allocate_output(0, shape)?;
        Device::fill(context.as_env(), &mut out, value)?;
        let base = before.iter().zip(&strides).map(|(&before, stride)| before as isize * stride).sum();
        let axes = input.shape().iter().zip(&strides).map(|(&count, &stride)| Axis::Strided { count, stride });
        Device::put_axes(context.as_env(), &mut out, base, &axes.collect::<AxisList<'_>>(), input)?;
        out
    };
    context.set_output(0, out);
    Ok(())
}

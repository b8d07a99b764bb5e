//! `BiasAdd` along the axis of channels.

use oplink::device::Region;
use oplink::prelude::*;

use super::{Real, launch};

/// Adds the vector `bias` along the channel axis of `value`.
#[op("BiasAdd",
     input = "value: T",
     input = "bias: T",
     output = "output: T",
     attr = "T: numbertype",
     attr = "data_format: {'NHWC', 'NCHW'} = 'NHWC'",
     shape = shape_fns::bias_add)]
pub struct BiasAdd;

/// `BiasAdd` on the device.
#[kernel(BiasAdd, device = SIM, T = [f32, f64])]
pub fn bias_add<T: Real>(
    context: &KernelContext<'_>,
    value: &Tensor,
    bias: &Tensor,
    data_format: &str,
    output: &mut Tensor,
) -> Result<()> {
    let (shape, channels) = (value.shape(), bias.num_elements());
    ensure!(shape.rank() >= 2, "value must be of rank 2 at least, its shape is {shape}");
    ensure!(bias.rank() == 1, "bias must be a vector, its shape is {}", bias.shape());
    let axis = if data_format == "NCHW" { 1 } else { shape.rank() - 1 };
    ensure!(channels == shape[axis], "bias has {channels} elements, axis {axis} of value {shape} must have as many");
    let inner: usize = shape.dims()[axis + 1..].iter().product();
    if value.num_elements() == 0 {
        return Ok(());
    }
    let (value, bias, output) = (Region::of_tensor(value)?, Region::of_tensor(bias)?, Region::of_tensor(output)?);
    launch(context, move |memory| {
        let (values, bias) = (memory.read::<T>(value)?, memory.read::<T>(bias)?);
        let channel = |at: usize| bias[at / inner % channels];
        let sums: Vec<T> = values.iter().enumerate().map(|(at, &value)| value + channel(at)).collect();
        memory.write(output, &sums)
    })
}

//! `Const`: a tensor of the graph, copied to the device.

use oplink::device::Region;
use oplink::prelude::*;

use super::launch;

/// Gives the tensor in the attr `value`.
#[op("Const", output = "output: dtype", attr = "value: tensor", attr = "dtype: type", shape = shape_fns::constant)]
pub struct Const;

/// `Const` on the device: its memory is asked for as any other that a kernel needs, and becomes the output.
#[kernel(Const, device = SIM, dtype = [f32, f64, i64])]
pub fn constant(context: &mut KernelContext<'_>) -> Result<()> {
    let value = context.attr::<&Tensor>("value")?;
    let dtype = context.node().output_dtypes[0];
    ensure!(value.dtype() == dtype, "the attr value holds {}, the attr dtype says {dtype}", value.dtype());
    let output = context.device()?.allocate(dtype, value.shape().clone())?;
    if value.num_elements() > 0 {
        let (bytes, region) = (value.as_bytes()?.to_vec(), Region::of_tensor(&output)?);
        launch(context, move |memory| memory.set_bytes(region, &bytes))?;
    }
    context.set_output(0, output);
    Ok(())
}

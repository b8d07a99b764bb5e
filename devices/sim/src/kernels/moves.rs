//! Ops that give their input on: `Identity`, which passes it, and `Reshape`, which copies it within the device.

use oplink::device::{Device, KernelStream, Region};
use oplink::prelude::*;
use oplink::shape_inference::int_values;

use crate::device::SimPlatform;

/// Passes its input through.
#[op("Identity", input = "input: T", output = "output: T", attr = "T: type", shape = shape_fns::unchanged)]
pub struct Identity;

/// `Identity` on the device.
#[kernel(Identity, device = SIM, T = [f32, f64, i32, i64])]
pub fn identity(context: &mut KernelContext<'_>) -> Result<()> {
    let input = context.input(0).clone();
    context.set_output(0, input);
    Ok(())
}

/// Gives `tensor` the shape in `shape`.
#[op("Reshape",
     input = "tensor: T",
     input = "shape: Tshape",
     output = "output: T",
     attr = "T: type",
     attr = "Tshape: {int32, int64} = DT_INT32",
     shape = shape_fns::reshape)]
pub struct Reshape;

/// `Reshape` on the device; the shape is read on the host.
#[kernel(Reshape, device = SIM, T = [f32, f64, i32, i64], Tshape = [i32, i64], host_memory = [shape])]
pub fn reshape(context: &mut KernelContext<'_>) -> Result<()> {
    let (tensor, sizes) = (context.input(0), context.input(1));
    ensure!(sizes.rank() <= 1, "shape must be a vector, it has shape {}", sizes.shape());
    let output = context.allocate_output(0, resolve(&int_values(sizes)?, tensor.shape())?)?;
    if tensor.num_elements() > 0 {
        let stream = KernelStream::<SimPlatform>::of(context)?;
        stream.device().copy_in_device(stream.stream(), Region::of_tensor(&output)?, Region::of_tensor(tensor)?)?;
    }
    context.set_output(0, output);
    Ok(())
}

/// The shape that `sizes`, of which one may be -1, mean for a tensor of shape `dims`. Where another is 0, the one that
/// is -1 is what the extents of `dims` other than 0 leave.
fn resolve(sizes: &[i64], dims: &Shape) -> Result<Shape> {
    ensure!(sizes.iter().filter(|&&size| size == -1).count() <= 1, "only one extent of shape {sizes:?} may be -1");
    let count = dims.num_elements();
    let without_zeros = |extents: &mut dyn Iterator<Item = i64>| {
        extents.filter(|&extent| extent != 0 && extent != -1).try_fold(1i64, i64::checked_mul)
    };
    let has_zero = sizes.contains(&0);
    let whole =
        if has_zero { without_zeros(&mut dims.dims().iter().map(|&dim| dim as i64)) } else { Some(count as i64) };
    let missing =
        whole.zip(without_zeros(&mut sizes.iter().copied())).and_then(|(whole, known)| whole.checked_div(known));
    let missing = missing.unwrap_or(0);
    let extents: Vec<i64> = sizes.iter().map(|&size| if size == -1 { missing } else { size }).collect();
    let shape = Shape::from_i64(&extents)?;
    ensure!(
        shape.checked_num_elements() == Some(count),
        "a tensor of shape {dims} ({count} elements) cannot be reshaped to {sizes:?}"
    );
    Ok(shape)
}

//! Elementwise ops of one input.

use oplink::device::Region;
use oplink::prelude::*;

use super::{Real, launch};

/// `-x`.
#[op("Neg",
     input = "x: T",
     output = "y: T",
     attr = "T: {bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128}",
     shape = shape_fns::unchanged)]
pub struct Neg;

/// `Neg` on the device.
#[kernel(Neg, device = SIM, T = [f32, f64])]
pub fn neg<T: Real>(context: &KernelContext<'_>, x: &Tensor, y: &mut Tensor) -> Result<()> {
    map::<T>(context, x, y, |x| -x)
}

/// `x` where it is positive, otherwise 0.
#[op("Relu",
     input = "features: T",
     output = "activations: T",
     attr = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8}",
     shape = shape_fns::unchanged)]
pub struct Relu;

/// `Relu` on the device.
#[kernel(Relu, device = SIM, T = [f32, f64])]
pub fn relu<T: Real>(context: &KernelContext<'_>, features: &Tensor, activations: &mut Tensor) -> Result<()> {
    map::<T>(context, features, activations, |x| if x < T::default() { T::default() } else { x })
}

/// The hyperbolic tangent.
#[op("Tanh",
     input = "x: T",
     output = "y: T",
     attr = "T: {bfloat16, half, float, double, complex64, complex128}",
     shape = shape_fns::unchanged)]
pub struct Tanh;

/// `Tanh` on the device; it takes the memory of `x` where nobody else needs it.
#[kernel(Tanh, device = SIM, T = [f32, f64])]
pub fn tanh<T: Real>(context: &mut KernelContext<'_>) -> Result<()> {
    let (x, shape) = (Region::of_tensor(context.input(0))?, context.input(0).shape().clone());
    let (_, output) = context.forward_or_allocate(&[0], 0, &shape)?;
    map_regions::<T>(context, x, Region::of_tensor(&output)?, Real::tanh)?;
    context.set_output(0, output);
    Ok(())
}

fn map<T: Real>(context: &KernelContext<'_>, x: &Tensor, y: &Tensor, function: fn(T) -> T) -> Result<()> {
    map_regions(context, Region::of_tensor(x)?, Region::of_tensor(y)?, function)
}

/// Computes the elements of `y`, which may be `x`.
fn map_regions<T: Real>(context: &KernelContext<'_>, x: Region, y: Region, function: fn(T) -> T) -> Result<()> {
    if x.bytes == 0 {
        return Ok(());
    }
    launch(context, move |memory| {
        let values: Vec<T> = memory.read::<T>(x)?.into_iter().map(function).collect();
        memory.write(y, &values)
    })
}

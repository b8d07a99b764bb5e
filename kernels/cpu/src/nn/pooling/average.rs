//! Means of windows and their gradients, over images and volumes.

use oplink::prelude::*;

use super::pool::PoolWindow;
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::{Arithmetic, FloatLane, Lanes};
use crate::support::window::shape_of;

/// Sets output 0 to the mean of each window of input 0.
pub(super) fn average<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>, window: &PoolWindow) -> Result<()> {
    let value = context.input(0);
    let geometry = window.geometry(value.shape())?;
    let mut output = context.allocate_output(0, geometry.output_shape())?;
    let image = lanes_of(value.as_slice::<T>()?);
    let mean = |sum: T::Lane, count: usize| sum / T::Lane::from_f64(count.max(1) as f64);
    fill_lanes(output.as_mut_slice::<T>()?, |out| {
        geometry.fold(context.env(), (&image, out), T::Lane::from_f64(0.0), |a, b| a + b, mean);
    });
    context.set_output(0, output);
    Ok(())
}

/// Sets output 0, of the shape that input 0 holds, to what the gradient input 1 of each window gives to the values that
/// the window covers.
pub(super) fn spread<T: Lanes<Lane: FloatLane>>(context: &mut KernelContext<'_>, window: &PoolWindow) -> Result<()> {
    let (shape, gradient) = (shape_of(context.input(0), "orig_input_shape")?, context.input(1));
    ensure!(
        shape.rank() == gradient.rank(),
        "orig_input_shape {shape} must have as many elements as grad {} has dimensions",
        gradient.shape()
    );
    let geometry = window.geometry(&shape)?;
    geometry.check_output(gradient, "grad")?;
    let mut output = context.allocate_output(0, shape)?;
    let gradient = lanes_of(gradient.as_slice::<T>()?);
    fill_lanes(output.as_mut_slice::<T>()?, |out| {
        geometry.each_picture(context.env(), out, &|index, out| {
            out.fill(T::Lane::ZERO);
            let gradient = &gradient[index * geometry.output_picture()..][..geometry.output_picture()];
            for (pixel, gradient) in gradient.chunks_exact(geometry.channels).enumerate() {
                let mut count = 0;
                geometry.runs(pixel, |_, pixels| count += pixels);
                let part = T::Lane::ONE / T::Lane::from_f64(count as f64);
                geometry.taps(pixel, |at| {
                    out[at..].iter_mut().zip(gradient).for_each(|(to, &gradient)| *to = *to + gradient * part);
                });
            }
        });
    });
    context.set_output(0, output);
    Ok(())
}

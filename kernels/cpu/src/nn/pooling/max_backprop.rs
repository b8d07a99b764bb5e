//! Gradients of maximum poolings, over images and volumes.

use oplink::prelude::*;

use super::pool::{PoolGeometry, PoolWindow};
use crate::numeric::lanes::{fill_lanes, lanes_of};
use crate::support::elementwise::{Arithmetic, Lanes};

/// A lane that can be pooled.
pub(super) trait PoolLane: Arithmetic + PartialOrd {}

impl<L: Arithmetic + PartialOrd> PoolLane for L {}

/// Sets output 0 to the gradient input 2 of each window at the first of the largest values of input 0 in it, where NaN
/// stays if it comes first and is passed over otherwise. Input 1 is the pooling's output.
pub(super) fn to_first_largest<T: Lanes<Lane: PoolLane>>(
    context: &mut KernelContext<'_>,
    window: &PoolWindow,
) -> Result<()> {
    scatter::<T>(context, window, |geometry, [image, _, gradient], out| {
        let mut largest = Largest::new(geometry.channels);
        for (pixel, gradient) in gradient.chunks_exact(geometry.channels).enumerate() {
            largest.find(geometry, image, pixel);
            for ((channel, &at), &gradient) in largest.positions.iter().enumerate().zip(gradient) {
                out[at + channel] = out[at + channel].add(gradient);
            }
        }
    })
}

/// How far values may lie apart that [`to_equal`] takes for equal.
const TOLERANCE: f32 = 1e-5;

/// Sets output 0 to the gradient input 2 of each window at every value of input 0 in it that equals the pooling's output,
/// input 1, but for [`TOLERANCE`].
pub(super) fn to_equal<T: Lanes<Lane = f32>>(context: &mut KernelContext<'_>, window: &PoolWindow) -> Result<()> {
    scatter::<T>(context, window, |geometry, [image, pooled, gradient], out| {
        let windows = pooled.chunks_exact(geometry.channels).zip(gradient.chunks_exact(geometry.channels));
        for (pixel, (pooled, gradient)) in windows.enumerate() {
            geometry.taps(pixel, |at| {
                for (((to, &value), &pooled), &gradient) in
                    out[at..].iter_mut().zip(&image[at..]).zip(pooled).zip(gradient)
                {
                    *to += if (value - pooled).abs() < TOLERANCE { gradient } else { 0.0 };
                }
            });
        }
    })
}

/// Checks inputs 0 to 2, and sets output 0 to what `body` adds to a picture of zeros for each picture of them.
fn scatter<T: Lanes<Lane: PoolLane>>(
    context: &mut KernelContext<'_>,
    window: &PoolWindow,
    body: impl Fn(&PoolGeometry, [&[T::Lane]; 3], &mut [T::Lane]) + Sync,
) -> Result<()> {
    let (input, pooled, gradient) = (context.input(0), context.input(1), context.input(2));
    let geometry = window.geometry(input.shape())?;
    geometry.check_output(pooled, "orig_output")?;
    geometry.check_output(gradient, "grad")?;
    let mut output = context.allocate_output(0, input.shape().clone())?;
    let image = lanes_of(input.as_slice::<T>()?);
    let (pooled, gradient) = (lanes_of(pooled.as_slice::<T>()?), lanes_of(gradient.as_slice::<T>()?));
    let (picture, pooled_picture) = (geometry.picture(), geometry.output_picture());
    fill_lanes(output.as_mut_slice::<T>()?, |out| {
        geometry.each_picture(context.env(), out, &|index, out| {
            out.fill(T::Lane::ZERO);
            let (pooled, gradient) = (&pooled[index * pooled_picture..], &gradient[index * pooled_picture..]);
            let (pooled, gradient) = (&pooled[..pooled_picture], &gradient[..pooled_picture]);
            body(&geometry, [&image[index * picture..][..picture], pooled, gradient], out);
        });
    });
    context.set_output(0, output);
    Ok(())
}

/// Sets output 0 to the gradient input 2, of the pooling's input's shape, at the first value in each window that equals
/// the pooling's output, input 1; zero where there is none.
pub(super) fn from_first_equal<T: Lanes<Lane: PoolLane>>(
    context: &mut KernelContext<'_>,
    window: &PoolWindow,
) -> Result<()> {
    let (input, pooled, gradient) = (context.input(0), context.input(1), context.input(2));
    let geometry = window.geometry(input.shape())?;
    geometry.check_output(pooled, "orig_output")?;
    ensure!(
        gradient.shape() == input.shape(),
        "grad must have the shape {}, its shape is {}",
        input.shape(),
        gradient.shape()
    );
    let mut output = context.allocate_output(0, geometry.output_shape())?;
    let (picture, pixels) = (geometry.picture(), geometry.output_picture() / geometry.channels.max(1));
    let (image, pooled) = (input.as_slice::<T>()?, pooled.as_slice::<T>()?);
    let gradient = gradient.as_slice::<T>()?;
    let out = output.as_mut_slice::<T>()?;
    out.fill(T::from_lane(T::Lane::ZERO));
    let windows = out.chunks_exact_mut(geometry.channels.max(1)).zip(pooled.chunks_exact(geometry.channels.max(1)));
    let mut found = vec![false; geometry.channels];
    for (index, (out, pooled)) in windows.enumerate() {
        let start = index / pixels * picture;
        found.fill(false);
        geometry.taps(index % pixels, |at| {
            for channel in 0..out.len() {
                let at = start + at + channel;
                if !found[channel] && image[at].to_lane() == pooled[channel].to_lane() {
                    found[channel] = true;
                    out[channel] = gradient[at];
                }
            }
        });
    }
    context.set_output(0, output);
    Ok(())
}

/// The largest values of a window, channel by channel, and where in a picture their pixels begin.
pub(super) struct Largest<L> {
    pub(super) values: Vec<L>,
    pub(super) positions: Vec<usize>,
}

impl<L: PoolLane> Largest<L> {
    /// Room for so many channels.
    pub(super) fn new(channels: usize) -> Self {
        Self { values: vec![L::ZERO; channels], positions: vec![0; channels] }
    }

    /// Finds the first of the largest values in the window of an output pixel; NaN stays if it comes first and is passed
    /// over otherwise.
    pub(super) fn find(&mut self, geometry: &PoolGeometry, image: &[L], pixel: usize) {
        let mut is_first = true;
        geometry.taps(pixel, |at| {
            let values = &image[at..at + self.values.len()];
            if std::mem::take(&mut is_first) {
                self.values.copy_from_slice(values);
                self.positions.fill(at);
                return;
            }
            for ((largest, position), &value) in self.values.iter_mut().zip(&mut self.positions).zip(values) {
                if value > *largest {
                    (*largest, *position) = (value, at);
                }
            }
        });
    }
}

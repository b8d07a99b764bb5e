//! The gradients of maximum poolings, over images and volumes, on compute types.
//!
//! Each takes `[orig_input, orig_output, grad]`.

use multiversion::multiversion;
use oplink::{KernelEnv, prelude::*};

use super::pool::{PoolElement, PoolGeometry, PoolWindow, each_picture, watched};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::Computed;

/// What adds to a picture of zeros, from the picture, the pooling's output and the gradient of that.
type Picture<L> = fn(&dyn KernelEnv, &PoolGeometry, [&[L]; 3], &mut [L]);

/// Sets `output` to the gradient of each window at the first of the largest values in it, where NaN stays if it comes
/// first and is passed over otherwise.
pub(super) fn to_first_largest<T: Computed<ComputeType: PoolElement>>(
    window: &PoolWindow,
    inputs: [&Tensor; 3],
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    scatter::<T>(window, inputs, add_to_first_largest, output, env)
}

fn add_to_first_largest<L: PoolElement>(
    env: &dyn KernelEnv,
    geometry: &PoolGeometry,
    [image, _, gradient]: [&[L]; 3],
    out: &mut [L],
) {
    let mut largest = Largest::new(geometry.channels);
    for (pixel, gradient) in watched(env, geometry, gradient.chunks_exact(geometry.channels).enumerate()) {
        largest.find(geometry, image, pixel);
        for ((channel, at), &gradient) in largest.positions().enumerate().zip(gradient) {
            out[at + channel] = out[at + channel].add(gradient);
        }
    }
}

/// How far values may lie apart that [`to_equal`] takes for equal.
const TOLERANCE: f32 = 1e-5;

/// Sets `output` to the gradient of each window at every value in it that equals the pooling's output, but for
/// [`TOLERANCE`].
pub(super) fn to_equal<T: Computed<ComputeType = f32>>(
    window: &PoolWindow,
    inputs: [&Tensor; 3],
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    scatter::<T>(window, inputs, add_to_equal, output, env)
}

fn add_to_equal(env: &dyn KernelEnv, geometry: &PoolGeometry, [image, pooled, gradient]: [&[f32]; 3], out: &mut [f32]) {
    let windows = pooled.chunks_exact(geometry.channels).zip(gradient.chunks_exact(geometry.channels));
    for (pixel, (pooled, gradient)) in watched(env, geometry, windows.enumerate()) {
        geometry.taps(pixel, |at| {
            for (((to, &value), &pooled), &gradient) in out[at..].iter_mut().zip(&image[at..]).zip(pooled).zip(gradient)
            {
                *to += if (value - pooled).abs() < TOLERANCE { gradient } else { 0.0 };
            }
        });
    }
}

/// Sets `output` to what `add` adds to a picture of zeros for each picture of the inputs.
fn scatter<T: Computed<ComputeType: PoolElement>>(
    window: &PoolWindow,
    [input, pooled, gradient]: [&Tensor; 3],
    add: Picture<T::ComputeType>,
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let geometry = window.geometry(input.shape())?;
    geometry.check_output(pooled, "orig_output")?;
    geometry.check_output(gradient, "grad")?;
    let output = output.allocate(input.shape().clone())?;
    let image = computed_of(input.as_slice::<T>()?);
    let (pooled, gradient) = (computed_of(pooled.as_slice::<T>()?), computed_of(gradient.as_slice::<T>()?));
    let computed = [&*image, &*pooled, &*gradient];
    fill_computed(output.as_mut_slice::<T>()?, |out| scatter_computed(&geometry, env, computed, add, out));
    Ok(())
}

fn scatter_computed<L: PoolElement>(
    geometry: &PoolGeometry,
    env: &dyn KernelEnv,
    [image, pooled, gradient]: [&[L]; 3],
    add: Picture<L>,
    out: &mut [L],
) {
    let (picture, pooled_picture) = (geometry.picture(), geometry.output_picture());
    each_picture(geometry, env, out, &|index, out| {
        out.fill(L::ZERO);
        let (pooled, gradient) = (&pooled[index * pooled_picture..], &gradient[index * pooled_picture..]);
        let (pooled, gradient) = (&pooled[..pooled_picture], &gradient[..pooled_picture]);
        add(env, geometry, [&image[index * picture..][..picture], pooled, gradient], out);
    });
}

/// Sets `output` to the gradient, of the pooling's input's shape, at the first value in each window that equals the
/// pooling's output; zero where there is none.
pub(super) fn from_first_equal<T: Computed<ComputeType: PoolElement>>(
    window: &PoolWindow,
    [input, pooled, gradient]: [&Tensor; 3],
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let geometry = window.geometry(input.shape())?;
    geometry.check_output(pooled, "orig_output")?;
    ensure!(
        gradient.shape() == input.shape(),
        "grad must have the shape {}, its shape is {}",
        input.shape(),
        gradient.shape()
    );
    let output = output.allocate(geometry.output_shape())?;
    let (image, pooled) = (computed_of(input.as_slice::<T>()?), computed_of(pooled.as_slice::<T>()?));
    let gradient = computed_of(gradient.as_slice::<T>()?);
    fill_computed(output.as_mut_slice::<T>()?, |out| {
        gather_first_equal(env, &geometry, [&image, &pooled, &gradient], out);
    });
    Ok(())
}

fn gather_first_equal<L: PoolElement>(
    env: &dyn KernelEnv,
    geometry: &PoolGeometry,
    [image, pooled, gradient]: [&[L]; 3],
    out: &mut [L],
) {
    let channels = geometry.channels.max(1);
    let (picture, pixels) = (geometry.picture(), geometry.output_picture() / channels);
    out.fill(L::ZERO);
    // bounded: the channels of a pixel of the input
    let mut found = vec![false; geometry.channels];
    let windows = out.chunks_exact_mut(channels).zip(pooled.chunks_exact(channels)).enumerate();
    for (index, (out, pooled)) in watched(env, geometry, windows) {
        let start = index / pixels * picture;
        found.fill(false);
        geometry.taps(index % pixels, |at| {
            for channel in 0..out.len() {
                let at = start + at + channel;
                if !found[channel] && image[at] == pooled[channel] {
                    found[channel] = true;
                    out[channel] = gradient[at];
                }
            }
        });
    }
}

/// The largest values of a window, channel by channel, and where in a picture their pixels begin.
pub(super) struct Largest<L> {
    pub(super) values: Vec<L>,
    /// The number of the value's tap among those of the window that are inside.
    taps: Vec<u32>,
    /// Where the pixels of the taps begin.
    starts: Vec<usize>,
}

impl<L: PoolElement> Largest<L> {
    /// For so many channels.
    pub(super) fn new(channels: usize) -> Self {
        // bounded: the channels of a pixel of the input
        Self { values: vec![L::ZERO; channels], taps: vec![0; channels], starts: Vec::new() }
    }

    /// Where the pixel of the largest value of each channel begins; at the start where the window is outside.
    pub(super) fn positions(&self) -> impl Iterator<Item = usize> {
        self.taps.iter().map(|&tap| self.starts.get(tap as usize).copied().unwrap_or_default())
    }

    /// Finds the first of the largest values in the window of an output pixel; NaN stays if it comes first and is
    /// passed over otherwise.
    pub(super) fn find(&mut self, geometry: &PoolGeometry, image: &[L], pixel: usize) {
        self.starts.clear();
        geometry.taps(pixel, |at| {
            let values = &image[at..at + self.values.len()];
            if self.starts.is_empty() {
                self.values.copy_from_slice(values);
                self.taps.fill(0);
            } else {
                take_larger(values, self.starts.len() as u32, &mut self.values, &mut self.taps);
            }
            self.starts.push(at);
        });
    }
}

/// Takes the values that are larger than those before, and the number of their tap.
#[allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn take_larger<L: PartialOrd + Copy>(values: &[L], tap: u32, largest: &mut [L], taps: &mut [u32]) {
    for ((largest, known), &value) in largest.iter_mut().zip(taps).zip(values) {
        let is_larger = value > *largest;
        *largest = if is_larger { value } else { *largest };
        *known = if is_larger { tap } else { *known };
    }
}

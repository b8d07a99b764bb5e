//! `MaxPoolWithArgmax`, the largest value in each window of an image and where it is, and its gradient.
//!
//! `input` is [batch, rows, columns, channels], of the pooling not empty. `argmax` is the position of the first of a
//! window's largest values, `(row * columns + column) * channels + channel`, counted over the whole batch with
//! `include_batch_in_index`. NaN is the largest where it comes first in a window, and is passed over otherwise. Of the
//! gradient, `grad` and `argmax` have the shape of the pooling's output; each gradient is added to the position that
//! `argmax` names. It is an error where a position lies outside. Gradients of 16-bit floats are summed in f32.

use super::max_backprop::Largest;
use super::pool::{PoolElement, PoolGeometry, PoolWindow, watched};
use oplink::memory::try_filled;
use oplink::{KernelEnv, prelude::*};
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::Computed;
use oplink_ops::nn::window::WindowAttrs;
use oplink_ops::nn::{MaxPoolGradWithArgmax, MaxPoolGradWithArgmaxAttrs, MaxPoolWithArgmax, MaxPoolWithArgmaxAttrs};

/// `MaxPoolWithArgmax` for every real number.
#[kernel(MaxPoolWithArgmax, device = CPU, T = [reals], Targmax = [i32, i64])]
pub fn max_pool_with_argmax_cpu<T: Computed<ComputeType: PoolElement>>(
    input: &Tensor,
    attrs: MaxPoolWithArgmaxAttrs<'_>,
    mut output: OutputSlot<'_>,
    mut argmax: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(input.num_elements() > 0, "input must not be empty, its shape is {}", input.shape());
    let window = PoolWindow::channels_last(&env.node().op.name, &WindowAttrs::from(attrs))?;
    let geometry = window.geometry(input.shape())?;
    let output = output.allocate(geometry.output_shape())?;
    let mut positions = try_filled(0i64, output.num_elements())?;
    let image = computed_of(input.as_slice::<T>()?);
    fill_computed(output.as_mut_slice::<T>()?, |out| {
        find_all(&env, &geometry, &image, attrs.include_batch_in_index, (out, &mut positions));
    });
    let shape = output.shape().clone();
    argmax.set(match attrs.targmax {
        DType::Int32 => Tensor::from_vec(shape, positions.into_iter().map(|at| at as i32).collect())?,
        _ => Tensor::from_vec(shape, positions)?,
    });
    Ok(())
}

/// The largest values of all windows of a batch, and their positions.
fn find_all<L: PoolElement>(
    env: &dyn KernelEnv,
    geometry: &PoolGeometry,
    image: &[L],
    with_batch: bool,
    (out, positions): (&mut [L], &mut [i64]),
) {
    let pixels = (geometry.output_picture() / geometry.channels).max(1);
    let mut largest = Largest::new(geometry.channels);
    let windows = out.chunks_exact_mut(geometry.channels).zip(positions.chunks_exact_mut(geometry.channels));
    for (index, (out, positions)) in watched(env, geometry, windows.enumerate()) {
        let start = index / pixels * geometry.picture();
        largest.find(geometry, &image[start..], index % pixels);
        out.copy_from_slice(&largest.values);
        let shift = if with_batch { start } else { 0 };
        for ((channel, position), to) in largest.positions().enumerate().zip(positions) {
            *to = (shift + position + channel) as i64;
        }
    }
}

/// `MaxPoolGradWithArgmax` for every real number.
#[kernel(MaxPoolGradWithArgmax, device = CPU, T = [reals], Targmax = [i64])]
pub fn max_pool_grad_with_argmax_cpu<T: Computed<ComputeType: PoolElement>>(
    input: &Tensor,
    grad: &Tensor,
    argmax: &Tensor,
    attrs: MaxPoolGradWithArgmaxAttrs<'_>,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let window = PoolWindow::channels_last(&env.node().op.name, &WindowAttrs::from(attrs))?;
    let geometry = window.geometry(input.shape())?;
    geometry.check_output(grad, "grad")?;
    geometry.check_output(argmax, "argmax")?;
    let output = output.allocate(input.shape().clone())?;
    let (gradient, argmax) = (computed_of(grad.as_slice::<T>()?), argmax.as_slice::<i64>()?);
    fill_computed(output.as_mut_slice::<T>()?, |out| {
        add_at(&geometry, &gradient, argmax, attrs.include_batch_in_index, out)
    })
}

/// Adds each gradient to zeros at its position.
fn add_at<L: PoolElement>(
    geometry: &PoolGeometry,
    gradient: &[L],
    argmax: &[i64],
    with_batch: bool,
    out: &mut [L],
) -> Result<()> {
    let (picture, pooled_picture) = (geometry.picture(), geometry.output_picture().max(1));
    out.fill(L::ZERO);
    for (index, (&gradient, &at)) in gradient.iter().zip(argmax).enumerate() {
        let start = index / pooled_picture * picture;
        let shift = if with_batch { 0 } else { start };
        let position = usize::try_from(at).ok().map(|at| at + shift);
        let Some(position) = position.filter(|at| (start..start + picture).contains(at)) else {
            bail!("argmax {at} at position {index} is outside the picture of {picture} values")
        };
        out[position] = out[position].add(gradient);
    }
    Ok(())
}

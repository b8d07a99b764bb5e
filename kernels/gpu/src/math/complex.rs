//! Complex numbers made of their parts, and what is made of complex numbers: parts, conjugates, magnitudes, angles. In
//! a device's memory they are pairs of real numbers.

use oplink::device::DeviceContext;
use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;
use oplink::shape_inference::broadcast_shapes;
use oplink_ops::math::{self, Conj};
use oplink_ops::movement::{Axis, stretch};

use crate::movement::{Device, gather, scatter, words};

/// `Complex` of parts that are broadcast together.
#[kernel(math::Complex, device = GPU, T = [f32], Tout = [Complex<f32>])]
#[kernel(math::Complex, device = GPU, T = [f64], Tout = [Complex<f64>])]
pub fn complex_gpu(real: &Tensor, imag: &Tensor, mut out: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let shape = broadcast_shapes(real.shape(), imag.shape())?;
    let out = out.allocate(shape.clone())?;
    let (device, count) = (env.device()?, out.num_elements());
    let numbers = parts(out, real.dtype())?;
    for (position, part) in [real, imag].into_iter().enumerate() {
        let axes = [Axis::Strided { count, stride: 2 }];
        if *part.shape() == shape {
            scatter(device, position as isize, &axes, part, &numbers)?;
            continue;
        }
        let mut whole = device.allocate(part.dtype(), shape.clone())?;
        stretch::<Device>(env, &mut whole, part)?;
        scatter(device, position as isize, &axes, &whole, &numbers)?;
    }
    Ok(())
}

/// A tensor of complex numbers as one of their parts.
fn parts(tensor: &Tensor, part: DType) -> Result<Tensor> {
    tensor.clone().reinterpret(part, [tensor.num_elements() * 2])
}

/// The real parts.
#[kernel(math::Real, device = GPU, T = [Complex<f32>], Tout = [f32])]
#[kernel(math::Real, device = GPU, T = [Complex<f64>], Tout = [f64])]
pub fn real_gpu(input: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    take(input, 0, output, env)
}

/// The imaginary parts.
#[kernel(math::Imag, device = GPU, T = [Complex<f32>], Tout = [f32])]
#[kernel(math::Imag, device = GPU, T = [Complex<f64>], Tout = [f64])]
pub fn imag_gpu(input: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    take(input, 1, output, env)
}

fn take(input: &Tensor, position: isize, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let out = output.allocate(input.shape().clone())?;
    let axes = [Axis::Strided { count: out.num_elements(), stride: 2 }];
    gather(env.device()?, position, &axes, &parts(input, out.dtype())?, out)
}

/// `Conj`: the sign of imaginary parts changed.
#[kernel(Conj, device = GPU, T = [complex])]
pub fn conj_gpu(input: &Tensor, mut output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    let out = output.allocate(input.shape().clone())?;
    let count = out.num_elements();
    if count == 0 {
        return Ok(());
    }
    let part = if input.dtype() == DType::Complex64 { DType::Float } else { DType::Double };
    conjugated { numbers: &parts(input, part)?, out: &parts(out, part)?, count: words(2 * count)? }.launch(
        env.device()?,
        part,
        conjugated::blocks(2 * count),
    )
}

/// The magnitudes.
#[kernel(math::ComplexAbs, device = GPU, T = [Complex<f32>], Tout = [f32])]
#[kernel(math::ComplexAbs, device = GPU, T = [Complex<f64>], Tout = [f64])]
pub fn complex_abs_gpu(x: &Tensor, y: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    of_pairs(x, y, env, |device, dtype, numbers, out, count| {
        magnitudes { numbers, out, count: words(count)? }.launch(device, dtype, magnitudes::blocks(count))
    })
}

/// The angles to the positive real axis.
#[kernel(math::Angle, device = GPU, T = [Complex<f32>], Tout = [f32])]
#[kernel(math::Angle, device = GPU, T = [Complex<f64>], Tout = [f64])]
pub fn angle_gpu(input: &Tensor, output: OutputSlot<'_>, env: Env<'_>) -> Result<()> {
    of_pairs(input, output, env, |device, dtype, numbers, out, count| {
        angles { numbers, out, count: words(count)? }.launch(device, dtype, angles::blocks(count))
    })
}

fn of_pairs(
    input: &Tensor,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
    launch: impl Fn(&dyn DeviceContext, DType, &Tensor, &Tensor, usize) -> Result<()>,
) -> Result<()> {
    let out = output.allocate(input.shape().clone())?;
    match out.num_elements() {
        0 => Ok(()),
        count => launch(env.device()?, out.dtype(), &parts(input, out.dtype())?, out, count),
    }
}

/// A thread for each part.
#[program(block = 256, T = [f32, f64])]
fn conjugated<T: Float>(numbers: &[T], out: &mut [T], count: u32) {
    for at in grid_stride(count) {
        let part = numbers[at as usize];
        out[at as usize] = if at % 2 == 1 { -part } else { part };
    }
}

/// A thread for each number.
#[program(block = 256, T = [f32, f64])]
fn magnitudes<T: Float>(numbers: &[T], out: &mut [T], count: u32) {
    for at in grid_stride(count) {
        out[at as usize] = numbers[(at * 2) as usize].hypot(numbers[(at * 2 + 1) as usize]);
    }
}

/// A thread for each number.
#[program(block = 256, T = [f32, f64])]
fn angles<T: Float>(numbers: &[T], out: &mut [T], count: u32) {
    for at in grid_stride(count) {
        let (real, imaginary) = (numbers[(at * 2) as usize], numbers[(at * 2 + 1) as usize]);
        let mut angle = imaginary.atan2(real);
        // What Vulkan leaves open.
        if real == T::zero() && imaginary == T::zero() {
            angle = imaginary;
        }
        out[at as usize] = angle;
    }
}

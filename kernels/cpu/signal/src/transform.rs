//! Transforms of complex tensors.

use oplink::KernelEnv;
use oplink::prelude::*;
use rustfft::FftDirection;

use super::lines::along;
use super::plans::{Plans, Precision};

/// A transform over the last axes, of whatever precision the input has.
pub(super) struct ComplexTransform {
    axes: usize,
    direction: FftDirection,
    plans: Plans,
}

impl ComplexTransform {
    /// Over the last `axes` axes.
    pub(super) fn forward(axes: usize) -> Self {
        Self { axes, direction: FftDirection::Forward, plans: Plans::default() }
    }

    /// The inverse of [`Self::forward`].
    pub(super) fn inverse(axes: usize) -> Self {
        Self { axes, direction: FftDirection::Inverse, plans: Plans::default() }
    }

    /// Sets the output to the transform of the input, in its memory where that is free.
    pub(super) fn compute(&self, input: Input<'_>, output: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
        match input.dtype() {
            DType::Complex64 => self.compute_in::<f32>(input, output, env),
            _ => self.compute_in::<f64>(input, output, env),
        }
    }

    fn compute_in<T: Precision>(&self, input: Input<'_>, output: &mut OutputSlot<'_>, env: Env<'_>) -> Result<()> {
        check_rank(&input, self.axes)?;
        let shape = input.shape().clone();
        let (out, input) = output.forward(input, &shape)?;
        let numbers = T::numbers_mut(out)?;
        if let Some(input) = input {
            numbers.copy_from_slice(T::numbers(&input)?);
        }
        let extents = &shape[shape.rank() - self.axes..];
        over_axes(env.env(), numbers, extents, 1, &self.plans, self.direction);
        if self.direction == FftDirection::Inverse && !numbers.is_empty() {
            scale(numbers, T::reciprocal(extents.iter().product()));
        }
        Ok(())
    }
}

/// Transforms over axes of these extents, of numbers that lie along them `inner` at a time, and over all that lie along
/// any axes before.
pub(super) fn over_axes<T: Precision>(
    env: &dyn KernelEnv,
    numbers: &mut [Complex<T>],
    extents: &[usize],
    inner: usize,
    plans: &Plans,
    direction: FftDirection,
) {
    if numbers.is_empty() {
        return;
    }
    let mut inner = inner;
    for &extent in extents.iter().rev() {
        let fft = T::complex(plans, extent, direction);
        along(env, numbers, inner, &*fft);
        inner *= extent;
    }
}

fn scale<T: Precision>(numbers: &mut [Complex<T>], factor: T) {
    numbers.iter_mut().for_each(|number| *number = Complex { re: number.re * factor, im: number.im * factor });
}

/// An error where the input has fewer axes.
pub(super) fn check_rank(input: &Tensor, axes: usize) -> Result<()> {
    ensure!(input.rank() >= axes, "input must be of rank {axes} at least, its shape is {}", input.shape());
    Ok(())
}

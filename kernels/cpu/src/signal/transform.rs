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

    /// Sets the output to the transform of the input.
    pub(super) fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        match context.input(0).dtype() {
            DType::Complex64 => self.compute_in::<f32>(context),
            _ => self.compute_in::<f64>(context),
        }
    }

    fn compute_in<T: Precision>(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let input = context.input(0);
        check_rank(input, self.axes)?;
        let shape = input.shape().clone();
        let (taken, mut out) = context.forward_or_allocate(&[0], 0, &shape)?;
        let numbers = T::numbers_mut(&mut out)?;
        if taken.is_none() {
            numbers.copy_from_slice(T::numbers(context.input(0))?);
        }
        let extents = &shape[shape.rank() - self.axes..];
        over_axes(context.env(), numbers, extents, 1, &self.plans, self.direction);
        if self.direction == FftDirection::Inverse && !numbers.is_empty() {
            scale(numbers, T::reciprocal(extents.iter().product()));
        }
        context.set_output(0, out);
        Ok(())
    }
}

/// Transforms over axes of these extents, of numbers that lie along them `inner` at a time, and over all that lie along any axes
/// before.
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
        let fft = T::plans(plans).complex(extent, direction);
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

//! Transforms of real signals, of which half the complex numbers say all.

use oplink::prelude::*;
use oplink::{KernelEnv, int_values};
use rustfft::FftDirection;

use super::lines::GRAIN;
use super::plans::{Plans, Precision};
use super::transform::{check_rank, over_axes};
use crate::support::parallel::for_each_chunk;

/// A transform over the last axes between real and complex numbers of one precision.
pub(super) struct RealTransform {
    axes: usize,
    plans: Plans,
}

impl RealTransform {
    /// Over the last `axes` axes.
    pub(super) fn new(axes: usize) -> Self {
        Self { axes, plans: Plans::default() }
    }

    /// Sets the output to the forward transform of the input.
    pub(super) fn forward(&self, context: &mut KernelContext<'_>) -> Result<()> {
        match context.input(0).dtype() {
            DType::Float => self.forward_in::<f32>(context),
            _ => self.forward_in::<f64>(context),
        }
    }

    /// Sets the output to the inverse transform of the input.
    pub(super) fn inverse(&self, context: &mut KernelContext<'_>) -> Result<()> {
        match context.input(0).dtype() {
            DType::Complex64 => self.inverse_in::<f32>(context),
            _ => self.inverse_in::<f64>(context),
        }
    }

    fn forward_in<T: Precision>(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let mut out_dtype = context.node().output_dtypes.iter();
        ensure!(
            out_dtype.next() == Some(&T::COMPLEX),
            "a transform of {} gives {}, the attr Tcomplex is another",
            T::DTYPE,
            T::COMPLEX
        );
        let lengths = self.lengths(context, |length| length)?;
        let input = context.input(0);
        let (batch, dims) = (input.rank() - self.axes, input.shape().dims());
        let (&length, outer) = lengths.split_last().unwrap_or((&1, &[]));
        let width = half(length);
        let shape: Shape = [&dims[..batch], outer, &[width]].concat().into();
        let mut out = context.allocate_output(0, shape)?;
        let numbers = T::numbers_mut(&mut out)?;
        if input.num_elements() == 0 {
            numbers.fill(Complex::default());
        } else if !numbers.is_empty() {
            let starts = row_starts(dims, &[&dims[..batch], outer].concat());
            let values = input.as_slice::<T>()?;
            rows_from_real(context.env(), values, &starts, length, &self.plans, numbers);
            over_axes(context.env(), numbers, outer, width, &self.plans, FftDirection::Forward);
        }
        context.set_output(0, out);
        Ok(())
    }

    fn inverse_in<T: Precision>(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let mut out_dtype = context.node().output_dtypes.iter();
        ensure!(
            out_dtype.next() == Some(&T::DTYPE),
            "a transform of {} gives {}, the attr Treal is another",
            T::COMPLEX,
            T::DTYPE
        );
        let lengths = self.lengths(context, half)?;
        let input = context.input(0);
        let (batch, dims) = (input.rank() - self.axes, input.shape().dims());
        let (&length, outer) = lengths.split_last().unwrap_or((&1, &[]));
        let rows = [&dims[..batch], outer].concat();
        let mut out = context.allocate_output(0, [&rows[..], &[length]].concat())?;
        let reals = out.as_mut_slice::<T>()?;
        if input.num_elements() == 0 {
            reals.fill(<T as num_traits::Zero>::zero());
        } else if !reals.is_empty() {
            let (width, values) = (half(length), T::numbers(input)?);
            let starts = row_starts(dims, &rows);
            let mut numbers: Vec<Complex<T>> =
                starts.iter().flat_map(|&start| values[start..][..width].iter().copied()).collect();
            over_axes(context.env(), &mut numbers, outer, width, &self.plans, FftDirection::Inverse);
            rows_to_real(context.env(), &numbers, length, &self.plans, reals);
            let factor = T::reciprocal(lengths.iter().product());
            reals.iter_mut().for_each(|value| *value = *value * factor);
        }
        context.set_output(0, out);
        Ok(())
    }

    /// The lengths of the transform; `needed` of the last one is how many numbers the input has along it at least.
    fn lengths(&self, context: &KernelContext<'_>, needed: fn(usize) -> usize) -> Result<Vec<usize>> {
        let (input, lengths) = (context.input(0), context.input(1));
        check_rank(input, self.axes)?;
        ensure!(
            lengths.shape().dims() == [self.axes],
            "fft_length must have shape [{}], its shape is {}",
            self.axes,
            lengths.shape()
        );
        let lengths = int_values(lengths)?;
        let batch = input.rank() - self.axes;
        let is_empty = input.num_elements() == 0;
        let mut checked = Vec::with_capacity(self.axes);
        for (axis, &length) in lengths.iter().enumerate() {
            let Ok(length) = usize::try_from(length) else { bail!("fft_length[{axis}] must be >= 0, it is {length}") };
            ensure!(
                length > 0 || is_empty,
                "fft_length[{axis}] is 0, which an input with elements has no transform of"
            );
            let least = if axis + 1 == self.axes { needed(length) } else { length };
            let extent = input.shape()[batch + axis];
            ensure!(
                extent == 0 || extent >= least,
                "axis {} of the input must have an extent of {least} at least, its shape is {}",
                batch + axis,
                input.shape()
            );
            checked.push(length);
        }
        Ok(checked)
    }
}

/// The complex numbers that stand for so many real ones.
fn half(length: usize) -> usize {
    if length == 0 { 0 } else { length / 2 + 1 }
}

/// Where the rows along the last axis start of which the first `rows` extents of all other axes are kept.
fn row_starts(dims: &[usize], rows: &[usize]) -> Vec<usize> {
    rows.iter().enumerate().fold(vec![0], |starts, (axis, &extent)| {
        let stride: usize = dims[axis + 1..].iter().product();
        starts.iter().flat_map(|start| (0..extent).map(move |index| start + index * stride)).collect()
    })
}

fn rows_from_real<T: Precision>(
    env: &dyn KernelEnv,
    values: &[T],
    starts: &[usize],
    length: usize,
    plans: &Plans,
    out: &mut [Complex<T>],
) {
    let fft = T::plans(plans).real_to_complex(length);
    let width = half(length);
    for_each_chunk(env, out, GRAIN, width, &|from, part| {
        let (mut row, mut scratch) = (fft.make_input_vec(), fft.make_scratch_vec());
        for (out, &start) in part.chunks_exact_mut(width).zip(&starts[from / width..]) {
            row.copy_from_slice(&values[start..][..length]);
            // The buffers have the lengths that the plan asks for.
            let _ = fft.process_with_scratch(&mut row, out, &mut scratch);
        }
    });
}

fn rows_to_real<T: Precision>(
    env: &dyn KernelEnv,
    numbers: &[Complex<T>],
    length: usize,
    plans: &Plans,
    out: &mut [T],
) {
    let fft = T::plans(plans).complex_to_real(length);
    let width = half(length);
    for_each_chunk(env, out, GRAIN, length, &|from, part| {
        let (mut row, mut scratch) = (fft.make_input_vec(), fft.make_scratch_vec());
        for (out, numbers) in part.chunks_exact_mut(length).zip(numbers[from / length * width..].chunks_exact(width)) {
            row.copy_from_slice(numbers);
            // The first number, and the last one of an even length, have no imaginary part in the transform of a real signal.
            row[0].im = <T as num_traits::Zero>::zero();
            if length.is_multiple_of(2) {
                row[width - 1].im = <T as num_traits::Zero>::zero();
            }
            // The buffers have the lengths that the plan asks for.
            let _ = fft.process_with_scratch(&mut row, out, &mut scratch);
        }
    });
}

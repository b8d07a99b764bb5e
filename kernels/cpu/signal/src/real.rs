//! Transforms of real signals, of which half the complex numbers say all.

use oplink::KernelEnv;
use oplink::prelude::*;
use oplink::shape_inference::int_values;
use rustfft::FftDirection;

use super::lines::GRAIN;
use super::plans::{Plans, Precision};
use super::transform::{check_rank, over_axes};
use oplink_cpu_support::parallel::for_each_chunk;

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
    pub(super) fn forward(
        &self,
        input: &Tensor,
        fft_length: &Tensor,
        output: &mut OutputSlot<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        match input.dtype() {
            DType::Float => self.forward_in::<f32>(input, fft_length, output, env),
            _ => self.forward_in::<f64>(input, fft_length, output, env),
        }
    }

    /// Sets the output to the inverse transform of the input.
    pub(super) fn inverse(
        &self,
        input: &Tensor,
        fft_length: &Tensor,
        output: &mut OutputSlot<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        match input.dtype() {
            DType::Complex64 => self.inverse_in::<f32>(input, fft_length, output, env),
            _ => self.inverse_in::<f64>(input, fft_length, output, env),
        }
    }

    fn forward_in<T: Precision>(
        &self,
        input: &Tensor,
        fft_length: &Tensor,
        output: &mut OutputSlot<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        ensure!(
            output.dtype() == T::COMPLEX,
            "a transform of {} gives {}, the attr Tcomplex is another",
            T::DTYPE,
            T::COMPLEX
        );
        let lengths = self.lengths(input, fft_length, |length| length)?;
        let (batch, dims) = (input.rank() - self.axes, input.shape().dims());
        let (&length, outer) = lengths.split_last().unwrap_or((&1, &[]));
        let width = half(length);
        let shape: Shape = [&dims[..batch], outer, &[width]].concat().into();
        let numbers = T::numbers_mut(output.allocate(shape)?)?;
        if input.num_elements() == 0 {
            numbers.fill(Complex::default());
        } else if !numbers.is_empty() {
            let starts = row_starts(dims, &[&dims[..batch], outer].concat());
            let values = input.as_slice::<T>()?;
            rows_from_real(env.env(), values, &starts, length, &self.plans, numbers);
            over_axes(env.env(), numbers, outer, width, &self.plans, FftDirection::Forward);
        }
        Ok(())
    }

    fn inverse_in<T: Precision>(
        &self,
        input: &Tensor,
        fft_length: &Tensor,
        output: &mut OutputSlot<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        ensure!(
            output.dtype() == T::DTYPE,
            "a transform of {} gives {}, the attr Treal is another",
            T::COMPLEX,
            T::DTYPE
        );
        let lengths = self.lengths(input, fft_length, half)?;
        let (batch, dims) = (input.rank() - self.axes, input.shape().dims());
        let (&length, outer) = lengths.split_last().unwrap_or((&1, &[]));
        let rows = [&dims[..batch], outer].concat();
        let reals = output.allocate([&rows[..], &[length]].concat())?.as_mut_slice::<T>()?;
        if input.num_elements() == 0 {
            reals.fill(<T as num_traits::Zero>::zero());
        } else if !reals.is_empty() {
            let (width, values) = (half(length), T::numbers(input)?);
            let starts = row_starts(dims, &rows);
            let mut numbers: Vec<Complex<T>> =
                starts.iter().flat_map(|&start| values[start..][..width].iter().copied()).collect();
            over_axes(env.env(), &mut numbers, outer, width, &self.plans, FftDirection::Inverse);
            rows_to_real(env.env(), &numbers, length, &self.plans, reals);
            let factor = T::reciprocal(lengths.iter().product());
            reals.iter_mut().for_each(|value| *value = *value * factor);
        }
        Ok(())
    }

    /// The lengths of the transform; `needed` of the last one is how many numbers the input has along it at least.
    fn lengths(&self, input: &Tensor, fft_length: &Tensor, needed: fn(usize) -> usize) -> Result<Vec<usize>> {
        check_rank(input, self.axes)?;
        ensure!(
            fft_length.shape().dims() == [self.axes],
            "fft_length must have shape [{}], its shape is {}",
            self.axes,
            fft_length.shape()
        );
        let lengths = int_values(fft_length)?;
        let batch = input.rank() - self.axes;
        let is_empty = input.num_elements() == 0;
        // bounded: three at most
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
    let fft = T::real_to_complex(plans, length);
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
    let fft = T::complex_to_real(plans, length);
    let width = half(length);
    for_each_chunk(env, out, GRAIN, length, &|from, part| {
        let (mut row, mut scratch) = (fft.make_input_vec(), fft.make_scratch_vec());
        for (out, numbers) in part.chunks_exact_mut(length).zip(numbers[from / length * width..].chunks_exact(width)) {
            row.copy_from_slice(numbers);
            // The first number, and the last one of an even length, have no imaginary part in the transform of a real
            // signal.
            row[0].im = <T as num_traits::Zero>::zero();
            if length.is_multiple_of(2) {
                row[width - 1].im = <T as num_traits::Zero>::zero();
            }
            // The buffers have the lengths that the plan asks for.
            let _ = fft.process_with_scratch(&mut row, out, &mut scratch);
        }
    });
}

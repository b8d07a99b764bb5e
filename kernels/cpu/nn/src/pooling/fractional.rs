//! Pooling over windows of changing extents: `FractionalAvgPool`, `FractionalMaxPool`, and their gradients.

use std::sync::{Mutex, PoisonError};

use num_traits::ToPrimitive;
use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_ops::nn::{FractionalAvgPool, FractionalAvgPoolGrad, FractionalMaxPool, FractionalMaxPoolGrad, pooled};
use oplink_ops::philox::{Philox, Singles};

/// What the attrs ask for, and the generator of the node.
struct Cutter {
    ratios: [f32; 4],
    pseudo_random: bool,
    overlapping: bool,
    deterministic: bool,
    generator: Mutex<Philox>,
}

impl Cutter {
    fn new(
        ratios: &[f32],
        pseudo_random: bool,
        overlapping: bool,
        deterministic: bool,
        seeds: [i64; 2],
    ) -> Result<Self> {
        let Ok(ratios) = <[f32; 4]>::try_from(ratios) else {
            bail!("pooling_ratio must have 4 entries, it has {}", ratios.len())
        };
        if ratios[0] != 1.0 && ratios[3] != 1.0 {
            return Err(Error::unimplemented("batches and channels are not pooled: their ratios must be 1"));
        }
        ensure!(ratios.iter().all(|&ratio| ratio >= 1.0), "pooling_ratio must be at least 1, it is {ratios:?}");
        let seeded = seeds != [0, 0];
        ensure!(deterministic || !seeded, "seed and seed2 must be 0 unless deterministic is set, they are {seeds:?}");
        ensure!(seeded || !deterministic, "seed or seed2 must not be 0 where deterministic is set");
        let generator = Mutex::new(Philox::from_seeds(seeds[0], seeds[1]));
        Ok(Self { ratios, pseudo_random, overlapping, deterministic, generator })
    }

    /// The windows of a run on an input of this shape.
    fn cut(&self, shape: &Shape) -> Result<Windows> {
        let &[batch, rows, columns, channels] = shape.dims() else {
            bail!("value must be of rank 4, its shape is {shape}")
        };
        let given = [batch, rows, columns, channels];
        let output = [0, 1, 2, 3].map(|axis| pooled(given[axis], self.ratios[axis]));
        ensure!(output.iter().all(|&extent| extent > 0), "an input of shape {shape} leaves no window in {output:?}");
        ensure!(output[0] == batch && output[3] == channels, "batches and channels are not pooled");
        let mut generator = self.generator.lock().unwrap_or_else(PoisonError::into_inner);
        let mut position = *generator;
        let rows = self.sequence(given[1], output[1], &mut position)?;
        let cuts = [rows, self.sequence(given[2], output[2], &mut position)?];
        if !self.deterministic {
            *generator = position;
        }
        drop(generator);
        Windows::new(given, cuts, self.overlapping)
    }

    /// The cuts of an axis of `input` elements into `output` runs: where each begins, and the end.
    fn sequence(&self, input: usize, output: usize, generator: &mut Philox) -> Result<Vec<i64>> {
        let drawn = if self.pseudo_random { 2 } else { output as u64 };
        let mut numbers = Singles::new(*generator);
        *generator = generator.skipped(drawn.div_ceil(Philox::BLOCK as u64));
        let mut cuts = try_vec(output + 1)?;
        cuts.push(0i64);
        if self.pseudo_random {
            let (alpha, run) = (input as f64 / output as f64, (input / output) as f64);
            let first = (run + 2.0) / alpha - 1.0;
            let last = (input as f64 + 1.0 - run) / alpha - (output as f64 - 1.0);
            let start = numbers.double() * first.min(last);
            cuts.extend((1..output).map(|at| (alpha * (at as f64 + start)).ceil() as i64 - 1));
            cuts.push(input as i64);
            return Ok(cuts);
        }
        let mut runs = try_filled((input / output) as i64, output)?;
        runs[..input % output].iter_mut().for_each(|run| *run += 1);
        for at in 0..output.saturating_sub(1) {
            runs.swap(at, at + (numbers.draw() % (output - at) as u32) as usize);
        }
        cuts.extend(runs.iter().scan(0, |end, run| {
            *end += run;
            Some(*end)
        }));
        Ok(cuts)
    }
}

/// Windows of an input.
struct Windows {
    input: [usize; 4],
    cuts: [Vec<i64>; 2],
    overlapping: bool,
}

impl Windows {
    fn new(input: [usize; 4], cuts: [Vec<i64>; 2], overlapping: bool) -> Result<Self> {
        for (axis, cuts) in cuts.iter().enumerate() {
            let (extent, name) = (input[axis + 1] as i64, ["row", "col"][axis]);
            let fits = cuts.len() > 1 && cuts.iter().all(|cut| (0..=extent).contains(cut)) && cuts.is_sorted();
            let starts = cuts[..cuts.len().saturating_sub(1)].iter().all(|&cut| cut < extent);
            ensure!(fits && starts, "{name}_pooling_sequence must rise and stay between 0 and {extent}");
        }
        Ok(Self { input, cuts, overlapping })
    }

    /// Extents of the output.
    fn output(&self) -> [usize; 4] {
        [self.input[0], self.cuts[0].len() - 1, self.cuts[1].len() - 1, self.input[3]]
    }

    /// First and behind the last element of a run of an axis.
    fn run(&self, axis: usize, at: usize) -> std::ops::Range<usize> {
        let end = self.cuts[axis][at + 1] as usize + usize::from(self.overlapping);
        self.cuts[axis][at] as usize..end.min(self.input[axis + 1])
    }

    /// Calls `f` with each window's place in the output, counted in pixels, and the places of its pixels in the input.
    fn each(&self, env: Env<'_>, mut f: impl FnMut(usize, &[usize])) {
        let ([batch, rows, columns, _], [_, height, width, _]) = (self.output(), self.input);
        let mut pixels = Vec::new();
        for at in env.watch(0..batch * rows * columns) {
            let (image, row, column) = (at / (rows * columns), at / columns % rows, at % columns);
            pixels.clear();
            for y in self.run(0, row) {
                pixels.extend(self.run(1, column).map(|x| (image * height + y) * width + x));
            }
            f(at, &pixels);
        }
    }
}

/// Numbers that are pooled.
pub trait Pooled: Real + ToPrimitive {
    /// The sum over a count.
    fn mean(sum: Self, count: usize) -> Self;
    /// What is left of a number of double precision.
    fn narrow(value: f64) -> Self;
}

macro_rules! pooled {
    ($($ty:ty),*) => {$(
        impl Pooled for $ty {
            fn mean(sum: Self, count: usize) -> Self {
                sum / count as $ty
            }
            fn narrow(value: f64) -> Self {
                value as $ty
            }
        }
    )*};
}

pooled!(f32, f64, i32, i64);

/// Kernels of both ops, `Kernel: Op, |sum or maximum, values of a channel in a window|` each.
macro_rules! pools {
    ($($name:ident: $op:ident, $pool:ident;)*) => {$(
        #[doc = concat!("`", stringify!($op), "` with the generator of the node.")]
        pub struct $name<T>(Cutter, std::marker::PhantomData<fn() -> T>);

        #[kernel($op, device = CPU, T = [f32, f64, i32, i64])]
        impl<T: Pooled> Kernel for $name<T> {
            type Op = $op;

            fn new(construction: Construction<'_, $op>) -> Result<Self> {
                let attrs = construction.attrs;
                let seeds = [attrs.seed, attrs.seed2];
                let (ratios, pseudo_random) = (attrs.pooling_ratio, attrs.pseudo_random);
                let cutter = Cutter::new(ratios, pseudo_random, attrs.overlapping, attrs.deterministic, seeds)?;
                Ok(Self(cutter, std::marker::PhantomData))
            }

            fn compute(
                &self,
                inputs: <$op as oplink::arguments::TypedOp>::Inputs<'_>,
                outputs: &mut <$op as oplink::arguments::TypedOp>::Outputs<'_>,
                env: Env<'_>,
            ) -> Result<()> {
                let windows = self.0.cut(inputs.value.shape())?;
                let out = outputs.output.allocate(windows.output())?.as_mut_slice::<T>()?;
                $pool::<T>(&windows, inputs.value.as_slice()?, out, env);
                outputs.row_pooling_sequence.set(Tensor::from_slice(&windows.cuts[0]));
                outputs.col_pooling_sequence.set(Tensor::from_slice(&windows.cuts[1]));
                Ok(())
            }
        }
    )*};
}

pools! {
    FractionalAvgPoolCpu: FractionalAvgPool, average;
    FractionalMaxPoolCpu: FractionalMaxPool, largest;
}

fn average<T: Pooled>(windows: &Windows, values: &[T], out: &mut [T], env: Env<'_>) {
    let channels = windows.input[3];
    windows.each(env, |at, pixels| {
        for (channel, out) in out[at * channels..][..channels].iter_mut().enumerate() {
            let sum = pixels.iter().fold(T::zero(), |sum, pixel| sum + values[pixel * channels + channel]);
            *out = T::mean(sum, pixels.len());
        }
    });
}

fn largest<T: Pooled>(windows: &Windows, values: &[T], out: &mut [T], env: Env<'_>) {
    let channels = windows.input[3];
    windows.each(env, |at, pixels| {
        for (channel, out) in out[at * channels..][..channels].iter_mut().enumerate() {
            let mut own = pixels.iter().map(|pixel| values[pixel * channels + channel]);
            let first = own.next().unwrap_or_else(T::zero);
            *out = own.fold(first, |most, value| if value > most { value } else { most });
        }
    });
}

/// The windows of given cuts.
fn given(shape: [usize; 4], rows: &Tensor, columns: &Tensor, overlapping: bool, out: &Shape) -> Result<Windows> {
    let cuts = [rows.as_slice::<i64>()?.to_vec(), columns.as_slice::<i64>()?.to_vec()];
    let windows = Windows::new(shape, cuts, overlapping)?;
    ensure!(out.dims() == windows.output(), "out_backprop must have the shape {:?}, it has {out}", windows.output());
    Ok(windows)
}

/// `FractionalAvgPoolGrad`.
#[kernel(FractionalAvgPoolGrad, device = CPU, T = [f32, f64, i32, i64])]
pub fn fractional_avg_pool_grad_cpu<T: Pooled>(
    orig_input_tensor_shape: &Tensor,
    out_backprop: &Tensor,
    row_pooling_sequence: &Tensor,
    col_pooling_sequence: &Tensor,
    overlapping: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let shape = Shape::from_i64(orig_input_tensor_shape.as_slice()?)?;
    let &[batch, height, width, channels] = shape.dims() else {
        bail!("orig_input_tensor_shape must have 4 extents, it is {shape}")
    };
    let sequences = (row_pooling_sequence, col_pooling_sequence);
    let extents = [batch, height, width, channels];
    let windows = given(extents, sequences.0, sequences.1, overlapping, out_backprop.shape())?;
    let mut sums = try_filled(0f64, shape.num_elements())?;
    let gradients = out_backprop.as_slice::<T>()?;
    windows.each(env, |at, pixels| {
        let shares = pixels.len() as f64;
        for pixel in pixels {
            let own = gradients[at * channels..][..channels].iter();
            let sums = sums[pixel * channels..][..channels].iter_mut();
            sums.zip(own).for_each(|(sum, gradient)| *sum += gradient.to_f64().unwrap_or(0.0) / shares);
        }
    });
    let out = output.allocate(shape)?.as_mut_slice::<T>()?;
    out.iter_mut().zip(sums).for_each(|(out, sum)| *out = T::narrow(sum));
    Ok(())
}

/// `FractionalMaxPoolGrad`.
#[kernel(FractionalMaxPoolGrad, device = CPU, T = [f32, f64, i32, i64])]
#[allow(clippy::too_many_arguments, reason = "the op's arguments and attrs")]
pub fn fractional_max_pool_grad_cpu<T: Pooled>(
    orig_input: &Tensor,
    orig_output: &Tensor,
    out_backprop: &Tensor,
    row_pooling_sequence: &Tensor,
    col_pooling_sequence: &Tensor,
    overlapping: bool,
    mut output: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let &[batch, height, width, channels] = orig_input.shape().dims() else {
        bail!("orig_input must be of rank 4, its shape is {}", orig_input.shape())
    };
    let sequences = (row_pooling_sequence, col_pooling_sequence);
    let extents = [batch, height, width, channels];
    let windows = given(extents, sequences.0, sequences.1, overlapping, out_backprop.shape())?;
    let fits = orig_output.shape() == out_backprop.shape();
    ensure!(fits, "orig_output must have the shape {}, it has {}", out_backprop.shape(), orig_output.shape());
    let (values, gradients) = (orig_input.as_slice::<T>()?, out_backprop.as_slice::<T>()?);
    let out = output.allocate(orig_input.shape().clone())?.as_mut_slice::<T>()?;
    out.fill(T::zero());
    windows.each(env, |at, pixels| {
        for channel in 0..channels {
            let value = |pixel: &usize| values[pixel * channels + channel];
            let Some((first, rest)) = pixels.split_first() else { continue };
            let most = rest.iter().fold(first, |most, pixel| if value(pixel) > value(most) { pixel } else { most });
            let place = &mut out[most * channels + channel];
            *place = *place + gradients[at * channels + channel];
        }
    });
    Ok(())
}

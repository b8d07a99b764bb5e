//! Convolutions of each channel by itself.

use oplink::KernelEnv;

use oplink_cpu_contraction::fused_ops::{FusedArgs, FusedOps};
use oplink_cpu_contraction::taps::{TapElement, Taps};
use oplink_cpu_support::elementwise::ComputeFloat;
use oplink_cpu_support::parallel::for_each_row;
pub(super) use oplink_ops::nn::window::Depthwise;

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 17;

/// What follows a depthwise convolution.
#[derive(Clone, Copy)]
pub(super) struct DepthwiseFinish<'a, L> {
    /// A value added to each output channel.
    pub(super) bias: Option<&'a [L]>,
    /// Values below the first end as the first, above the second as the second; NaN stays.
    pub(super) bounds: Option<(L, L)>,
    /// The last change to the values.
    pub(super) activation: Option<&'a (dyn Fn(&mut [L]) + Sync)>,
}

impl<'a, L: ComputeFloat> DepthwiseFinish<'a, L> {
    /// A bias and the activation of `steps`, which `activate` applies.
    pub(super) fn new(
        steps: &FusedOps<L>,
        args: &'a FusedArgs<'_, L>,
        activate: &'a (dyn Fn(&mut [L]) + Sync),
    ) -> Self {
        let activation = steps.activation();
        let function = activation.is_function().then_some(activate);
        Self { bias: Some(args.bias()), bounds: activation.bounds(), activation: function }
    }
}

impl<L> Default for DepthwiseFinish<'_, L> {
    fn default() -> Self {
        Self { bias: None, bounds: None, activation: None }
    }
}

/// Convolves an image given in its compute type.
pub(super) fn convolve<L: ComputeFloat + TapElement>(
    env: &dyn KernelEnv,
    g: &Depthwise,
    (image, filter): (&[L], &[L]),
    finish: DepthwiseFinish<'_, L>,
    out: &mut [L],
) {
    if out.is_empty() {
        return;
    }
    for_each_row(env, out, g.width(), TASK_COST.div_ceil(g.taps().max(1)), &|row, out| {
        convolve_line(g, (image, filter), row, finish, out);
    });
}

/// Computes the output line `row`, counted over all pictures.
pub(super) fn convolve_line<L: ComputeFloat + TapElement>(
    g: &Depthwise,
    operands: (&[L], &[L]),
    row: usize,
    finish: DepthwiseFinish<'_, L>,
    out: &mut [L],
) {
    let (inner, line) = (g.inner(), Line::new(g, operands, row, finish));
    let (left, rest) = out.split_at_mut(inner.start * g.channels());
    let (middle, right) = rest.split_at_mut(inner.len() * g.channels());
    for (x, out) in left.chunks_exact_mut(g.channels()).enumerate() {
        line.pixels(x, out);
    }
    line.pixels(inner.start, middle);
    for (x, out) in right.chunks_exact_mut(g.channels()).enumerate() {
        line.pixels(inner.end + x, out);
    }
    if let Some(activation) = finish.activation {
        activation(out);
    }
}

/// One output line.
struct Line<'a, L> {
    geometry: &'a Depthwise,
    /// The input from its first line on that the output line sees.
    image: &'a [L],
    /// The filter from the first row on that lies inside the input.
    filter: &'a [L],
    /// Rows of the filter that lie inside the input.
    rows: usize,
    finish: DepthwiseFinish<'a, L>,
}

impl<'a, L: ComputeFloat + TapElement> Line<'a, L> {
    /// The line `row`, counted over all pictures.
    fn new(g: &'a Depthwise, (image, filter): (&'a [L], &'a [L]), row: usize, finish: DepthwiseFinish<'a, L>) -> Self {
        let (taps, first) = g.rows.taps(row % g.rows.output);
        let line = (row / g.rows.output * g.rows.input + first) * g.columns.input * g.depth;
        let filter_line = taps.start * g.columns.window * g.channels();
        let tail = |values: &'a [L], start: usize| values.get(start..).unwrap_or_default();
        Self { geometry: g, image: tail(image, line), filter: tail(filter, filter_line), rows: taps.len(), finish }
    }

    /// Computes the pixels from `x` on that fill `out`, which all see the same columns of the window.
    fn pixels(&self, x: usize, out: &mut [L]) {
        let g = self.geometry;
        let (columns, first) = g.columns.taps(x);
        let (input, filter) = (first * g.depth, columns.start * g.channels());
        let taps = Taps {
            input: self.image.get(input..).unwrap_or_default(),
            input_steps: [
                g.rows.dilation * g.columns.input * g.depth,
                g.columns.dilation * g.depth,
                g.columns.stride * g.depth,
            ],
            filter: self.filter.get(filter..).unwrap_or_default(),
            filter_step: g.columns.window * g.channels(),
            taps: (self.rows, columns.len()),
            channels: g.channels(),
            bias: self.finish.bias,
            bounds: self.finish.bounds,
        };
        if g.multiplier == 1 {
            L::sum(&taps, out);
        } else {
            sum_multiplied(&taps, g.multiplier, out);
        }
    }
}

/// As [`TapElement::sum`] where each input channel makes `multiplier` output channels.
fn sum_multiplied<L: ComputeFloat>(t: &Taps<'_, L>, multiplier: usize, out: &mut [L]) {
    let [row_step, tap_step, pixel_step] = t.input_steps;
    for (pixel, out) in out.chunks_exact_mut(t.channels).enumerate() {
        match t.bias {
            Some(bias) => out.copy_from_slice(bias),
            None => out.fill(L::ZERO),
        }
        for (row, tap) in (0..t.taps.0).flat_map(|row| (0..t.taps.1).map(move |tap| (row, tap))) {
            let input = &t.input[pixel * pixel_step + row * row_step + tap * tap_step..];
            let filter = &t.filter[row * t.filter_step + tap * t.channels..];
            let filters = filter.chunks_exact(multiplier);
            for ((out, &x), filter) in out.chunks_exact_mut(multiplier).zip(input).zip(filters) {
                out.iter_mut().zip(filter).for_each(|(out, &w)| *out = *out + x * w);
            }
        }
        if let Some((low, high)) = t.bounds {
            for out in out {
                let above = if *out < low { low } else { *out };
                *out = if above > high { high } else { above };
            }
        }
    }
}

//! The gradients of depthwise convolutions.

use oplink::{KernelEnv, prelude::*};

use super::depthwise::Depthwise;
use super::sizes::shape_of;
use oplink_cpu_contraction::computed::{computed_of, fill_computed};
use oplink_cpu_support::elementwise::{ComputeFloat, Computed};
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::nn::window::Window;

/// Multiply-adds that one thread should at least have.
const TASK_COST: usize = 1 << 17;

fn check_gradient(geometry: &Depthwise, gradient: &Tensor) -> Result<()> {
    let expected = geometry.output_shape();
    ensure!(
        *gradient.shape() == expected,
        "out_backprop must have the shape of the convolution's output, {expected}, its shape is {}",
        gradient.shape()
    );
    Ok(())
}

/// Sets `output` to the gradient with respect to an input, of `[input_sizes, filter, out_backprop]`.
pub(super) fn backprop_input<T: Computed<ComputeType: ComputeFloat>>(
    window: &Window,
    [sizes, filter, gradient]: [&Tensor; 3],
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let input = shape_of(sizes, "input_sizes")?;
    let geometry = Depthwise::new(window, &input, filter.shape())?;
    check_gradient(&geometry, gradient)?;
    let output = output.allocate(input)?;
    let (filter, gradient) = (computed_of(filter.as_slice::<T>()?), computed_of(gradient.as_slice::<T>()?));
    if output.num_elements() > 0 {
        let width = geometry.columns.input * geometry.depth;
        let grain = TASK_COST.div_ceil((geometry.taps() * geometry.multiplier).max(1));
        fill_computed(output.as_mut_slice::<T>()?, |out| {
            for_each_row(env, out, width, grain, &|row, out| {
                input_line(&geometry, &filter, &gradient, row, out);
            });
        });
    }
    Ok(())
}

/// One line of the gradient with respect to the input, `row` counted over all pictures.
fn input_line<L: ComputeFloat>(g: &Depthwise, filter: &[L], gradient: &[L], row: usize, out: &mut [L]) {
    out.fill(L::ZERO);
    let (batch, y) = (row / g.rows.input, row % g.rows.input);
    let taps = (0..g.rows.window).filter_map(|tap| Some((tap, g.rows.output_at(y, tap)?)));
    for (row_tap, output) in taps {
        let gradient = &gradient[(batch * g.rows.output + output) * g.width()..][..g.width()];
        for tap in 0..g.columns.window {
            let filter = &filter[(row_tap * g.columns.window + tap) * g.channels()..][..g.channels()];
            let (outputs, first) = g.columns.outputs(tap);
            for (index, x) in outputs.enumerate() {
                let to = &mut out[(first + index * g.columns.stride) * g.depth..][..g.depth];
                let gradient = &gradient[x * g.channels()..][..g.channels()];
                add_products(to, gradient, filter, g.multiplier);
            }
        }
    }
}

/// Adds to each element the sum of `multiplier` products.
#[inline]
fn add_products<L: ComputeFloat>(to: &mut [L], a: &[L], b: &[L], multiplier: usize) {
    if multiplier == 1 {
        return to.iter_mut().zip(a).zip(b).for_each(|((to, &a), &b)| *to = *to + a * b);
    }
    for ((to, a), b) in to.iter_mut().zip(a.chunks_exact(multiplier.max(1))).zip(b.chunks_exact(multiplier.max(1))) {
        *to = a.iter().zip(b).fold(*to, |sum, (&a, &b)| sum + a * b);
    }
}

/// Sets `output` to the gradient with respect to a filter, of `[input, filter_sizes, out_backprop]`.
pub(super) fn backprop_filter<T: Computed<ComputeType: ComputeFloat>>(
    window: &Window,
    [input, sizes, gradient]: [&Tensor; 3],
    output: &mut OutputSlot<'_>,
    env: &dyn KernelEnv,
) -> Result<()> {
    let filter = shape_of(sizes, "filter_sizes")?;
    let geometry = Depthwise::new(window, input.shape(), &filter)?;
    check_gradient(&geometry, gradient)?;
    let output = output.allocate(filter)?;
    let (image, gradient) = (computed_of(input.as_slice::<T>()?), computed_of(gradient.as_slice::<T>()?));
    if output.num_elements() > 0 {
        let grain = TASK_COST.div_ceil((geometry.batch * geometry.rows.output * geometry.columns.output).max(1));
        fill_computed(output.as_mut_slice::<T>()?, |out| {
            for_each_row(env, out, geometry.channels(), grain, &|tap, out| {
                filter_tap(&geometry, &image, &gradient, tap, out);
            });
        });
    }
    Ok(())
}

/// One tap of the gradient with respect to the filter. The sums of a line are added up first, so that few small numbers
/// meet large ones.
fn filter_tap<L: ComputeFloat>(g: &Depthwise, image: &[L], gradient: &[L], tap: usize, out: &mut [L]) {
    let (row_tap, tap) = (tap / g.columns.window, tap % g.columns.window);
    let (rows, first_row) = g.rows.outputs(row_tap);
    let (columns, first_column) = g.columns.outputs(tap);
    // bounded: a row of the output
    let mut sums = vec![L::ZERO; out.len()];
    out.fill(L::ZERO);
    for batch in 0..g.batch {
        for (index, y) in rows.clone().enumerate() {
            sums.fill(L::ZERO);
            let line = (batch * g.rows.input + first_row + index * g.rows.stride) * g.columns.input;
            let gradient = &gradient[(batch * g.rows.output + y) * g.width()..][..g.width()];
            for (index, x) in columns.clone().enumerate() {
                let image = &image[(line + first_column + index * g.columns.stride) * g.depth..][..g.depth];
                add_outer(&mut sums, image, &gradient[x * g.channels()..][..g.channels()], g.multiplier);
            }
            out.iter_mut().zip(&sums).for_each(|(to, &sum)| *to = *to + sum);
        }
    }
}

/// Adds `a[i] * b[j]` to each element `j`, where each `i` meets `multiplier` neighbours.
#[inline]
fn add_outer<L: ComputeFloat>(to: &mut [L], a: &[L], b: &[L], multiplier: usize) {
    if multiplier == 1 {
        return to.iter_mut().zip(a).zip(b).for_each(|((to, &a), &b)| *to = *to + a * b);
    }
    for ((to, &a), b) in to.chunks_exact_mut(multiplier.max(1)).zip(a).zip(b.chunks_exact(multiplier.max(1))) {
        to.iter_mut().zip(b).for_each(|(to, &b)| *to = *to + a * b);
    }
}

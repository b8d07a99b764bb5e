//! What poolings share: a window of `ksize` that moves over images or volumes.

use std::marker::PhantomData;

use multiversion::multiversion;
use oplink::arguments::TypedOp;
use oplink::{KernelEnv, prelude::*};

use oplink::parallel::poll;
use oplink_cpu_support::elementwise::{Arithmetic, ComputeFloat};
use oplink_cpu_support::parallel::for_each_row;
use oplink_ops::nn::window::WindowAttrs;
pub(super) use oplink_ops::nn::window::{PoolGeometry, PoolWindow};

/// A compute type whose values can be compared and added.
pub trait PoolElement: Arithmetic + PartialOrd {}

impl<L: Arithmetic + PartialOrd> PoolElement for L {}

/// The kernel of the op `O` for elements of type `T`, whose images or volumes have their channels last.
pub(super) struct Pooled<O, T> {
    pub(super) window: PoolWindow,
    marker: PhantomData<fn() -> (O, T)>,
}

impl<O: TypedOp, T> Pooled<O, T> {
    /// With the window that the attrs give.
    pub(super) fn of<'c>(construction: Construction<'c, O>) -> Result<Self>
    where
        WindowAttrs<'c>: From<O::Attrs<'c>>,
    {
        let op = &construction.node().op.name;
        Ok(Self { window: PoolWindow::channels_last(op, &construction.attrs.into())?, marker: PhantomData })
    }
}

/// Values that one thread should at least fold.
const TASK_COST: usize = 1 << 16;
/// Values in windows between two looks at the step.
const POLLED_VALUES: usize = 1 << 20;

/// The larger of two values; of others the first.
pub(super) fn larger<L: PartialOrd>(a: L, b: L) -> L {
    if b > a { b } else { a }
}

/// The largest value of each window no less than `least`.
pub(super) fn largest_values<L: PartialOrd + Copy + Send + Sync>(
    g: &PoolGeometry,
    env: &dyn KernelEnv,
    (image, out): (&[L], &mut [L]),
    least: L,
) {
    fold(g, env, (image, out), least, larger, |value, _| value);
}

/// As [`largest_values`], where a value that compares with no other replaces what was found before it.
pub(super) fn largest_values_or_last<L: PartialOrd + Copy + Send + Sync>(
    g: &PoolGeometry,
    env: &dyn KernelEnv,
    (image, out): (&[L], &mut [L]),
    least: L,
) {
    fold(g, env, (image, out), least, |a, b| if a > b { a } else { b }, |value, _| value);
}

/// The mean of each window.
pub(super) fn means<L: ComputeFloat>(g: &PoolGeometry, env: &dyn KernelEnv, image: &[L], out: &mut [L]) {
    let mean = |sum: L, count: usize| sum / L::from_f64(count.max(1) as f64);
    fold(g, env, (image, out), L::from_f64(0.0), |a, b| a + b, mean);
}

/// The mean of each window, rounded towards 0.
pub(super) fn integer_means(g: &PoolGeometry, env: &dyn KernelEnv, image: &[i32], out: &mut [i32]) {
    let mean = |sum: i32, count: usize| sum / count.max(1) as i32;
    fold(g, env, (image, out), 0, i32::wrapping_add, mean);
}

/// `windows`, each of an output pixel, with a look at the step as often as their extent asks for.
pub(super) fn watched<I: Iterator>(env: &dyn KernelEnv, g: &PoolGeometry, windows: I) -> impl Iterator<Item = I::Item> {
    let values = g.window().saturating_mul(g.channels).min(g.picture());
    let between = POLLED_VALUES / values.max(1);
    let mut left = between;
    windows.inspect(move |_| {
        if left == 0 {
            poll(env);
            left = between;
        } else {
            left -= 1;
        }
    })
}

/// Folds the values of each window: starts with `initial`, takes them in by `step`, row by row, and ends with
/// `finish`, which gets the number of values that the window covers.
fn fold<L: Copy + Send + Sync>(
    g: &PoolGeometry,
    env: &dyn KernelEnv,
    (image, out): (&[L], &mut [L]),
    initial: L,
    step: impl Fn(L, L) -> L + Copy + Sync,
    finish: impl Fn(L, usize) -> L + Copy + Sync,
) {
    if out.is_empty() {
        return;
    }
    let (width, lines) = (g.axes[2].output, g.axes[0].output * g.axes[1].output);
    for_each_row(env, out, width * g.channels, TASK_COST.div_ceil(g.window()), &|line, out| {
        let image = &image[line / lines * g.picture()..];
        for (x, out) in watched(env, g, out.chunks_exact_mut(g.channels).enumerate()) {
            out.fill(initial);
            let mut count = 0;
            g.runs(line % lines * width + x, |position, pixels| {
                take_in(&image[position..position + pixels * g.channels], out, step);
                count += pixels;
            });
            for value in out {
                *value = finish(*value, count);
            }
        }
    });
}

/// Calls `body` with each picture of `out`, which has the input's shape, and its number, on the environment's threads.
pub(super) fn each_picture<L: Send>(
    g: &PoolGeometry,
    env: &dyn KernelEnv,
    out: &mut [L],
    body: &(dyn Fn(usize, &mut [L]) + Sync),
) {
    if !out.is_empty() {
        for_each_row(env, out, g.picture(), TASK_COST / 4, body);
    }
}

/// Takes the pixels side by side in `from` into `out`, channel by channel.
#[allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]
#[multiversion(targets("x86_64+avx2+fma"))]
fn take_in<L: Copy, F: Fn(L, L) -> L>(from: &[L], out: &mut [L], step: F) {
    for pixel in from.chunks_exact(out.len()) {
        for (out, &value) in out.iter_mut().zip(pixel) {
            *out = step(*out, value);
        }
    }
}

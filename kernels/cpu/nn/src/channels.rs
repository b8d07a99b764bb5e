//! Loops over the channels of images and volumes: sums of each channel, and a line for each.
//!
//! Sums are those of blocks whose extent follows from the shape alone, added in order: they do not depend on the number
//! of threads.
#![allow(unsafe_code, reason = "room: calls of the versions that `multiversion` has checked the processor for")]

use multiversion::multiversion;
use oplink::{KernelEnv, prelude::*};

use oplink_cpu_support::parallel::{for_each_chunk, for_each_row};
use oplink_ops::attrs::ImageOrVolumeFormat;

/// Elements that one thread should at least have, and about those of a block.
const GRAIN: usize = 1 << 15;

/// Rows that a block has at least, so that its sums take little memory beside its elements.
const LEAST_ROWS: usize = 16;

/// `x` as [items, channels, inner]; inner is 1 where channels are last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) items: usize,
    pub(super) channels: usize,
    pub(super) inner: usize,
}

/// What is summed up over each channel, with `d = x - centre` in double precision.
#[derive(Debug, Clone, Copy)]
pub(super) enum Terms<'a> {
    /// `d` and its square.
    Powers,
    /// The values beside `x`, and their products with `d`.
    Products(&'a [f32]),
}

/// For each channel the factors of a line: `a * first + b * second + c`.
pub(super) struct Lines {
    pub(super) a: Vec<f32>,
    pub(super) b: Vec<f32>,
    pub(super) c: Vec<f32>,
}

impl Layout {
    /// Of the channels of `shape` in a data format.
    pub(super) fn of(format: ImageOrVolumeFormat, shape: &Shape) -> Result<Self> {
        let name = format.as_str();
        ensure!(shape.rank() == name.len(), "x must be of rank {} for {format}, its shape is {shape}", name.len());
        let axis = name.find('C').unwrap_or(shape.rank() - 1);
        let items = shape[..axis].iter().product();
        Ok(Self { items, channels: shape[axis], inner: shape[axis + 1..].iter().product() })
    }

    /// Values of each channel.
    pub(super) fn count(&self) -> usize {
        self.items * self.inner
    }

    /// Elements of an item; 1 where it has none.
    fn item(&self) -> usize {
        (self.channels * self.inner).max(1)
    }

    /// The two sums of each channel.
    pub(super) fn sums(&self, env: &dyn KernelEnv, x: &[f32], centre: &[f32], terms: Terms<'_>) -> Vec<[f64; 2]> {
        // bounded: as many as the input `scale` has
        let mut sums = vec![[0f64; 2]; self.channels];
        if x.is_empty() {
            return sums;
        }
        let items = if self.inner == 1 { (GRAIN / self.channels).max(LEAST_ROWS) } else { 1 };
        let (block, width) = (items * self.item(), 2 * self.channels);
        // bounded: at most an element for eight bytes of `x`, or two for each of its runs
        let mut partial = vec![0f64; x.len().div_ceil(block) * width];
        let grain = width * (GRAIN / block).max(1);
        for_each_row(env, &mut partial, width, grain, &|index, partial| {
            let part = index * block..x.len().min((index + 1) * block);
            let (first, second) = partial.split_at_mut(self.channels);
            let terms = match terms {
                Terms::Powers => Terms::Powers,
                Terms::Products(others) => Terms::Products(&others[part.clone()]),
            };
            match self.inner {
                1 => add_rows(&x[part], centre, terms, first, second),
                _ => add_runs(&x[part], self.inner, centre, terms, first, second),
            }
        });
        for block in partial.chunks_exact(width) {
            let (first, second) = block.split_at(self.channels);
            for ((sum, first), second) in sums.iter_mut().zip(first).zip(second) {
                *sum = [sum[0] + first, sum[1] + second];
            }
        }
        sums
    }

    /// Writes `(x - mean) * factor + offset` of each value.
    pub(super) fn normalize(
        &self,
        env: &dyn KernelEnv,
        x: &[f32],
        vectors: (&[f32], &[f32], &[f32]),
        after: After<'_>,
        y: &mut [f32],
    ) {
        if y.is_empty() {
            return;
        }
        for_each_chunk(env, y, GRAIN, self.item(), &|start, y| {
            let x = &x[start..][..y.len()];
            if self.inner == 1 {
                normalize_rows(x, vectors, y);
            } else {
                normalize_runs(x, self.inner, vectors, y);
            }
            if let Some(side) = after.side {
                y.iter_mut().zip(&side[start..]).for_each(|(y, side)| *y += side);
            }
            if after.relu {
                y.iter_mut().for_each(|y| *y = if *y < 0.0 { 0.0 } else { *y });
            }
        });
    }

    /// Writes the line of each pair of values.
    pub(super) fn combine(
        &self,
        env: &dyn KernelEnv,
        (first, second): (&[f32], &[f32]),
        lines: &Lines,
        out: &mut [f32],
    ) {
        if out.is_empty() {
            return;
        }
        for_each_chunk(env, out, GRAIN, self.item(), &|start, out| {
            let (first, second) = (&first[start..][..out.len()], &second[start..][..out.len()]);
            if self.inner == 1 {
                combine_rows(first, second, lines, out);
            } else {
                combine_runs(first, second, self.inner, lines, out);
            }
        });
    }
}

/// What a normalisation does to its result: adds a tensor of its shape, replaces negative values by 0.
#[derive(Clone, Copy, Default)]
pub(super) struct After<'a> {
    pub(super) side: Option<&'a [f32]>,
    pub(super) relu: bool,
}

/// Adds to the sums of the channels, which are last.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_rows(x: &[f32], centre: &[f32], terms: Terms<'_>, first: &mut [f64], second: &mut [f64]) {
    let channels = centre.len();
    let (first, second) = (&mut first[..channels], &mut second[..channels]);
    match terms {
        Terms::Powers => {
            for row in x.chunks_exact(channels) {
                for channel in 0..channels {
                    let d = f64::from(row[channel]) - f64::from(centre[channel]);
                    first[channel] += d;
                    second[channel] += d * d;
                }
            }
        }
        Terms::Products(others) => {
            for (row, others) in x.chunks_exact(channels).zip(others.chunks_exact(channels)) {
                for channel in 0..channels {
                    let d = f64::from(row[channel]) - f64::from(centre[channel]);
                    let other = f64::from(others[channel]);
                    first[channel] += other;
                    second[channel] += other * d;
                }
            }
        }
    }
}

/// Sums side by side, which are added at the end of a run.
const LANES: usize = 16;

/// Adds to the sums of the channels, each of which is a run of `inner` values.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_runs(x: &[f32], inner: usize, centre: &[f32], terms: Terms<'_>, first: &mut [f64], second: &mut [f64]) {
    for (number, run) in x.chunks_exact(inner).enumerate() {
        let channel = number % centre.len();
        let centre = f64::from(centre[channel]);
        let (mut one, mut two) = ([0f64; LANES], [0f64; LANES]);
        match terms {
            Terms::Powers => {
                for values in run.chunks(LANES) {
                    for ((&value, one), two) in values.iter().zip(&mut one).zip(&mut two) {
                        let d = f64::from(value) - centre;
                        *one += d;
                        *two += d * d;
                    }
                }
            }
            Terms::Products(others) => {
                let others = &others[number * inner..][..inner];
                for (values, others) in run.chunks(LANES).zip(others.chunks(LANES)) {
                    let lanes = values.iter().zip(others).zip(&mut one).zip(&mut two);
                    for (((&value, &other), one), two) in lanes {
                        *one += f64::from(other);
                        *two += f64::from(other) * (f64::from(value) - centre);
                    }
                }
            }
        }
        first[channel] += one.iter().sum::<f64>();
        second[channel] += two.iter().sum::<f64>();
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn normalize_rows(x: &[f32], vectors: (&[f32], &[f32], &[f32]), y: &mut [f32]) {
    let (mean, factor, offset) = vectors;
    let channels = mean.len();
    let (factor, offset) = (&factor[..channels], &offset[..channels]);
    for (x, y) in x.chunks_exact(channels).zip(y.chunks_exact_mut(channels)) {
        for channel in 0..channels {
            y[channel] = (x[channel] - mean[channel]) * factor[channel] + offset[channel];
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn normalize_runs(x: &[f32], inner: usize, vectors: (&[f32], &[f32], &[f32]), y: &mut [f32]) {
    let (mean, factor, offset) = vectors;
    for (number, (x, y)) in x.chunks_exact(inner).zip(y.chunks_exact_mut(inner)).enumerate() {
        let channel = number % mean.len();
        let (mean, factor, offset) = (mean[channel], factor[channel], offset[channel]);
        for (y, x) in y.iter_mut().zip(x) {
            *y = (x - mean) * factor + offset;
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn combine_rows(first: &[f32], second: &[f32], lines: &Lines, out: &mut [f32]) {
    let channels = lines.a.len();
    let (a, b, c) = (&lines.a[..channels], &lines.b[..channels], &lines.c[..channels]);
    let rows = first.chunks_exact(channels).zip(second.chunks_exact(channels));
    for (out, (first, second)) in out.chunks_exact_mut(channels).zip(rows) {
        for channel in 0..channels {
            out[channel] = first[channel] * a[channel] + second[channel] * b[channel] + c[channel];
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn combine_runs(first: &[f32], second: &[f32], inner: usize, lines: &Lines, out: &mut [f32]) {
    let runs = first.chunks_exact(inner).zip(second.chunks_exact(inner));
    for (number, (out, (first, second))) in out.chunks_exact_mut(inner).zip(runs).enumerate() {
        let channel = number % lines.a.len();
        let (a, b, c) = (lines.a[channel], lines.b[channel], lines.c[channel]);
        for ((out, first), second) in out.iter_mut().zip(first).zip(second) {
            *out = first * a + second * b + c;
        }
    }
}

#[cfg(test)]
mod tests;

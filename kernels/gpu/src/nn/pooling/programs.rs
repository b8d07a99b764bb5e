//! The programs of poolings: a thread for each element of an output goes over the values that its window covers, or
//! over the windows that cover its value. An image is a volume of one plane.

use oplink::gpu::grid_stride;
use oplink::prelude::*;
use oplink::program;

use super::super::convolution::Strides;

/// One axis of a pooling: extents of image and output, and the windows.
#[device_struct]
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolAxis {
    pub(super) image: u32,
    pub(super) output: u32,
    /// Positions of a window.
    pub(super) taps: u32,
    pub(super) stride: u32,
    /// Padding before the image.
    pub(super) before: u32,
}

/// A pooling of volumes.
#[device_struct]
#[derive(Clone, Copy, Debug)]
pub(super) struct Pool {
    pub(super) channels: u32,
    pub(super) planes: PoolAxis,
    pub(super) rows: PoolAxis,
    pub(super) columns: PoolAxis,
    pub(super) image: Strides,
    pub(super) output: Strides,
}

/// The first position of the image that a window covers, and the one behind the last.
#[device_fn]
fn covered(axis: PoolAxis, window: u32) -> (u32, u32) {
    let start = window * axis.stride;
    let first = start.max(axis.before) - axis.before;
    let end = (start + axis.taps).min(axis.image + axis.before).max(axis.before) - axis.before;
    (first, end.max(first))
}

/// The first window that covers a position of the image, and the one behind the last.
#[device_fn]
fn covering(axis: PoolAxis, position: u32) -> (u32, u32) {
    let at = position + axis.before;
    let first = if at < axis.taps { 0 } else { (at - axis.taps) / axis.stride + 1 };
    (first, (at / axis.stride + 1).min(axis.output))
}

/// Where an element of one side lies: the start of its batch and channel on the other side, and its plane, row and
/// column.
#[device_fn]
fn position(at: u32, own: Strides, other: Strides, extents: [u32; 4]) -> (u32, u32, u32, u32) {
    let [channels, planes, rows, columns] = extents;
    let pixel = at / own.pixel % (planes * rows * columns);
    let start = at / own.batch * other.batch + at / own.channel % channels * other.channel;
    (start, pixel / columns / rows, pixel / columns % rows, pixel % columns)
}

/// The start of an output's image, and the planes, rows and columns that its window covers.
#[device_fn]
fn window_of(pool: Pool, at: u32) -> (u32, (u32, u32), (u32, u32), (u32, u32)) {
    let extents = [pool.channels, pool.planes.output, pool.rows.output, pool.columns.output];
    let (start, plane, row, column) = position(at, pool.output, pool.image, extents);
    (start, covered(pool.planes, plane), covered(pool.rows, row), covered(pool.columns, column))
}

/// The start of an image's output, and the planes, rows and columns of the windows that cover a value.
#[device_fn]
fn windows_of(pool: Pool, at: u32) -> (u32, (u32, u32), (u32, u32), (u32, u32)) {
    let extents = [pool.channels, pool.planes.image, pool.rows.image, pool.columns.image];
    let (start, plane, row, column) = position(at, pool.image, pool.output, extents);
    (start, covering(pool.planes, plane), covering(pool.rows, row), covering(pool.columns, column))
}

/// The element of the image at a position.
#[device_fn]
fn in_image(pool: Pool, start: u32, plane: u32, row: u32, column: u32) -> u32 {
    start + ((plane * pool.rows.image + row) * pool.columns.image + column) * pool.image.pixel
}

/// The element of the output of a window.
#[device_fn]
fn in_output(pool: Pool, start: u32, plane: u32, row: u32, column: u32) -> u32 {
    start + ((plane * pool.rows.output + row) * pool.columns.output + column) * pool.output.pixel
}

/// The number of values that a window covers.
#[device_fn]
fn size(planes: (u32, u32), rows: (u32, u32), columns: (u32, u32)) -> f32 {
    ((planes.1 - planes.0) * (rows.1 - rows.0) * (columns.1 - columns.0)) as f32
}

/// The mean of each window, summed in f32.
#[program(block = 256, T = [f16, bf16, f32])]
pub(super) fn window_mean<T: Float>(image: &[T], output: &mut [T], pool: Pool, count: u32) {
    for at in grid_stride(count) {
        let (start, planes, rows, columns) = window_of(pool, at);
        let mut sum = 0.0f32;
        for plane in planes.0..planes.1 {
            for row in rows.0..rows.1 {
                for column in columns.0..columns.1 {
                    sum += image[in_image(pool, start, plane, row, column) as usize].to_f32();
                }
            }
        }
        output[at as usize] = T::from_f32(sum / size(planes, rows, columns).max(1.0));
    }
}

/// The largest value of each window. NaN is passed over, or with `takes_nan` replaces what was found before it and is
/// replaced by what follows.
#[program(block = 256, T = [f16, bf16, f32])]
pub(super) fn window_max<T: Float>(image: &[T], output: &mut [T], pool: Pool, takes_nan: bool, count: u32) {
    for at in grid_stride(count) {
        let (start, planes, rows, columns) = window_of(pool, at);
        let mut top = T::min_value();
        for plane in planes.0..planes.1 {
            for row in rows.0..rows.1 {
                for column in columns.0..columns.1 {
                    let value = image[in_image(pool, start, plane, row, column) as usize];
                    let stays = top > value;
                    if value > top || takes_nan && !stays {
                        top = value;
                    }
                }
            }
        }
        output[at as usize] = top;
    }
}

/// Where in the image the first of the largest values of each window is; NaN is the largest where it comes first.
#[program(block = 256, T = [f16, bf16, f32])]
pub(super) fn window_argmax<T: Float>(image: &[T], positions: &mut [u32], pool: Pool, count: u32) {
    for at in grid_stride(count) {
        let (start, planes, rows, columns) = window_of(pool, at);
        let mut top = T::zero();
        let mut found = u32::MAX;
        for plane in planes.0..planes.1 {
            for row in rows.0..rows.1 {
                for column in columns.0..columns.1 {
                    let from = in_image(pool, start, plane, row, column);
                    let value = image[from as usize];
                    if found == u32::MAX || value > top {
                        top = value;
                        found = from;
                    }
                }
            }
        }
        positions[at as usize] = found;
    }
}

/// The shares of each value in the gradients of the windows that cover it, summed in f32.
#[program(block = 256, T = [f16, bf16, f32])]
pub(super) fn mean_gradient<T: Float>(gradient: &[T], output: &mut [T], pool: Pool, count: u32) {
    for at in grid_stride(count) {
        let (start, planes, rows, columns) = windows_of(pool, at);
        let mut sum = 0.0f32;
        for plane in planes.0..planes.1 {
            for row in rows.0..rows.1 {
                for column in columns.0..columns.1 {
                    let slope = gradient[in_output(pool, start, plane, row, column) as usize].to_f32();
                    let depth = covered(pool.planes, plane);
                    sum += slope / size(depth, covered(pool.rows, row), covered(pool.columns, column));
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
    }
}

/// The sum, in f32, of the gradients of the windows whose largest value is less than 1e-5 away from each value.
#[program(block = 256, T = [f16, bf16, f32])]
pub(super) fn equal_gradient<T: Float>(
    image: &[T],
    pooled: &[T],
    gradient: &[T],
    output: &mut [T],
    pool: Pool,
    count: u32,
) {
    for at in grid_stride(count) {
        let (start, planes, rows, columns) = windows_of(pool, at);
        let value = image[at as usize].to_f32();
        let mut sum = 0.0f32;
        for plane in planes.0..planes.1 {
            for row in rows.0..rows.1 {
                for column in columns.0..columns.1 {
                    let window = in_output(pool, start, plane, row, column) as usize;
                    if (value - pooled[window].to_f32()).abs() < 1e-5 {
                        sum += gradient[window].to_f32();
                    }
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
    }
}

/// The sum, in f32, of the gradients of the windows that found each value.
#[program(block = 256, T = [f16, bf16, f32])]
pub(super) fn argmax_gradient<T: Float>(gradient: &[T], positions: &[u32], output: &mut [T], pool: Pool, count: u32) {
    for at in grid_stride(count) {
        let (start, planes, rows, columns) = windows_of(pool, at);
        let mut sum = 0.0f32;
        for plane in planes.0..planes.1 {
            for row in rows.0..rows.1 {
                for column in columns.0..columns.1 {
                    let window = in_output(pool, start, plane, row, column) as usize;
                    if positions[window] == at {
                        sum += gradient[window].to_f32();
                    }
                }
            }
        }
        output[at as usize] = T::from_f32(sum);
    }
}

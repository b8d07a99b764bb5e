//! Convolutions as products of the patches that pixels see with a filter, a square of results for each block.
//!
//! One program serves a convolution and its gradient with respect to the input, which is a convolution of the gradient
//! whose pixels stand apart by the stride, with taps in reverse. Distances that go back wrap around.

use oplink::device::{DeviceContext, ProgramArg, ScalarValue};
use oplink::gpu::{barrier, block_index, grid_dim, shared, thread_index};
use oplink::prelude::*;

use super::super::extents::{blocks, extent};
use super::layout::Strides;

/// How the taps of a window meet an image along one axis: `position = output * step + tap * reach + shift`, in 32 bits
/// that wrap. Pixels of the image stand at the multiples of `spread`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    pub(super) input: u32,
    pub(super) output: u32,
    pub(super) taps: u32,
    pub(super) step: u32,
    pub(super) reach: u32,
    pub(super) shift: u32,
    pub(super) spread: u32,
}

/// Elements of a filter from one number to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct FilterStrides {
    pub(super) tap: u32,
    pub(super) depth: u32,
    pub(super) out: u32,
    pub(super) group: u32,
}

/// The extents of a launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tiles {
    pub(super) batch: usize,
    pub(super) rows: Meeting,
    pub(super) columns: Meeting,
    /// Channels of a group that are summed over, and that are computed.
    pub(super) depth: usize,
    pub(super) out: usize,
    pub(super) groups: usize,
    pub(super) image: Strides,
    pub(super) filter: FilterStrides,
    pub(super) output: Strides,
}

/// Blocks that keep a large device busy.
const BUSY: usize = 256;

impl Tiles {
    /// Sets `output`, which has elements, to the convolution of `image` with `filter`.
    ///
    /// # Errors
    /// Too many elements; the device refuses.
    pub(super) fn launch(&self, device: &dyn DeviceContext, [image, filter, output]: [&Tensor; 3]) -> Result<()> {
        let pixels = self.batch * (self.rows.output * self.columns.output) as usize;
        let squares = |side: usize| pixels.div_ceil(side) * self.out.div_ceil(side) * self.groups;
        let is_large = self.out > 32 && squares(64) >= BUSY;
        let side = if is_large { 64 } else { 32 };
        let grid = [blocks(pixels, side), blocks(self.out, side), blocks(self.groups, 1)];
        ensure!(grid[2] as usize == self.groups, "{} groups: a convolution on a GPU has at most 65535", self.groups);
        ensure!(
            grid[1] as usize * side >= self.out,
            "a convolution on a GPU has at most 2097120 output channels a group"
        );
        let program = match is_large {
            true => large_tiles::program(image.dtype())?,
            false => small_tiles::program(image.dtype())?,
        };
        let buffers = [image, filter, output].map(ProgramArg::Buffer);
        let scalars = self.scalars(extent(pixels)?)?.map(|value| ProgramArg::Scalar(ScalarValue::U32(value)));
        let args: Vec<ProgramArg<'_>> = buffers.into_iter().chain(scalars).collect();
        device.launch(program, grid, &args)
    }

    /// The programs' values after the buffers, in order.
    fn scalars(&self, pixels: u32) -> Result<[u32; 31]> {
        let Self { rows, columns, image, filter, output, .. } = self;
        let patch = extent((rows.taps * columns.taps) as usize * self.depth)?;
        Ok([
            pixels,
            // Numbers are divided by it, also where there is nothing to sum.
            self.depth.max(1) as u32,
            self.out as u32,
            patch,
            columns.input,
            rows.input * rows.spread,
            columns.input * columns.spread,
            rows.output,
            columns.output,
            columns.taps,
            rows.step,
            rows.reach,
            rows.shift,
            rows.spread,
            columns.step,
            columns.reach,
            columns.shift,
            columns.spread,
            image.batch,
            image.pixel,
            image.channel,
            filter.tap,
            filter.depth,
            filter.out,
            filter.group,
            output.batch,
            output.pixel,
            output.channel,
            // Neighbouring threads take neighbours in memory.
            u32::from(image.pixel == 1),
            u32::from(filter.out != 1),
            u32::from(output.pixel == 1),
        ])
    }
}

/// A program that computes squares of `SIDE` pixels by `SIDE` output channels, of which each thread has `REACH` by
/// `REACH`, 16 apart. The patches and the filter go through shared memory in slices of 16 numbers, in lines of `PITCH`.
macro_rules! tiles {
    ($(#[$doc:meta])* $name:ident, side $side:literal, reach $reach:literal, sums $sums:literal, pitch $pitch:literal,
        slice $slice:literal) => {
        $(#[$doc])*
        #[program(block = 256, T = [f16, bf16, f32])]
        fn $name<T: Float>(
            image: &[T],
            filter: &[T],
            output: &mut [T],
            pixels: u32,
            depth: u32,
            out: u32,
            patch: u32,
            image_columns: u32,
            row_end: u32,
            column_end: u32,
            output_rows: u32,
            output_columns: u32,
            tap_columns: u32,
            row_step: u32,
            row_reach: u32,
            row_shift: u32,
            row_spread: u32,
            column_step: u32,
            column_reach: u32,
            column_shift: u32,
            column_spread: u32,
            image_batch: u32,
            image_pixel: u32,
            image_channel: u32,
            filter_tap: u32,
            filter_depth: u32,
            filter_out: u32,
            filter_group: u32,
            output_batch: u32,
            output_pixel: u32,
            output_channel: u32,
            by_pixels: u32,
            by_depth: u32,
            to_pixels: u32,
        ) {
            const REACH: u32 = $reach;
            const PITCH: u32 = $pitch;
            // A position that no tap brings into an image.
            const NOWHERE: u32 = 0x8000_0000;
            let mut patches = shared::<f32, $slice>();
            let mut weights = shared::<f32, $slice>();
            let lane = thread_index().x as u32 % 16;
            let line = thread_index().x as u32 / 16;
            // What the thread brings: number `patch_k` of the patches of pixels `patch_m`, `weight_k` of channels
            // `weight_n`.
            let patch_k = if by_pixels == 1 { line } else { lane };
            let patch_m = if by_pixels == 1 { lane } else { line };
            let weight_k = if by_depth == 1 { lane } else { line };
            let weight_n = if by_depth == 1 { line } else { lane };
            // What the thread computes: pixels `result_m` and channels `result_n`.
            let result_m = if to_pixels == 1 { lane } else { line };
            let result_n = if to_pixels == 1 { line } else { lane };
            let group = block_index().z as u32;
            let first_out = block_index().y as u32 * $side;
            let plane = output_rows * output_columns;
            for tile in (block_index().x..((pixels + $side - 1) / $side) as usize).step_by(grid_dim().x) {
                let first_pixel = tile as u32 * $side;
                let mut starts = [0u32; $reach];
                let mut rows = [0u32; $reach];
                let mut columns = [0u32; $reach];
                for i in 0..REACH {
                    let pixel = first_pixel + patch_m + 16 * i;
                    let within = pixel % plane;
                    starts[i as usize] = pixel / plane * image_batch + group * depth * image_channel;
                    rows[i as usize] =
                        if pixel < pixels { within / output_columns * row_step + row_shift } else { NOWHERE };
                    columns[i as usize] = within % output_columns * column_step + column_shift;
                }
                let mut sums = [0.0f32; $sums];
                let mut tap = patch_k / depth;
                let mut channel = patch_k % depth;
                let mut weight_tap = weight_k / depth;
                let mut weight_channel = weight_k % depth;
                for start in (0..patch).step_by(16) {
                    let row_tap = tap / tap_columns * row_reach;
                    let column_tap = tap % tap_columns * column_reach;
                    for i in 0..REACH {
                        let mut row = rows[i as usize] + row_tap;
                        let mut column = columns[i as usize] + column_tap;
                        let mut is_inside = start + patch_k < patch && row < row_end && column < column_end;
                        if row_spread > 1 {
                            is_inside = is_inside && row % row_spread == 0;
                            row /= row_spread;
                        }
                        if column_spread > 1 {
                            is_inside = is_inside && column % column_spread == 0;
                            column /= column_spread;
                        }
                        let mut value = 0.0f32;
                        if is_inside {
                            let at = starts[i as usize]
                                + (row * image_columns + column) * image_pixel
                                + channel * image_channel;
                            value = image[at as usize].to_f32();
                        }
                        patches[(patch_k * PITCH + patch_m + 16 * i) as usize] = value;
                        let n = first_out + weight_n + 16 * i;
                        let mut weight = 0.0f32;
                        if start + weight_k < patch && n < out {
                            let at = weight_tap * filter_tap
                                + weight_channel * filter_depth
                                + n * filter_out
                                + group * filter_group;
                            weight = filter[at as usize].to_f32();
                        }
                        weights[(weight_k * PITCH + weight_n + 16 * i) as usize] = weight;
                    }
                    barrier();
                    for k in 0..16u32 {
                        let mut left = [0.0f32; $reach];
                        let mut right = [0.0f32; $reach];
                        for i in 0..REACH {
                            left[i as usize] = patches[(k * PITCH + result_m + 16 * i) as usize];
                            right[i as usize] = weights[(k * PITCH + result_n + 16 * i) as usize];
                        }
                        for i in 0..REACH {
                            for j in 0..REACH {
                                sums[(i * REACH + j) as usize] += left[i as usize] * right[j as usize];
                            }
                        }
                    }
                    barrier();
                    channel += 16;
                    while channel >= depth {
                        channel -= depth;
                        tap += 1;
                    }
                    weight_channel += 16;
                    while weight_channel >= depth {
                        weight_channel -= depth;
                        weight_tap += 1;
                    }
                }
                for i in 0..REACH {
                    let pixel = first_pixel + result_m + 16 * i;
                    let to = pixel / plane * output_batch + pixel % plane * output_pixel;
                    for j in 0..REACH {
                        let n = first_out + result_n + 16 * j;
                        if pixel < pixels && n < out {
                            output[(to + (group * out + n) * output_channel) as usize] =
                                T::from_f32(sums[(i * REACH + j) as usize]);
                        }
                    }
                }
            }
        }
    };
}

tiles!(
    /// For large products.
    large_tiles, side 64, reach 4, sums 16, pitch 65, slice 1040
);
tiles!(
    /// For products with few results.
    small_tiles, side 32, reach 2, sums 4, pitch 33, slice 528
);

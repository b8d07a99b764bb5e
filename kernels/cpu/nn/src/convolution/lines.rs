//! Convolutions of wide images line by line: nothing is gathered.
//!
//! What neighbouring pixels of an output line see of an input line overlaps, and is side by side in memory. So the rows
//! of the product are runs of the input lines themselves, copied once into a buffer with zeros around them.

use oplink::{KernelEnv, Result};

use super::geometry::Geometry;
use oplink_cpu_contraction::finish::{Finish, Left};
use oplink_cpu_contraction::matrix::Matrix;
use oplink_cpu_contraction::panels::panel_of;
use oplink_cpu_contraction::scratch::Scratch;
use oplink_cpu_contraction::tile::{Runs, TileElement};
use oplink_cpu_contraction::{TASK_COST, polled};
use oplink_cpu_support::parallel::for_each_chunk_up_to;

/// Pixels of a line at least: fewer do not fill the rows of a tile.
const MIN_WIDTH: usize = 24;
/// Elements of a patch at most: a panel of the filter stays in cache.
const MAX_PATCH: usize = 2048;
/// Elements that the buffered input lines should have at most.
const BUFFER_ELEMENTS: usize = 1 << 16;

/// Whether a convolution is better computed here than from gathered patches.
pub(super) fn fits(g: &Geometry) -> bool {
    let [planes, rows, columns] = &g.axes;
    planes.is_identity()
        && g.groups == 1
        && columns.dilation == 1
        && columns.output >= MIN_WIDTH
        && g.patch() <= MAX_PATCH
        && rows.window * columns.window > 1
}

/// The extents of the buffer.
#[derive(Debug, Clone, Copy)]
struct Buffer {
    /// Output lines that are computed from one filling.
    lines: usize,
    /// Elements of a buffered input line.
    width: usize,
}

impl Buffer {
    fn new(g: &Geometry) -> Self {
        let [_, rows, columns] = &g.axes;
        let width = ((columns.output - 1) * columns.stride + columns.window) * g.depth;
        let wanted = (BUFFER_ELEMENTS / width).saturating_sub(Self::reach(g)) / rows.stride + 1;
        Self { lines: wanted.min(rows.output), width }
    }

    /// Input lines that an output line sees, those between them included.
    fn reach(g: &Geometry) -> usize {
        (g.axes[1].window - 1) * g.axes[1].dilation + 1
    }

    /// Buffered input lines for so many output lines.
    fn input_lines(g: &Geometry, lines: usize) -> usize {
        (lines - 1) * g.axes[1].stride + Self::reach(g)
    }

    /// Fills `to` with the input lines that output lines `row..row + lines` of a picture see.
    fn fill<L: Copy + Default>(
        self,
        g: &Geometry,
        image: &[L],
        (batch, row): (usize, usize),
        lines: usize,
        to: &mut [L],
    ) {
        let [_, rows, columns] = &g.axes;
        let before = columns.before * g.depth;
        let inside = (columns.input * g.depth).min(self.width - before.min(self.width));
        let lines = to.chunks_exact_mut(self.width).take(Self::input_lines(g, lines));
        for (index, to) in lines.enumerate() {
            let at = (row * rows.stride + index).checked_sub(rows.before).filter(|&at| at < rows.input);
            let Some(at) = at.filter(|_| inside > 0) else {
                to.fill(L::default());
                continue;
            };
            to[..before].fill(L::default());
            to[before..before + inside].copy_from_slice(&image[g.input_at(batch, [0, at, 0])..][..inside]);
            to[before + inside..].fill(L::default());
        }
    }
}

/// Convolves an image given in its compute type.
pub(super) fn convolve<L: TileElement>(
    env: &dyn KernelEnv,
    g: &Geometry,
    (image, filter): (&[L], &[L]),
    finish: Finish<'_, L>,
    out: &mut [L],
) -> Result<()> {
    let buffer = Buffer::new(g);
    let filter = Matrix::row_major(filter, g.patch(), g.out_depth);
    let length = g.patch() * L::WIDTH + buffer.width * Buffer::input_lines(g, buffer.lines);
    let line = g.axes[2].output * g.out_depth;
    Scratch::with(env, length, |scratch| {
        for_each_chunk_up_to(env, out, polled(TASK_COST.div_ceil(g.patch())), line, &|start, part| {
            scratch.lend(|scratch| convolve_lines(g, buffer, (image, filter), finish, start / line, scratch, part));
        });
        Ok(())
    })
}

/// Computes the output lines from `first` on, counted over all pictures.
fn convolve_lines<L: TileElement>(
    g: &Geometry,
    buffer: Buffer,
    (image, filter): (&[L], Matrix<'_, L>),
    finish: Finish<'_, L>,
    mut first: usize,
    scratch: &mut [L],
    mut out: &mut [L],
) {
    let [_, rows, columns] = &g.axes;
    let line = columns.output * g.out_depth;
    let runs = Runs { count: rows.window, stride: rows.dilation * buffer.width, length: columns.window * g.depth };
    let (panel_buffer, input) = scratch.split_at_mut(g.patch() * L::WIDTH);
    while !out.is_empty() {
        let (batch, row) = (first / rows.output, first % rows.output);
        let lines = buffer.lines.min(rows.output - row).min(out.len() / line);
        let (part, rest) = out.split_at_mut(lines * line);
        buffer.fill(g, image, (batch, row), lines, input);
        for column in (0..g.out_depth).step_by(L::WIDTH) {
            let count = L::WIDTH.min(g.out_depth - column);
            let panel = panel_of(filter, finish.scale, (0, g.patch()), (column, count), usize::MAX, panel_buffer);
            for (index, part) in part.chunks_exact_mut(line).enumerate() {
                let left = Left {
                    values: &input[index * rows.stride * buffer.width..],
                    strides: (columns.stride * g.depth, 1),
                    runs,
                    rows: ((first + index) * columns.output, columns.output),
                    ends: (true, true),
                };
                finish.multiply(left, panel, &mut part[column..], g.out_depth);
            }
        }
        first += lines;
        out = rest;
    }
}

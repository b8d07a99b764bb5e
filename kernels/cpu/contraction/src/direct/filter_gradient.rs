//! The gradient of a convolution with respect to its filter: for each element of a patch, its products with the
//! gradient of the output, summed over all pixels.
//!
//! Pixels are taken in blocks. The output's gradient at a block's pixels is packed in panels, which stay in the second
//! level of cache; then for each tile of elements of a patch, these elements of all pixels are packed side by side,
//! which stay in the first level while the panels pass by. Where sums are few, runs of blocks are summed apart, so that
//! threads share out the pixels; how many there are depends on the shapes alone, and so does the order of each sum.

use std::ops::Range;

use oplink::{DType, KernelEnv, Result, Shape, Tensor, parallel};
use oplink_cpu_support::parallel::for_each_chunk;

use super::filter::{HALF, WIDTH};
use super::tile::{MAX_LENGTH, Strip, Tile, max_length};
use super::walk::Walk;
use super::{Patches, ShareOrder, part};
use crate::finish::Finish;
use crate::scratch::Scratch;
use crate::shared_output::SharedOutput;

/// Pixels of a block, about.
const BLOCK: usize = 448;
/// Elements of the output's gradient that are packed at a time, and of the input that are copied, about.
const PANELS: usize = 1 << 18;
const INPUT: usize = 1 << 18;
/// Shares of the work for each thread.
const SHARES_A_THREAD: usize = 2;
/// Runs of blocks that are summed apart at most, and elements of their sums.
const RUNS: usize = 16;
const SUMS: usize = 1 << 19;
/// Sums that one thread should at least add.
const GRAIN: usize = 1 << 14;

/// The gradient of a filter.
pub struct FilterGradient<'a> {
    /// What output pixels see.
    pub patches: Patches<'a>,
    /// The gradient of the output, `out_depth` elements for each pixel.
    pub gradient: &'a [f32],
    /// Output channels.
    pub out_depth: usize,
}

/// Output pixels of some lines of a picture, or of whole pictures.
#[derive(Clone)]
struct Block {
    pictures: Range<usize>,
    lines: Range<usize>,
}

/// Elements of a patch side by side: rows of the filter's gradient.
#[derive(Clone, Copy)]
struct Elements {
    /// The position of the first one in the input, from where a pixel's patch begins.
    input: usize,
    /// The first row.
    row: usize,
    count: usize,
}

/// A division of the work.
struct Plan {
    tiles: Vec<Elements>,
    blocks: Vec<Block>,
    /// Runs of blocks.
    runs: usize,
    /// Shares of a run: of the tiles, or of the panels where these are more.
    shares: usize,
    panels: usize,
    /// Panels that are packed at a time.
    group: usize,
    /// Elements of memory for the input, the packed panels, and a packed tile.
    memory: [usize; 3],
}

impl Plan {
    /// The blocks of a run.
    fn run(&self, run: usize) -> &[Block] {
        &self.blocks[part(self.blocks.len(), run, self.runs)]
    }

    /// Tiles and panels of a share of a run.
    fn share(&self, share: usize) -> (&[Elements], Range<usize>) {
        if self.tiles.len() >= self.panels {
            (&self.tiles[part(self.tiles.len(), share, self.shares)], 0..self.panels)
        } else {
            (&self.tiles, part(self.panels, share, self.shares))
        }
    }
}

/// Memory of a share, as the plan says.
struct Memory<'s> {
    input: &'s mut [f32],
    panels: &'s mut [f32],
    tile: &'s mut [f32],
}

impl FilterGradient<'_> {
    /// Computes the whole gradient, a row of `out_depth` elements for each element of a patch, on the environment's
    /// threads. There are pixels.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn compute(&self, env: &dyn KernelEnv, out: &mut [f32]) -> Result<()> {
        let (plan, length) = (self.plan(env.intra_op_threads(), out.len()), out.len());
        let shape = Shape::new(&[plan.runs - 1, length]);
        let mut others = Tensor::allocate(DType::Float, shape, env.allocator())?;
        let sums: Vec<_> = std::iter::once(&mut *out)
            .chain(others.as_mut_slice::<f32>()?.chunks_exact_mut(length))
            .map(|sums| SharedOutput::new(sums, self.out_depth))
            .collect();
        let order = ShareOrder::new(plan.runs * plan.shares);
        Scratch::with(env, plan.memory.iter().sum(), |scratch| {
            env.parallel_for(order.count, 1, &|range| {
                for index in range {
                    let (run, share) = (index / plan.shares, index % plan.shares);
                    let next = order.next(index).map(|next| next / plan.shares);
                    scratch.lend(|scratch| {
                        let (input, scratch) = scratch.split_at_mut(plan.memory[0]);
                        let (panels, tile) = scratch.split_at_mut(plan.memory[1]);
                        let mut memory = Memory { input, panels, tile };
                        // SAFETY: each share has sums that no other share has, which are borrowed for all.
                        unsafe { self.add_run(&plan, (run, next), share, &mut memory, sums[run], env) };
                    });
                }
            });
            Ok(())
        })?;
        let others = others.as_slice::<f32>()?;
        for_each_chunk(env, out, GRAIN, 1, &|start, part| {
            for sums in others.chunks_exact(length) {
                part.iter_mut().zip(&sums[start..]).for_each(|(sum, other)| *sum += other);
            }
        });
        Ok(())
    }

    /// The division of the work among so many threads, for so many sums.
    fn plan(&self, threads: usize, sums: usize) -> Plan {
        let (tiles, blocks, panels) = (self.tiles(), self.blocks(), self.out_depth.div_ceil(WIDTH));
        let runs = blocks.len().min(RUNS).min(SUMS / sums).max(1);
        let wanted = (threads * SHARES_A_THREAD).div_ceil(runs);
        let shares = if threads > 1 { tiles.len().max(panels).min(wanted) } else { 1 };
        let input = |block: &Block| block.pictures.len() * self.patches.input.scratch(block.lines.len());
        let input = blocks.iter().map(input).max().unwrap_or(0);
        let pixels = blocks.iter().map(|block| self.pixels(block).len()).max().unwrap_or(0);
        let group = (PANELS / (pixels * WIDTH)).clamp(1, panels);
        let memory = [input, group * pixels * WIDTH, pixels * 2 * MAX_LENGTH];
        Plan { tiles, blocks, runs, shares, panels, group, memory }
    }

    /// Adds the products of a share of a run to these sums; `next` is the run of the share behind it.
    ///
    /// # Safety
    /// While this runs, nobody else reads or writes these sums.
    unsafe fn add_run(
        &self,
        plan: &Plan,
        (run, next): (usize, Option<usize>),
        share: usize,
        memory: &mut Memory<'_>,
        out: SharedOutput<'_, f32>,
        env: &dyn KernelEnv,
    ) {
        let (tiles, panels) = plan.share(share);
        let blocks = plan.run(run);
        let next_run = next.and_then(|next| plan.run(next).first());
        for (index, block) in blocks.iter().enumerate() {
            let next = blocks.get(index + 1).or(next_run);
            // SAFETY: the sums are nobody else's, as this function demands of its callers.
            unsafe { self.add((block, next), (tiles, &panels, plan.group), memory, (index == 0, out), env) };
        }
    }

    /// The elements of a patch, in tiles.
    fn tiles(&self) -> Vec<Elements> {
        let walk = self.patches.walk;
        let taps = (0..walk.rows.0).flat_map(|row| (0..walk.columns.0).map(move |column| (row, column)));
        let of_tap = |(tap, (row, column)): (usize, (usize, usize))| {
            let input = row * walk.rows.1 + column * walk.columns.1;
            tiles(walk.length, tap * walk.length).into_iter().map(move |tile| Elements {
                input: input + tile.inputs[0],
                row: tile.pixels[0],
                count: tile.pixels[1] + tile.length - tile.pixels[0],
            })
        };
        taps.enumerate().flat_map(of_tap).collect()
    }

    /// The blocks of all pictures.
    fn blocks(&self) -> Vec<Block> {
        let Patches { pictures, lines, width, .. } = self.patches;
        let most = BLOCK.div_ceil(width);
        let pictures_at_once = (most / lines).min(INPUT / self.patches.input.scratch(lines).max(1));
        if pictures_at_once > 1 {
            let count = pictures.div_ceil(pictures_at_once);
            return (0..count).map(|index| Block { pictures: part(pictures, index, count), lines: 0..lines }).collect();
        }
        let count = lines.div_ceil(most);
        let of_picture = |picture| {
            (0..count).map(move |index| Block { pictures: picture..picture + 1, lines: part(lines, index, count) })
        };
        (0..pictures).flat_map(of_picture).collect()
    }

    /// The output pixels of a block, counted over all pictures.
    fn pixels(&self, block: &Block) -> Range<usize> {
        let Patches { width, pixels, .. } = self.patches;
        let end = pixels.min(block.lines.end * width);
        block.pictures.start * pixels + block.lines.start * width..(block.pictures.end - 1) * pixels + end
    }

    /// The input that a block sees of each of its pictures.
    fn inputs<'s>(&'s self, block: &Block, mut memory: &'s mut [f32]) -> Vec<&'s [f32]> {
        let (input, lines) = (self.patches.input, &block.lines);
        let of_picture = |picture| {
            let (scratch, others) = std::mem::take(&mut memory).split_at_mut(input.scratch(lines.len()));
            memory = others;
            input.lines(picture, lines.clone(), scratch)
        };
        block.pictures.clone().map(of_picture).collect()
    }

    /// Adds the products of a block to these sums, `group` panels at a time; those of the first block are set.
    ///
    /// # Safety
    /// While this runs, nobody else reads or writes these sums.
    unsafe fn add(
        &self,
        (block, next): (&Block, Option<&Block>),
        (tiles, panels, group): (&[Elements], &Range<usize>, usize),
        memory: &mut Memory<'_>,
        (is_first, out): (bool, SharedOutput<'_, f32>),
        env: &dyn KernelEnv,
    ) {
        let (inputs, pixels) = (self.inputs(block, memory.input), self.pixels(block));
        let mut ahead = Ahead::new(self, next, tiles.len() * panels.len());
        for first in panels.clone().step_by(group) {
            let panels = first..panels.end.min(first + group);
            for (index, to) in panels.clone().zip(memory.panels.chunks_exact_mut(pixels.len() * WIDTH)) {
                parallel::poll(env);
                self.pack_panel(index, pixels.clone(), to);
            }
            for elements in tiles {
                parallel::poll(env);
                let length = elements.count.div_ceil(2);
                let tile = &mut memory.tile[..pixels.len() * 2 * length];
                self.pack_tile(*elements, &inputs, pixels.len(), tile);
                let rows = [0, elements.count - length].map(|row| elements.row + row);
                let tiles = [Tile { length, inputs: [0, length], pixels: rows }];
                for (index, panel) in panels.clone().zip(memory.panels.chunks_exact(pixels.len() * WIDTH)) {
                    let (columns, width) = self.columns(index);
                    let strip = Strip {
                        input: tile,
                        step: 1,
                        walk: Walk { rows: (1, 0), columns: (pixels.len(), 2 * length), length: 1 },
                        panel: &panel[..pixels.len() * width],
                        next: ahead.next().unwrap_or_default(),
                        width,
                        columns,
                        finish: Finish::default(),
                        adds: !is_first,
                        out,
                    };
                    // SAFETY: the sums are nobody else's, as this function demands of its callers.
                    unsafe { strip.multiply(&tiles) };
                }
            }
        }
    }

    /// The columns of a panel, the first and the number, and the length of its lines.
    fn columns(&self, panel: usize) -> ((usize, usize), usize) {
        let count = WIDTH.min(self.out_depth - panel * WIDTH);
        ((panel * WIDTH, count), count.next_multiple_of(HALF))
    }

    /// Fills `to` with a panel of the output's gradient at these pixels.
    fn pack_panel(&self, index: usize, pixels: Range<usize>, to: &mut [f32]) {
        let ((column, count), width) = self.columns(index);
        let rows =
            self.gradient[pixels.start * self.out_depth..pixels.end * self.out_depth].chunks_exact(self.out_depth);
        for (to, from) in to.chunks_exact_mut(width).zip(rows) {
            to[..count].copy_from_slice(&from[column..][..count]);
            to[count..].fill(0.0);
        }
    }

    /// Fills `to` with these elements of the patches of all pixels, `inputs` of each picture.
    fn pack_tile(&self, elements: Elements, inputs: &[&[f32]], pixels: usize, to: &mut [f32]) {
        macro_rules! of_count {
            ($($count:literal $packed:literal),*) => {
                match elements.count {
                    $($count => self.pack_elements::<$count, $packed>(elements.input, inputs, pixels, to),)*
                    _ => panic!("a tile is too long"),
                }
            };
        }
        of_count!(1 2, 2 2, 3 4, 4 4, 5 6, 6 6, 7 8, 8 8, 9 10, 10 10, 11 12, 12 12, 13 14, 14 14);
    }

    /// As [`FilterGradient::pack_tile`], for `COUNT` elements, of which two segments make `PACKED`.
    fn pack_elements<const COUNT: usize, const PACKED: usize>(
        &self,
        input: usize,
        inputs: &[&[f32]],
        pixels: usize,
        to: &mut [f32],
    ) {
        let Patches { width, steps, .. } = self.patches;
        let lines = to.as_chunks_mut::<PACKED>().0.chunks_mut(pixels / inputs.len());
        for (from, to) in inputs.iter().zip(lines) {
            for (line, to) in to.chunks_mut(width).enumerate() {
                let from = &from[line * steps.0 + input..];
                for (column, to) in to.iter_mut().enumerate() {
                    let from = &from[column * steps.1..];
                    let Some(elements) = from.first_chunk::<COUNT>() else { panic!("a line is too short") };
                    if COUNT == PACKED {
                        to.copy_from_slice(elements);
                        continue;
                    }
                    let (first, second) = to.split_at_mut(PACKED / 2);
                    first.copy_from_slice(&elements[..PACKED / 2]);
                    second.copy_from_slice(&elements[COUNT - PACKED / 2..]);
                }
            }
        }
    }
}

/// What the strips of a block prefetch, a part each: the input and the output's gradient at the next block.
struct Ahead<'a> {
    sources: [&'a [f32]; 2],
    strips: usize,
    /// Strips for the input.
    inputs: usize,
    index: usize,
}

impl<'a> Ahead<'a> {
    fn new(of: &'a FilterGradient<'_>, next: Option<&Block>, strips: usize) -> Self {
        let Some(next) = next else { return Self { sources: [&[]; 2], strips, inputs: 0, index: 0 } };
        let pixels = of.pixels(next);
        let input = of.patches.input.source(next.pictures.clone(), next.lines.clone());
        let gradient = &of.gradient[pixels.start * of.out_depth..pixels.end * of.out_depth];
        let inputs = strips * input.len() / (input.len() + gradient.len());
        Self { sources: [input, gradient], strips, inputs, index: 0 }
    }
}

impl<'a> Iterator for Ahead<'a> {
    type Item = &'a [f32];

    fn next(&mut self) -> Option<&'a [f32]> {
        let index = self.index;
        self.index += 1;
        let [input, gradient] = self.sources;
        if index < self.inputs {
            return input.get(part(input.len(), index, self.inputs));
        }
        gradient.get(part(gradient.len(), index - self.inputs, self.strips - self.inputs))
    }
}

/// The tiles of so many elements side by side, which are rows of the gradient from `row` on. Segments do not overlap
/// where the elements are an even number.
pub(super) fn tiles(length: usize, row: usize) -> Vec<Tile> {
    let count = length.div_ceil(2 * max_length());
    let unit = if length.is_multiple_of(2) { 2 } else { 1 };
    let tile = |index: usize| {
        let part = part(length / unit, index, count);
        let part = part.start * unit..part.end * unit;
        let length = part.len().div_ceil(2);
        let inputs = [part.start, part.end - length];
        Tile { length, inputs, pixels: inputs.map(|input| row + input) }
    };
    (0..count).map(tile).collect()
}

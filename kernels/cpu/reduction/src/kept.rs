//! Reductions whose innermost elements go to neighbouring outputs: rows are joined element by element.

use oplink::KernelEnv;

use super::engine::{Loops, PIECE, TASK_COST, join_elements};
use super::layout::Layout;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::{for_each_chunk, for_each_row};

/// Rows of kept elements that are joined one after the other.
const ROW_BLOCK: usize = 32;
/// Kept elements that are reduced together; rows of at most half as many are joined several at a time.
const COLUMNS: usize = 64;
/// Kept elements of one row that a thread goes through together.
const TILE: usize = 4096;

/// Reduces `input`, which has elements, where the layout's innermost ones are kept.
pub(super) fn inner_kept<T: Computed, P: Copy + Send + Sync>(
    env: &dyn KernelEnv,
    loops: &Loops<T::ComputeType, P>,
    layout: &Layout,
    input: &[T],
    out: &mut [T],
) {
    if out.len() <= TILE && input.len() >= 2 * PIECE {
        return in_pieces(env, loops, layout, input, out);
    }
    let (width, groups) = (layout.inner, layout.groups());
    let unit = if width > COLUMNS { COLUMNS } else { width };
    for_each_chunk(env, out, TASK_COST.div_ceil(layout.count), unit, &|start, part| {
        // bounded: a tile
        let mut partials = vec![loops.identity; width.min(part.len()).min(TILE)];
        let mut done = 0;
        while done < part.len() {
            let (row, column) = ((start + done) / width, (start + done) % width);
            let length = (width - column).min(part.len() - done).min(TILE);
            let first = layout.output_start(row) + column;
            let partials = &mut partials[..length];
            partials.fill(loops.identity);
            join_rows(loops, layout, &input[first..], (0, groups), partials);
            loops.write(partials, layout.count, &mut part[done..done + length]);
            done += length;
        }
    });
}

/// Few outputs of many elements: the groups of each output row in pieces that threads share.
fn in_pieces<T: Computed, P: Copy + Send + Sync>(
    env: &dyn KernelEnv,
    loops: &Loops<T::ComputeType, P>,
    layout: &Layout,
    input: &[T],
    out: &mut [T],
) {
    let (width, groups) = (layout.inner, layout.groups());
    let length = PIECE.div_ceil(width);
    let pieces = groups.div_ceil(length);
    // bounded: a part of the input's size
    let mut partials = vec![loops.identity; out.len() * pieces];
    for_each_row(env, &mut partials, width, 1, &|index, partials| {
        let (row, start) = (index / pieces, index % pieces * length);
        let input = &input[layout.output_start(row)..];
        join_rows(loops, layout, input, (start, groups.min(start + length)), partials);
    });
    for (partials, out) in partials.chunks_exact_mut(pieces * width).zip(out.chunks_exact_mut(width)) {
        loops.join_tree(partials, width);
        loops.write(&partials[..width], layout.count, out);
    }
}

/// The rows `start..end` of `partials.len()` neighbouring outputs, whose elements start at `input[0]`, joined into
/// `partials`.
fn join_rows<T: Computed, P: Copy + Send + Sync>(
    loops: &Loops<T::ComputeType, P>,
    layout: &Layout,
    input: &[T],
    (start, end): (usize, usize),
    partials: &mut [P],
) {
    let narrow = layout.inner <= COLUMNS / 2 && partials.len() == layout.inner && layout.groups_adjoin();
    let at_once = if narrow { ROW_BLOCK * (COLUMNS / partials.len()) } else { ROW_BLOCK };
    if end - start > at_once {
        let middle = start.midpoint(end);
        join_rows(loops, layout, input, (start, middle), partials);
        // bounded: a tile
        let mut right = vec![loops.identity; partials.len()];
        join_rows(loops, layout, input, (middle, end), &mut right);
        (loops.join_partials)(partials, &right);
    } else if narrow {
        let values = &input[layout.group_offset(start)..][..(end - start) * partials.len()];
        join_narrow_rows(loops, values, partials);
    } else {
        for row in start..end {
            join_elements(loops.join_values, &input[layout.group_offset(row)..][..partials.len()], partials);
        }
    }
}

/// Rows side by side, each as long as `partials`, several at a time.
fn join_narrow_rows<T: Computed, P: Copy + Send + Sync>(
    loops: &Loops<T::ComputeType, P>,
    values: &[T],
    partials: &mut [P],
) {
    let width = partials.len();
    let mut strands = [loops.identity; COLUMNS];
    let strands = &mut strands[..COLUMNS / width * width];
    for rows in values.chunks(strands.len()) {
        join_elements(loops.join_values, rows, &mut strands[..rows.len()]);
    }
    loops.join_tree(strands, width);
    (loops.join_partials)(partials, &strands[..width]);
}

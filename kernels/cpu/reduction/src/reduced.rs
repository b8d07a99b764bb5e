//! Reductions whose innermost elements go to one output: slices are folded in strands.

use oplink::KernelEnv;

use super::engine::{PIECE, Reduction, TASK_COST, join_tree};
use super::layout::Layout;
use super::strands::{WAYS, fold_strands};
use oplink_cpu_support::elementwise::Lanes;
use oplink_cpu_support::parallel::{for_each_chunk, for_each_row};

/// Elements reduced one after the other, in `WAYS` interleaved strands.
const BLOCK: usize = 512;

/// Reduces `input`, which has elements, where the layout's innermost ones are reduced.
pub(super) fn inner_reduced<T: Lanes, R: Reduction<T>>(
    env: &dyn KernelEnv,
    layout: &Layout,
    input: &[T],
    out: &mut [T],
) {
    let groups = layout.groups();
    if let [out] = out
        && groups == 1
    {
        *out = R::finish(whole::<T, R>(env, input), layout.count);
        return;
    }
    for_each_chunk(env, out, TASK_COST.div_ceil(layout.count), 1, &|start, part| {
        for (index, out) in part.iter_mut().enumerate() {
            let first = layout.output_start(start + index);
            *out = R::finish(join_groups::<T, R>(layout, &input[first..], 0, groups), layout.count);
        }
    });
}

/// All elements, in pieces that threads share.
fn whole<T: Lanes, R: Reduction<T>>(env: &dyn KernelEnv, input: &[T]) -> R::Partial {
    if input.len() <= PIECE {
        return slice::<T, R>(input);
    }
    let mut partials = vec![R::IDENTITY; input.len().div_ceil(PIECE)];
    for_each_row(env, &mut partials, 1, 1, &|index, partial| {
        partial[0] = slice::<T, R>(&input[index * PIECE..input.len().min((index + 1) * PIECE)]);
    });
    join_tree::<T, R>(&mut partials, 1);
    partials[0]
}

/// The groups `start..end` of one output, whose elements start at `input[0]`.
fn join_groups<T: Lanes, R: Reduction<T>>(layout: &Layout, input: &[T], start: usize, end: usize) -> R::Partial {
    if end - start == 1 {
        return slice::<T, R>(&input[layout.group_offset(start)..][..layout.inner]);
    }
    let middle = start.midpoint(end);
    R::join(join_groups::<T, R>(layout, input, start, middle), join_groups::<T, R>(layout, input, middle, end))
}

/// Elements side by side.
fn slice<T: Lanes, R: Reduction<T>>(values: &[T]) -> R::Partial {
    if values.len() > BLOCK {
        let (left, right) = values.split_at(values.len().div_ceil(2).next_multiple_of(WAYS));
        return R::join(slice::<T, R>(left), slice::<T, R>(right));
    }
    match T::lanes(values) {
        Some(lanes) => block::<T, R>(lanes),
        None => widened_block::<T, R>(values),
    }
}

fn widened_block<T: Lanes, R: Reduction<T>>(values: &[T]) -> R::Partial {
    if values.len() < WAYS {
        return values.iter().fold(R::IDENTITY, |partial, value| R::join(partial, R::load(value.to_lane())));
    }
    let mut lanes = [T::Lane::default(); BLOCK];
    let lanes = &mut lanes[..values.len()];
    T::widen(values, lanes);
    block::<T, R>(lanes)
}

#[inline]
fn block<T: Lanes, R: Reduction<T>>(lanes: &[T::Lane]) -> R::Partial {
    let (strands, rest) = lanes.as_chunks::<WAYS>();
    let rest = rest.iter().fold(R::IDENTITY, |partial, &lane| R::join(partial, R::load(lane)));
    if strands.is_empty() {
        return rest;
    }
    let mut partials = [R::IDENTITY; WAYS];
    fold_strands(strands, &mut partials, |partial, lane| R::join(partial, R::load(lane)));
    let mut width = WAYS;
    while width > 1 {
        width /= 2;
        for way in 0..width {
            partials[way] = R::join(partials[way], partials[way + width]);
        }
    }
    R::join(partials[0], rest)
}

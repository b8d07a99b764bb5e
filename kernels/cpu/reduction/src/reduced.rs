//! Reductions whose innermost elements go to one output: slices are folded in strands.

use std::slice;

use oplink::KernelEnv;

use super::engine::{Loops, PIECE, TASK_COST};
use super::layout::Layout;
use super::strands::WAYS;
use oplink_cpu_support::elementwise::Computed;
use oplink_cpu_support::parallel::{for_each_chunk, for_each_row};

/// Elements reduced one after the other, in `WAYS` interleaved strands.
pub(super) const BLOCK: usize = 512;

/// Reduces `input`, which has elements, where the layout's innermost ones are reduced.
pub(super) fn inner_reduced<T: Computed, P: Copy + Send + Sync>(
    env: &dyn KernelEnv,
    loops: &Loops<T::ComputeType, P>,
    layout: &Layout,
    input: &[T],
    out: &mut [T],
) {
    let groups = layout.groups();
    if let [out] = out
        && groups == 1
    {
        let partial = whole(env, loops, input);
        return loops.write(&[partial], layout.count, slice::from_mut(out));
    }
    for_each_chunk(env, out, TASK_COST.div_ceil(layout.count), 1, &|start, part| {
        for (index, out) in part.iter_mut().enumerate() {
            let first = layout.output_start(start + index);
            let partial = join_groups(loops, layout, &input[first..], 0, groups);
            loops.write(&[partial], layout.count, slice::from_mut(out));
        }
    });
}

/// All elements, in pieces that threads share.
fn whole<T: Computed, P: Copy + Send + Sync>(env: &dyn KernelEnv, loops: &Loops<T::ComputeType, P>, input: &[T]) -> P {
    if input.len() <= PIECE {
        return joined(loops, input);
    }
    // bounded: a part of the input's size
    let mut partials = vec![loops.identity; input.len().div_ceil(PIECE)];
    for_each_row(env, &mut partials, 1, 1, &|index, partial| {
        partial[0] = joined(loops, &input[index * PIECE..input.len().min((index + 1) * PIECE)]);
    });
    loops.join_tree(&mut partials, 1);
    partials[0]
}

/// The groups `start..end` of one output, whose elements start at `input[0]`.
fn join_groups<T: Computed, P: Copy + Send + Sync>(
    loops: &Loops<T::ComputeType, P>,
    layout: &Layout,
    input: &[T],
    start: usize,
    end: usize,
) -> P {
    if end - start == 1 {
        return joined(loops, &input[layout.group_offset(start)..][..layout.inner]);
    }
    let middle = start.midpoint(end);
    loops.join(join_groups(loops, layout, input, start, middle), join_groups(loops, layout, input, middle, end))
}

/// Elements side by side.
fn joined<T: Computed, P: Copy>(loops: &Loops<T::ComputeType, P>, values: &[T]) -> P {
    if values.len() > BLOCK {
        let (left, right) = values.split_at(values.len().div_ceil(2).next_multiple_of(WAYS));
        return loops.join(joined(loops, left), joined(loops, right));
    }
    if let Some(computed) = T::computed(values) {
        return (loops.block)(computed);
    }
    if values.len() <= WAYS {
        return widened::<T, P, WAYS>(loops, values);
    }
    widened::<T, P, BLOCK>(loops, values)
}

/// At most `N` elements side by side, of a type that is not computed in.
fn widened<T: Computed, P: Copy, const N: usize>(loops: &Loops<T::ComputeType, P>, values: &[T]) -> P {
    let mut computed = [T::ComputeType::default(); N];
    let computed = &mut computed[..values.len()];
    T::widen(values, computed);
    (loops.block)(computed)
}

//! Runs a reduction over a layout: in blocks, whose results join as a balanced tree, so that rounding errors grow with
//! the logarithm of the number of elements. The result does not depend on the number of threads.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::kept::inner_kept;
use super::layout::Layout;
use super::reduced::inner_reduced;
use super::strands::{WAYS, fold_strands};
use oplink_cpu_support::elementwise::Computed;

/// Input elements that one thread should at least have.
pub(super) const TASK_COST: usize = 1 << 16;
/// Pieces of this many elements are reduced apart where many elements go to few outputs.
pub(super) const PIECE: usize = 1 << 16;

/// Elements of the buffer on the stack through which values are widened.
const WIDENED: usize = 64;

/// How the values of one output become one value.
pub(super) trait Reduction<L: Copy> {
    /// The type of partial results.
    type Partial: Copy + Send + Sync;
    /// The result of no elements.
    const IDENTITY: Self::Partial;
    /// One element's partial result.
    fn load(value: L) -> Self::Partial;
    /// Joins two partial results.
    fn join(a: Self::Partial, b: Self::Partial) -> Self::Partial;
    /// The output of `count` elements.
    fn finish(partial: Self::Partial, count: usize) -> L;
}

/// A reduction that joins values as they are.
pub(super) trait Join<L> {
    /// The result of no elements.
    const IDENTITY: L;
    /// Joins two values.
    fn join(a: L, b: L) -> L;
}

/// The reduction of a [`Join`].
pub(super) struct Joined<J>(PhantomData<J>);

impl<L: Copy + Send + Sync, J: Join<L>> Reduction<L> for Joined<J> {
    type Partial = L;
    const IDENTITY: L = J::IDENTITY;
    #[inline]
    fn load(value: L) -> L {
        value
    }
    #[inline]
    fn join(a: L, b: L) -> L {
        J::join(a, b)
    }
    #[inline]
    fn finish(partial: L, _: usize) -> L {
        partial
    }
}

/// The loops of a reduction: all of the engine that is compiled for each; the rest is compiled for each type of partial
/// results.
pub(super) struct Loops<L, P> {
    /// The result of no elements.
    pub(super) identity: P,
    /// The values joined, at most [`BLOCK`](super::reduced::BLOCK) of them.
    pub(super) block: fn(&[L]) -> P,
    /// Joins each value into the partial result beside it.
    pub(super) join_values: fn(&mut [P], &[L]),
    /// Joins each partial result on the right into the one on the left.
    pub(super) join_partials: fn(&mut [P], &[P]),
    /// The outputs of a number of elements each.
    pub(super) finish: fn(&[P], usize, &mut [L]),
}

impl<L: Copy, P: Copy> Loops<L, P> {
    fn of<R: Reduction<L, Partial = P>>() -> Self {
        Self {
            identity: R::IDENTITY,
            block: block::<L, R>,
            join_values: |partials, computed| {
                partials
                    .iter_mut()
                    .zip(computed)
                    .for_each(|(partial, &value)| *partial = R::join(*partial, R::load(value)));
            },
            join_partials: |left, right| left.iter_mut().zip(right).for_each(|(a, &b)| *a = R::join(*a, b)),
            finish: |partials, count, out| {
                out.iter_mut().zip(partials).for_each(|(out, &partial)| *out = R::finish(partial, count));
            },
        }
    }

    /// Two partial results joined.
    pub(super) fn join(&self, left: P, right: P) -> P {
        let mut joined = [left];
        (self.join_partials)(&mut joined, &[right]);
        joined[0]
    }

    /// Joins rows of `width` partial results into the first one, as a balanced tree.
    pub(super) fn join_tree(&self, partials: &mut [P], width: usize) {
        let count = partials.len() / width;
        if count > 1 {
            let (left, right) = partials.split_at_mut(count.div_ceil(2) * width);
            self.join_tree(left, width);
            self.join_tree(right, width);
            (self.join_partials)(&mut left[..width], &right[..width]);
        }
    }

    /// Writes the outputs of `count` elements each.
    pub(super) fn write<T: Computed<ComputeType = L>>(&self, partials: &[P], count: usize, out: &mut [T])
    where
        L: Default,
    {
        if let Some(computed) = T::computed_mut(out) {
            return (self.finish)(partials, count, computed);
        }
        let mut computed = [L::default(); WAYS];
        for (out, partials) in out.chunks_mut(WAYS).zip(partials.chunks(WAYS)) {
            let computed = &mut computed[..out.len()];
            (self.finish)(partials, count, computed);
            T::narrow(computed, out);
        }
    }
}

fn block<L: Copy, R: Reduction<L>>(computed: &[L]) -> R::Partial {
    let (strands, rest) = computed.as_chunks::<WAYS>();
    let rest = rest.iter().fold(R::IDENTITY, |partial, &value| R::join(partial, R::load(value)));
    if strands.is_empty() {
        return rest;
    }
    let mut partials = [R::IDENTITY; WAYS];
    fold_strands(strands, &mut partials, |partial, value| R::join(partial, R::load(value)));
    let mut width = WAYS;
    while width > 1 {
        width /= 2;
        for way in 0..width {
            partials[way] = R::join(partials[way], partials[way + width]);
        }
    }
    R::join(partials[0], rest)
}

/// Joins each element of `values`, in its compute type, into the one of `joined` beside it.
pub(super) fn join_elements<T: Computed, P>(join: fn(&mut [P], &[T::ComputeType]), values: &[T], joined: &mut [P]) {
    if let Some(computed) = T::computed(values) {
        return join(joined, computed);
    }
    let mut computed = [T::ComputeType::default(); WIDENED];
    for (values, joined) in values.chunks(WIDENED).zip(joined.chunks_mut(WIDENED)) {
        let computed = &mut computed[..values.len()];
        T::widen(values, computed);
        join(joined, computed);
    }
}

/// Reduces `input` over `axes`, and sets the output.
///
/// # Errors
/// An axis that does not exist, or that is listed twice.
pub(super) fn reduce<T: Computed, R: Reduction<T::ComputeType>>(
    input: &Tensor,
    axes: &Tensor,
    keep_dims: bool,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    reduce_by::<T, R::Partial>(&Loops::of::<R>(), input, (axes, keep_dims), output, env)
}

fn reduce_by<T: Computed, P: Copy + Send + Sync>(
    loops: &Loops<T::ComputeType, P>,
    input: &Tensor,
    (axes, keep_dims): (&Tensor, bool),
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let layout = Layout::new(input.shape(), axes, keep_dims)?;
    let input = input.as_slice::<T>()?;
    let out = output.allocate(layout.output.clone())?.as_mut_slice::<T>()?;
    if layout.count == 0 {
        for part in out.chunks_mut(WAYS) {
            loops.write(&[loops.identity; WAYS][..part.len()], 0, part);
        }
    } else if layout.inner_reduced {
        inner_reduced(env, loops, &layout, input, out);
    } else if !out.is_empty() {
        inner_kept(env, loops, &layout, input, out);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{Threads, run_in};

    /// Integers in an order that shows every misplaced element.
    fn numbers(dims: &[usize]) -> Tensor {
        let count = dims.iter().product::<usize>() as i64;
        Tensor::from_vec(dims, (0..count).map(|i| i * i % 1009 - 300).collect()).unwrap()
    }

    /// The sums, one addition after the other.
    fn plain_sums(input: &Tensor, axes: &[usize]) -> Vec<i64> {
        let view = input.to_array::<i64>().unwrap();
        let mut axes = axes.to_vec();
        axes.sort_unstable();
        let sum = axes.iter().rev().fold(view, |view, &axis| view.sum_axis(ndarray::Axis(axis)));
        sum.iter().copied().collect()
    }

    #[test]
    fn every_layout_gives_the_plain_sum() {
        let cases: &[(&[usize], &[&[usize]])] = &[
            (&[7, 5, 3, 2], &[&[0], &[1], &[2], &[3], &[0, 2], &[1, 3], &[0, 1], &[2, 3], &[0, 3], &[0, 1, 2, 3]]),
            (&[300, 1000], &[&[0], &[1], &[0, 1]]),
            (&[70000, 3], &[&[0], &[1]]),
            (&[2, 40000, 5], &[&[0], &[1], &[0, 2]]),
            (&[2000, 2, 100], &[&[0], &[0, 2], &[1]]),
            (&[3, 5000, 2, 10], &[&[1], &[0, 2], &[1, 3]]),
            (&[2, 9000], &[&[0]]),
        ];
        for (dims, axes) in cases {
            let input = numbers(dims);
            for axes in *axes {
                let list = Tensor::from(axes.iter().map(|&a| a as i32).collect::<Vec<_>>());
                for threads in [1, 3] {
                    let out = run_in(&Threads(threads), "Sum", &[], vec![input.clone(), list.clone()]).unwrap();
                    let same = out[0].as_slice::<i64>().unwrap() == plain_sums(&input, axes);
                    assert!(same, "{dims:?} {axes:?} on {threads} threads");
                }
            }
        }
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_sum() {
        let values: Vec<f32> = (0..300_000).map(|i| (i as f32 * 0.37).sin() * 1e3).collect();
        for (dims, axis) in [(&[300_000][..], 0), (&[100_000, 3], 0), (&[30, 10_000], 0), (&[30, 10_000], 1)] {
            let input = Tensor::from_vec(dims, values.clone()).unwrap();
            let sums = [1, 2, 5].map(|threads| {
                let inputs = vec![input.clone(), Tensor::scalar(axis)];
                run_in(&Threads(threads), "Sum", &[], inputs).unwrap()[0].as_slice::<f32>().unwrap().to_vec()
            });
            assert!(sums.iter().all(|sum| *sum == sums[0]), "{dims:?}");
        }
    }

    #[test]
    fn sums_of_many_equal_numbers_are_exact_to_the_last_places() {
        let input = Tensor::full([1 << 20, 2], 0.1f32);
        for dims in [[1 << 21, 1], [1 << 20, 2], [2, 1 << 20]] {
            let input = input.clone().with_shape(dims).unwrap();
            for axis in [0, 1] {
                let out = run_in(&Threads(2), "Sum", &[], vec![input.clone(), Tensor::scalar(axis)]).unwrap();
                let count = dims[axis as usize] as f64;
                for &sum in out[0].as_slice::<f32>().unwrap() {
                    assert!(
                        (f64::from(sum) / (count * f64::from(0.1f32)) - 1.0).abs() < 1e-6,
                        "{dims:?} {axis}: {sum}"
                    );
                }
            }
        }
    }
}

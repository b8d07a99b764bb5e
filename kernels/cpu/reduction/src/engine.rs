//! Runs a reduction over a layout: in blocks, whose results join as a balanced tree, so that rounding errors grow with
//! the logarithm of the number of elements. The result does not depend on the number of threads.

use std::marker::PhantomData;

use oplink::prelude::*;

use super::kept::inner_kept;
use super::layout::Layout;
use super::reduced::inner_reduced;
use oplink_cpu_support::elementwise::Lanes;

/// Input elements that one thread should at least have.
pub(super) const TASK_COST: usize = 1 << 16;
/// Pieces of this many elements are reduced apart where many elements go to few outputs.
pub(super) const PIECE: usize = 1 << 16;

/// How the elements of one output become one value.
pub(super) trait Reduction<T: Lanes> {
    /// The type of partial results.
    type Partial: Copy + Send + Sync;
    /// The result of no elements.
    const IDENTITY: Self::Partial;
    /// One element's partial result.
    fn load(lane: T::Lane) -> Self::Partial;
    /// Joins two partial results.
    fn join(a: Self::Partial, b: Self::Partial) -> Self::Partial;
    /// The output of `count` elements.
    fn finish(partial: Self::Partial, count: usize) -> T;
}

/// A reduction that joins lanes as they are.
pub(super) trait Join<L> {
    /// The result of no elements.
    const IDENTITY: L;
    /// Joins two lanes.
    fn join(a: L, b: L) -> L;
}

/// The reduction of a [`Join`].
pub(super) struct Joined<J>(PhantomData<J>);

impl<T: Lanes, J: Join<T::Lane>> Reduction<T> for Joined<J> {
    type Partial = T::Lane;
    const IDENTITY: T::Lane = J::IDENTITY;
    #[inline]
    fn load(lane: T::Lane) -> T::Lane {
        lane
    }
    #[inline]
    fn join(a: T::Lane, b: T::Lane) -> T::Lane {
        J::join(a, b)
    }
    #[inline]
    fn finish(partial: T::Lane, _: usize) -> T {
        T::from_lane(partial)
    }
}

/// Reduces `input` over `axes`, and sets the output.
///
/// # Errors
/// An axis that does not exist, or that is listed twice.
pub(super) fn reduce<T: Lanes, R: Reduction<T>>(
    input: &Tensor,
    axes: &Tensor,
    keep_dims: bool,
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    let layout = Layout::new(input.shape(), axes, keep_dims)?;
    let input = input.as_slice::<T>()?;
    let out = output.allocate(layout.output.clone())?.as_mut_slice::<T>()?;
    if layout.count == 0 {
        out.fill(R::finish(R::IDENTITY, 0));
    } else if layout.inner_reduced {
        inner_reduced::<T, R>(env, &layout, input, out);
    } else if !out.is_empty() {
        inner_kept::<T, R>(env, &layout, input, out);
    }
    Ok(())
}

/// Joins rows of `width` partial results into the first one, as a balanced tree.
pub(super) fn join_tree<T: Lanes, R: Reduction<T>>(partials: &mut [R::Partial], width: usize) {
    let count = partials.len() / width;
    if count > 1 {
        let (left, right) = partials.split_at_mut(count.div_ceil(2) * width);
        join_tree::<T, R>(left, width);
        join_tree::<T, R>(right, width);
        join_partials::<T, R>(&mut left[..width], &right[..width]);
    }
}

/// Joins each partial result on the right into the one on the left.
pub(super) fn join_partials<T: Lanes, R: Reduction<T>>(left: &mut [R::Partial], right: &[R::Partial]) {
    left.iter_mut().zip(right).for_each(|(a, &b)| *a = R::join(*a, b));
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

//! What reductions over segments share: which rows go where, and the loop that joins them.

use oplink::KernelEnv;
use oplink::memory::try_filled;
use oplink::prelude::*;
use oplink::shape_inference::int_values;

use super::super::engine::join_elements;
use oplink_cpu_support::elementwise::{Arithmetic, Computed};
use oplink_cpu_support::parallel::{for_each_block, for_each_chunk_up_to, watch};
use oplink_ops::reduction::{check_segments, num_segments, segment_count};

/// Output elements that one thread should at least have.
const GRAIN: usize = 1 << 13;
/// Rows of fewer elements are joined by one thread, as each thread looks at the segment of every row.
const NARROW: usize = 16;
/// Elements of the buffer on the stack through which values are widened.
const BLOCK: usize = 256;
/// Elements that are cleared between two looks at the step.
const CLEARED: usize = 1 << 18;
/// The segment of a row that is left out.
const NOWHERE: usize = usize::MAX;

/// Which rows of the data are joined to which rows of the output.
pub(super) struct Segments {
    /// Rows of the output.
    pub(super) count: usize,
    /// The output row that each entry goes to.
    ids: Vec<usize>,
    /// The row of the data that each entry is, where entries are not the rows in order.
    rows: Option<Vec<usize>>,
    /// Whether the ids do not fall.
    sorted: bool,
}

impl Segments {
    /// Rows by ids that do not fall, one for each row of the data of this shape; the last one is that of the last
    /// segment.
    pub(super) fn sorted(data: &Shape, ids: &Tensor) -> Result<Self> {
        check_segments(data, None, ids.shape())?;
        Self::rising(ids, None)
    }

    /// As [`Segments::sorted`], entry `i` being row `indices[i]` of the data.
    pub(super) fn sparse(data: &Shape, indices: &Tensor, ids: &Tensor) -> Result<Self> {
        let rows = check_segments(data, Some(indices.shape()), ids.shape())?;
        let row = |(at, index): (usize, i64)| match usize::try_from(index) {
            Ok(row) if row < rows => Ok(row),
            _ => bail!("indices[{at}] = {index} is not in [0, {rows})"),
        };
        let rows = int_values(indices)?.into_iter().enumerate().map(row).collect::<Result<_>>()?;
        Self::rising(ids, Some(rows))
    }

    /// As [`Segments::sparse`], for a number of segments that is given.
    pub(super) fn sparse_of_count(data: &Shape, indices: &Tensor, ids: &Tensor, count: &Tensor) -> Result<Self> {
        let count = segment_count(count)?;
        let segments = Self::sparse(data, indices, ids)?;
        ensure!(segments.count <= count, "segment_ids must be below num_segments, {count}");
        Ok(Self { count, ..segments })
    }

    fn rising(ids: &Tensor, rows: Option<Vec<usize>>) -> Result<Self> {
        let values = int_values(ids)?;
        let rise = values.is_sorted() && values.first().is_none_or(|&first| first >= 0);
        ensure!(rise, "segment_ids must be >= 0 and not fall");
        let ids: Vec<usize> = values.into_iter().map(|id| id as usize).collect();
        let count = match ids.last() {
            None => 0,
            Some(last) => last.checked_add(1).ok_or_else(|| Error::resource_exhausted("too many segments"))?,
        };
        Ok(Self { count, ids, rows, sorted: true })
    }

    /// Slices of data that starts with the shape of `ids`, by ids below `count` in any order; negative ones leave
    /// theirs out. Where the data has no elements, ids may be anything.
    pub(super) fn unsorted(data: &Shape, ids: &Tensor, count: &Tensor) -> Result<Self> {
        let count = num_segments(data, ids.shape(), count)?;
        let is_empty = data.num_elements() == 0;
        let id = |(at, id): (usize, i64)| match usize::try_from(id) {
            Err(_) => Ok(NOWHERE),
            Ok(id) if id < count => Ok(id),
            Ok(_) if is_empty => Ok(NOWHERE),
            Ok(_) => bail!("segment_ids[{at}] = {id} is not in [0, {count})"),
        };
        let ids = int_values(ids)?.into_iter().enumerate().map(id).collect::<Result<_>>()?;
        Ok(Self { count, ids, rows: None, sorted: false })
    }

    /// The number of entries of each segment.
    pub(super) fn sizes(&self) -> Result<Vec<usize>> {
        let mut sizes = try_filled(0, self.count)?;
        self.ids.iter().filter(|&&id| id != NOWHERE).for_each(|&id| sizes[id] += 1);
        Ok(sizes)
    }

    /// Entries, of which those of segments `first..first + count` are all.
    fn entries(&self, first: usize, count: usize) -> std::ops::Range<usize> {
        if !self.sorted {
            return 0..self.ids.len();
        }
        let start = self.ids.partition_point(|&id| id < first);
        start..start + self.ids[start..].partition_point(|&id| id < first + count)
    }
}

/// How the elements of a segment become one.
pub(super) trait Fold<L> {
    /// What the first element is joined to.
    const START: L;
    /// Joins one more element.
    fn join(folded: L, value: L) -> L;
}

/// The sum.
pub(super) struct Sum;
/// The product.
pub(super) struct Product;
/// The largest element; a NaN holds until a number follows.
pub(super) struct Largest;
/// The smallest element; a NaN holds until a number follows.
pub(super) struct Smallest;

impl<L: Arithmetic> Fold<L> for Sum {
    const START: L = L::ZERO;
    #[inline]
    fn join(folded: L, value: L) -> L {
        folded.add(value)
    }
}

impl<L: Arithmetic> Fold<L> for Product {
    const START: L = L::ONE;
    #[inline]
    fn join(folded: L, value: L) -> L {
        folded.mul(value)
    }
}

impl<L: Real> Fold<L> for Largest {
    const START: L = L::LOWEST;
    #[inline]
    fn join(folded: L, value: L) -> L {
        if folded > value { folded } else { value }
    }
}

impl<L: Real> Fold<L> for Smallest {
    const START: L = L::HIGHEST;
    #[inline]
    fn join(folded: L, value: L) -> L {
        if folded < value { folded } else { value }
    }
}

/// Joins each element on the right into the one on the left.
type JoinRow<L> = fn(&mut [L], &[L]);

fn join_row<L: Copy, F: Fold<L>>(folded: &mut [L], values: &[L]) {
    folded.iter_mut().zip(values).for_each(|(folded, &value)| *folded = F::join(*folded, value));
}

/// Sets the output, of shape `[segments] + element`, to the elements of `data` joined by segment and position, starting
/// from `start`, then changed by `finish`, which gets all elements of each segment and the number of its entries.
/// Unsorted elements of 16 bits are rounded after each step, and have no `finish`.
pub(super) fn fold<T: Computed, F: Fold<T::ComputeType>>(
    data: &Tensor,
    segments: &Segments,
    element: &[usize],
    ends: (T::ComputeType, Option<Finish<'_, T::ComputeType>>),
    output: &mut OutputSlot<'_>,
    env: &Env<'_>,
) -> Result<()> {
    fold_by::<T>(join_row::<T::ComputeType, F>, data, segments, element, ends, (output, env))
}

/// What changes the elements of a segment, given the number of its entries.
pub(super) type Finish<'f, L> = &'f dyn Fn(&mut [L], usize);

fn fold_by<T: Computed>(
    join: JoinRow<T::ComputeType>,
    data: &Tensor,
    segments: &Segments,
    element: &[usize],
    (start, finish): (T::ComputeType, Option<Finish<'_, T::ComputeType>>),
    (output, env): (&mut OutputSlot<'_>, &Env<'_>),
) -> Result<()> {
    let width: usize = element.iter().product();
    let data = data.as_slice::<T>()?;
    let out = output.allocate([&[segments.count], element].concat())?.as_mut_slice::<T>()?;
    if out.is_empty() {
        return Ok(());
    }
    let sizes = finish.map(|_| segments.sizes()).transpose()?.unwrap_or_default();
    let fill = |computed: &mut [T::ComputeType]| {
        for_each_block(env, computed, CLEARED, |_, part| part.fill(start));
        join_all(join, env, data, segments, width, computed);
        if let Some(finish) = finish {
            watch(env, computed.chunks_exact_mut(width)).zip(&sizes).for_each(|(row, size)| finish(row, *size));
        }
    };
    match T::computed_mut(out) {
        Some(computed) => fill(computed),
        None if !segments.sorted => {
            for_each_block(env, out, CLEARED, |_, part| part.fill(T::from_computed(start)));
            join_rounded(join, env, data, segments, width, out);
        }
        None => {
            let mut computed = try_filled(T::ComputeType::default(), out.len())?;
            fill(&mut computed);
            T::narrow(&computed, out);
        }
    }
    Ok(())
}

fn join_all<T: Computed>(
    join: JoinRow<T::ComputeType>,
    env: &dyn KernelEnv,
    data: &[T],
    segments: &Segments,
    width: usize,
    out: &mut [T::ComputeType],
) {
    let grain = if width < NARROW { out.len() } else { GRAIN.max(width) };
    // Each part goes through all entries: there are no more of them than threads need.
    for_each_chunk_up_to(env, out, (grain, usize::MAX), width, &|start, part| {
        let (first, count) = (start / width, part.len() / width);
        for entry in watch(env, segments.entries(first, count)) {
            let row = segments.ids[entry].wrapping_sub(first);
            if row < count {
                let source = segments.rows.as_ref().map_or(entry, |rows| rows[entry]);
                join_elements(join, &data[source * width..][..width], &mut part[row * width..][..width]);
            }
        }
    });
}

/// Joins rows in order, each result rounded to the dtype, which the compute type is wider than.
fn join_rounded<T: Computed>(
    join: JoinRow<T::ComputeType>,
    env: &dyn KernelEnv,
    data: &[T],
    segments: &Segments,
    width: usize,
    out: &mut [T],
) {
    let mut computed = [T::ComputeType::default(); BLOCK];
    let rows = data.chunks_exact(width).zip(&segments.ids);
    for (values, &id) in watch(env, rows).filter(|(_, id)| **id != NOWHERE) {
        for (folded, values) in out[id * width..][..width].chunks_mut(BLOCK).zip(values.chunks(BLOCK)) {
            let computed = &mut computed[..values.len()];
            T::widen(folded, computed);
            join_elements(join, values, computed);
            T::narrow(computed, folded);
        }
    }
}

#[cfg(test)]
mod tests {
    use oplink::prelude::*;

    use oplink_cpu_support::testing::{Threads, run_in};

    #[test]
    fn threads_share_segments() {
        let (rows, width, count) = (3000usize, 40usize, 500usize);
        let data: Vec<i64> = (0..rows * width).map(|i| (i * 7 % 1013) as i64).collect();
        let ids: Vec<i32> = (0..rows).map(|row| (row * 31 % (count + 1)) as i32 - 1).collect();
        let mut sums = vec![0i64; count * width];
        for (row, &id) in ids.iter().enumerate().filter(|(_, id)| **id >= 0) {
            (0..width).for_each(|column| sums[id as usize * width + column] += data[row * width + column]);
        }
        let data = Tensor::from_vec([rows, width], data).unwrap();
        for threads in [1, 3] {
            let inputs = vec![data.clone(), ids.clone().into(), (count as i32).into()];
            let out = run_in(&Threads(threads), "UnsortedSegmentSum", &[], inputs).unwrap();
            assert_eq!(out[0].as_slice::<i64>().unwrap(), sums);
        }
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        let sorted: Vec<i32> = sorted.iter().map(|id| id + 1).collect();
        let one = run_in(&Threads(1), "SegmentSum", &[], vec![data.clone(), sorted.clone().into()]).unwrap();
        let three = run_in(&Threads(3), "SegmentSum", &[], vec![data, sorted.into()]).unwrap();
        assert_eq!(one[0].as_slice::<i64>().unwrap(), three[0].as_slice::<i64>().unwrap());
    }
}

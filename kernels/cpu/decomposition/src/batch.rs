//! Batches of matrices: what stands in the last two axes of a tensor.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::shape_inference::broadcast_shapes;
use oplink_cpu_support::parallel::{for_each_chunk, poll};

/// Operations that one thread should at least have.
const GRAIN: usize = 1 << 14;

/// The extents of a batch.
#[derive(Debug, Clone)]
pub(crate) struct Matrices {
    pub(crate) batch: Vec<usize>,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl Matrices {
    /// Those of a tensor of rank 2 at least, which `name` names.
    pub(crate) fn of(name: &str, tensor: &Tensor) -> Result<Self> {
        let &[ref batch @ .., rows, columns] = tensor.shape().dims() else {
            bail!("{name} must be of rank 2 at least, its shape is {}", tensor.shape())
        };
        Ok(Self { batch: batch.to_vec(), rows, columns })
    }

    /// Those of a tensor of square matrices.
    pub(crate) fn square(name: &str, tensor: &Tensor) -> Result<Self> {
        let matrices = Self::of(name, tensor)?;
        ensure!(matrices.rows == matrices.columns, "{name} must be square matrices, its shape is {}", tensor.shape());
        Ok(matrices)
    }

    /// How many matrices there are.
    pub(crate) fn count(&self) -> usize {
        self.batch.iter().product()
    }

    /// Elements of one matrix.
    pub(crate) fn size(&self) -> usize {
        self.rows * self.columns
    }

    /// The smaller extent.
    pub(crate) fn smaller(&self) -> usize {
        self.rows.min(self.columns)
    }

    /// The batch, followed by other axes.
    pub(crate) fn followed_by(&self, axes: &[usize]) -> Shape {
        Shape::new(&[&self.batch, axes].concat())
    }

    /// One matrix of the elements of all.
    pub(crate) fn get<'a, T>(&self, elements: &'a [T], number: usize) -> &'a [T] {
        &elements[number * self.size()..][..self.size()]
    }
}

/// What `compute` makes of each of `count` numbers, which takes so many operations, on the threads of `env`.
pub(crate) fn each<R: Send>(
    env: Env<'_>,
    count: usize,
    operations: usize,
    compute: impl Fn(usize) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let mut found = try_vec(count)?;
    // bounded: reserved in the line before
    found.resize_with(count, || None);
    let grain = (GRAIN / operations.max(1)).max(1);
    for_each_chunk(&env, &mut found, grain, 1, &|start, found| {
        for (at, found) in found.iter_mut().enumerate() {
            poll(&env);
            *found = Some(compute(start + at));
        }
    });
    found.into_iter().map(|found| found.unwrap_or_else(|| Err(Error::internal("a matrix was left out")))).collect()
}

/// Sets an output to parts that follow each other.
pub(crate) fn write<'a, T: Element + Copy>(
    output: &mut OutputSlot<'_>,
    shape: Shape,
    parts: impl Iterator<Item = &'a [T]>,
) -> Result<()> {
    let mut rest = output.allocate(shape)?.as_mut_slice::<T>()?;
    for part in parts {
        let (out, after) = rest.split_at_mut(part.len());
        out.copy_from_slice(part);
        rest = after;
    }
    Ok(())
}

/// Two batches that broadcast: the batch of both, and for each of its matrices the numbers in either.
pub(crate) struct Pairs {
    pub(crate) batch: Vec<usize>,
    numbers: [Vec<usize>; 2],
}

impl Pairs {
    pub(crate) fn new(a: &[usize], b: &[usize]) -> Result<Self> {
        let batch = broadcast_shapes(a, b)?.dims().to_vec();
        let numbers = |of: &[usize]| {
            let count = batch.iter().product();
            let mut numbers = try_vec(count)?;
            numbers.extend((0..count).map(|number| source(number, &batch, of)));
            Ok::<_, Error>(numbers)
        };
        Ok(Self { numbers: [numbers(a)?, numbers(b)?], batch })
    }

    pub(crate) fn get(&self, number: usize) -> [usize; 2] {
        [self.numbers[0][number], self.numbers[1][number]]
    }
}

/// The number, in a batch that broadcasts to `batch`, of what `number` of that is made of.
fn source(mut number: usize, batch: &[usize], of: &[usize]) -> usize {
    let (mut source, mut stride) = (0, 1);
    for (axis, &extent) in batch.iter().enumerate().rev() {
        let position = number % extent;
        number /= extent;
        if let Some(own) = (axis + of.len()).checked_sub(batch.len()).map(|axis| of[axis]) {
            source += if own == 1 { 0 } else { position * stride };
            stride *= own;
        }
    }
    source
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn batches_broadcast() {
        let pairs = Pairs::new(&[2, 1], &[3]).unwrap();
        assert_eq!(pairs.batch, [2, 3]);
        assert_eq!([0, 2, 4].map(|number| pairs.get(number)), [[0, 0], [0, 2], [1, 1]]);
    }
}

//! The rows of elements one by one, and in batches of other sizes.

use std::collections::VecDeque;
use std::sync::Arc;

use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::join_rows;
use oplink_ops::data::ExperimentalUnbatchDataset;
use oplink_ops::data::{RebatchDatasetV2, UnbatchDataset};
use oplink_ops::movement::Piece;

use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};
use crate::sources::{common_rows, row};

struct Unbatch {
    input: DatasetHandle,
    /// Rows of every element, where the shapes tell.
    rows: Option<usize>,
}

struct UnbatchIterator {
    elements: Elements,
    batch: Element,
    rows: usize,
    next: usize,
}

impl Dataset for Unbatch {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        match (self.input.cardinality(), self.rows) {
            (Cardinality::Known(0), _) => Cardinality::Known(0),
            (Cardinality::Infinite, _) => Cardinality::Infinite,
            (Cardinality::Known(batches), Some(rows)) => Cardinality::Known(batches.saturating_mul(rows as u64)),
            _ => Cardinality::Unknown,
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let elements = self.input.iterate(run)?;
        Ok(Box::new(UnbatchIterator { elements, batch: Element::new(), rows: 0, next: 0 }))
    }
}

impl DatasetIterator for UnbatchIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        while self.next >= self.rows {
            let Some(batch) = self.elements.next(run)? else { return Ok(None) };
            (self.rows, self.next) = (common_rows(&batch)?, 0);
            self.batch = batch;
        }
        self.next += 1;
        self.batch.iter().map(|component| row(component, self.next - 1)).collect::<Result<_>>().map(Some)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.next as i64);
        to.put_tensors(&self.batch);
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        (self.next, self.batch) = (from.count()? as usize, from.tensors()?);
        self.rows = if self.batch.is_empty() { 0 } else { common_rows(&self.batch)? };
        self.elements.restore(run, from)
    }
}

/// `UnbatchDataset`: the rows share the memory of the elements.
#[kernel(UnbatchDataset, device = CPU)]
#[kernel(ExperimentalUnbatchDataset, device = CPU)]
pub fn unbatch_dataset_cpu(
    input_dataset: &DatasetHandle,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let rows = input_dataset.shapes().iter().find_map(|shape| shape.dims()?.first().copied().flatten());
    let unbatch = Unbatch { input: input_dataset.clone(), rows };
    DatasetHandle::new(&env, output_types, output_shapes, unbatch)
}

struct Rebatch {
    input: DatasetHandle,
    sizes: Arc<[usize]>,
    drop_remainder: bool,
}

struct RebatchIterator {
    elements: Elements,
    sizes: Arc<[usize]>,
    drop_remainder: bool,
    /// The size whose turn it is.
    turn: usize,
    /// Batches of the input that are not used up, of which the first lacks the rows that are.
    batches: VecDeque<Element>,
    /// Rows of the batches.
    rows: usize,
}

impl Dataset for Rebatch {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        match self.input.cardinality() {
            Cardinality::Known(0) => Cardinality::Known(0),
            Cardinality::Infinite => Cardinality::Infinite,
            _ => Cardinality::Unknown,
        }
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (elements, sizes, drop_remainder) = (self.input.iterate(run)?, self.sizes.clone(), self.drop_remainder);
        let batches = VecDeque::new();
        Ok(Box::new(RebatchIterator { elements, sizes, drop_remainder, turn: 0, batches, rows: 0 }))
    }
}

impl RebatchIterator {
    /// Takes the first rows of what is there.
    fn take(&mut self, run: &Run<'_>, count: usize) -> Result<Element> {
        let (mut parts, mut rest) = (Vec::new(), count);
        while let Some(batch) = self.batches.front_mut().filter(|_| rest > 0) {
            let there = common_rows(batch)?;
            let taken = there.min(rest);
            rest -= taken;
            self.rows -= taken;
            parts.push(batch.iter().map(|component| component.slice(0, taken)).collect::<Result<Element>>()?);
            if taken == there {
                self.batches.pop_front();
            } else {
                *batch = batch.iter().map(|component| component.slice(taken, there)).collect::<Result<_>>()?;
            }
        }
        if let [_] = &parts[..] {
            return Ok(parts.swap_remove(0));
        }
        let components = parts.first().map_or(0, Vec::len);
        (0..components).map(|at| concatenate(run, count, parts.iter().filter_map(|part| part.get(at)))).collect()
    }
}

/// Tensors of together `count` rows as one.
fn concatenate<'a>(run: &Run<'_>, count: usize, parts: impl Iterator<Item = &'a Tensor>) -> Result<Tensor> {
    let pieces: Vec<_> = parts.map(|tensor| Piece { tensor, length: tensor.num_elements() }).collect();
    let Some(first) = pieces.first().map(|piece| piece.tensor) else { bail!("there are no rows") };
    for piece in &pieces {
        let (shape, wanted) = (&piece.tensor.shape()[1..], &first.shape()[1..]);
        ensure!(shape == wanted, "rows of one batch must have one shape, there are {wanted:?} and {shape:?}");
    }
    let mut shape = first.shape().clone();
    shape.dims_mut()[0] = count;
    let mut out = Tensor::allocate(first.dtype(), shape, run.env.allocator())?;
    join_rows(run.env, &mut out, &pieces)?;
    Ok(out)
}

impl DatasetIterator for RebatchIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let wanted = self.sizes[self.turn];
        while self.rows < wanted {
            let Some(batch) = self.elements.next(run)? else { break };
            let rows = common_rows(&batch)?;
            if rows > 0 {
                self.rows += rows;
                self.batches.push_back(batch);
            }
        }
        if self.rows == 0 || (self.rows < wanted && self.drop_remainder) {
            return Ok(None);
        }
        self.turn = (self.turn + 1) % self.sizes.len();
        self.take(run, wanted.min(self.rows)).map(Some)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        to.put(self.turn as i64);
        to.put_elements(self.batches.iter());
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.turn = from.count()? as usize % self.sizes.len();
        self.batches = from.elements()?;
        self.rows = self.batches.iter().map(|batch| common_rows(batch)).sum::<Result<_>>()?;
        self.elements.restore(run, from)
    }
}

/// `RebatchDatasetV2`.
#[kernel(RebatchDatasetV2, device = CPU)]
pub fn rebatch_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    batch_sizes: &Tensor,
    drop_remainder: bool,
    output_types: &[DType],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let shape = batch_sizes.shape();
    ensure!(batch_sizes.rank() <= 1, "batch_sizes must be a vector or a scalar, it has shape {shape}");
    let size = |&size: &i64| {
        let error = || Error::invalid_argument(format!("batch_sizes must be greater than 0, there is {size}"));
        usize::try_from(size).ok().filter(|&size| size > 0).ok_or_else(error)
    };
    let sizes = int_values(batch_sizes)?.iter().map(size).collect::<Result<Arc<[usize]>>>()?;
    ensure!(!sizes.is_empty(), "batch_sizes is empty, it must have a size");
    let rebatch = Rebatch { input: input_dataset.clone(), sizes, drop_remainder };
    DatasetHandle::new(&env, output_types, output_shapes, rebatch)
}

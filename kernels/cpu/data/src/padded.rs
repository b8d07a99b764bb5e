//! Batches of elements of different shapes, padded to one.

use std::sync::Arc;

use oplink::prelude::*;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::{Cell, CellJob, with_cells};
use oplink_ops::data::{PaddedBatchDataset, PaddedBatchDatasetV2};

use crate::batch::Batches;
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};

/// A component's shape, with -1 for extents of the batch, and the value that fills it.
struct Padding {
    shape: Vec<i64>,
    value: Tensor,
}

struct PaddedBatch {
    input: DatasetHandle,
    batches: Batches,
    paddings: Arc<[Padding]>,
}

struct PaddedBatchIterator {
    elements: Elements,
    batches: Batches,
    paddings: Arc<[Padding]>,
}

impl Dataset for PaddedBatch {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn batch_size(&self, _: Env<'_>) -> Option<usize> {
        Some(self.batches.size)
    }

    fn cardinality(&self) -> Cardinality {
        self.batches.cardinality(self.input.cardinality())
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (batches, paddings) = (self.batches, self.paddings.clone());
        Ok(Box::new(PaddedBatchIterator { elements: self.input.iterate(run)?, batches, paddings }))
    }
}

impl DatasetIterator for PaddedBatchIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let Some(batch) = self.batches.collect(|| self.elements.next(run))? else { return Ok(None) };
        let pad = |(at, padding): (usize, &Padding)| {
            let rows: Vec<&Tensor> = batch.iter().filter_map(|element| element.get(at)).collect();
            padding.stack(run, &rows).map_err(|error| error.context(format!("component {at}")))
        };
        self.paddings.iter().enumerate().map(pad).collect::<Result<_>>().map(Some)
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.elements.restore(run, from)
    }
}

impl Padding {
    /// Rows of one shape.
    fn stack(&self, run: &Run<'_>, rows: &[&Tensor]) -> Result<Tensor> {
        let mut shape = Shape::new(&[rows.len()]);
        for (axis, &extent) in self.shape.iter().enumerate() {
            let mut largest = 0;
            for (at, row) in rows.iter().enumerate() {
                let (rank, wanted) = (row.rank(), self.shape.len());
                ensure!(rank == wanted, "element {at} has rank {rank}, the padded shape has rank {wanted}");
                largest = largest.max(row.shape()[axis]);
            }
            let padded = usize::try_from(extent).unwrap_or(largest);
            ensure!(
                largest <= padded,
                "an element has extent {largest} in axis {axis}, the padded shape only {padded}"
            );
            shape.push(padded);
        }
        let mut out = Tensor::allocate(self.value.dtype(), shape, run.env.allocator())?;
        with_cells(out.dtype(), Pad { out: &mut out, rows, value: &self.value })?;
        Ok(out)
    }
}

struct Pad<'a> {
    out: &'a mut Tensor,
    rows: &'a [&'a Tensor],
    value: &'a Tensor,
}

impl CellJob for Pad<'_> {
    type Output = ();

    fn run<C: Cell>(self) -> Result<()> {
        let shape = Shape::new(&self.out.shape()[1..]);
        let (length, cells) = (shape.num_elements(), C::of_mut(self.out)?);
        let [value] = C::of(self.value)? else { bail!("the padding value must be a scalar") };
        for (at, row) in self.rows.iter().enumerate() {
            let to = &mut cells[at * length..(at + 1) * length];
            to.fill(value.clone());
            copy_block(to, &shape, C::of(row)?, row.shape());
        }
        Ok(())
    }
}

/// Copies a tensor to the front of one that is larger along every axis.
fn copy_block<C: Cell>(to: &mut [C], larger: &[usize], from: &[C], shape: &[usize]) {
    if from.is_empty() {
        return;
    }
    match (larger, shape) {
        ([_, larger @ ..], [count, shape @ ..]) if !shape.is_empty() => {
            let (to_length, from_length) = (larger.iter().product::<usize>(), from.len() / count);
            for (to, from) in to.chunks_mut(to_length).zip(from.chunks(from_length)) {
                copy_block(to, larger, from, shape);
            }
        }
        _ => to[..from.len()].clone_from_slice(from),
    }
}

fn padded(
    env: &Env<'_>,
    input: &DatasetHandle,
    batches: Batches,
    (padded_shapes, padding_values): (&[Tensor], &[Tensor]),
    output_shapes: &[PartialShape],
) -> Result<DatasetHandle> {
    let (shapes, values, has) = (padded_shapes.len(), padding_values.len(), input.dtypes().len());
    let fits = shapes == has && values == has;
    ensure!(fits, "{input} has {has} components, there are {shapes} padded shapes and {values} padding values");
    let mut paddings = Vec::new();
    for (at, (shape, value)) in padded_shapes.iter().zip(padding_values).enumerate() {
        ensure!(shape.rank() == 1, "padded shape {at} must be a vector, it has shape {}", shape.shape());
        ensure!(value.rank() == 0, "padding value {at} must be a scalar, it has shape {}", value.shape());
        let (has, given) = (input.dtypes()[at], value.dtype());
        ensure!(has == given, "padding value {at} is {given}, the component is {has}");
        let shape = int_values(shape)?;
        let extents = shape.iter().all(|&extent| extent >= -1);
        ensure!(extents, "padded shape {at} must have extents of at least 0, or -1 for the largest; it is {shape:?}");
        paddings.push(Padding { shape, value: value.clone() });
    }
    let batch = PaddedBatch { input: input.clone(), batches, paddings: paddings.into() };
    DatasetHandle::new(env, input.dtypes(), output_shapes, batch)
}

/// `PaddedBatchDataset`.
#[kernel(PaddedBatchDataset, device = CPU)]
pub fn padded_batch_dataset_cpu(
    input_dataset: &DatasetHandle,
    batch_size: i64,
    padded_shapes: &[Tensor],
    padding_values: &[Tensor],
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let batches = Batches::new(batch_size, false)?;
    padded(&env, input_dataset, batches, (padded_shapes, padding_values), output_shapes)
}

/// `PaddedBatchDatasetV2`.
#[kernel(PaddedBatchDatasetV2, device = CPU)]
pub fn padded_batch_dataset_v2_cpu(
    input_dataset: &DatasetHandle,
    batch_size: i64,
    padded_shapes: &[Tensor],
    padding_values: &[Tensor],
    drop_remainder: bool,
    output_shapes: &[PartialShape],
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let batches = Batches::new(batch_size, drop_remainder)?;
    padded(&env, input_dataset, batches, (padded_shapes, padding_values), output_shapes)
}

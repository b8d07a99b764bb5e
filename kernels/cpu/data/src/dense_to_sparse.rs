//! Batches of elements as the rows of sparse tensors.

use std::sync::Arc;

use oplink::prelude::*;
use oplink::resource::Variant;
use oplink::shape_inference::int_values;
use oplink_cpu_support::movement::join_rows;
use oplink_cpu_support::sparse::HeldTensor;
use oplink_ops::data::{DenseToSparseBatchDataset, ExperimentalDenseToSparseBatchDataset};
use oplink_ops::movement::Piece;

use crate::batch::Batches;
use crate::dataset::{Cardinality, Dataset, DatasetHandle, DatasetIterator, Element, Elements, Run};
use crate::position::{PositionReader, PositionWriter};

/// Values between two looks at the step.
const VALUES_AT_ONCE: usize = 1 << 16;

struct DenseToSparse {
    input: DatasetHandle,
    batches: Batches,
    /// Extents of a row; those of `None` are the largest of a batch.
    row_shape: Arc<[Option<usize>]>,
}

struct DenseToSparseIterator {
    elements: Elements,
    batches: Batches,
    row_shape: Arc<[Option<usize>]>,
}

impl Dataset for DenseToSparse {
    fn inputs(&self) -> Vec<&DatasetHandle> {
        vec![&self.input]
    }

    fn cardinality(&self) -> Cardinality {
        self.batches.cardinality(self.input.cardinality())
    }

    fn iterate(&self, run: &Run<'_>) -> Result<Box<dyn DatasetIterator>> {
        let (batches, row_shape) = (self.batches, self.row_shape.clone());
        Ok(Box::new(DenseToSparseIterator { elements: self.input.iterate(run)?, batches, row_shape }))
    }
}

/// Checks that an element fits into a row.
fn check(element: &[Tensor], row_shape: &[Option<usize>]) -> Result<()> {
    let [tensor] = element else { bail!("the element has {} components, it must have one", element.len()) };
    let (shape, wanted) = (tensor.shape(), PartialShape::new(row_shape));
    ensure!(shape.rank() == row_shape.len(), "the element has shape {shape}, which has not the rank of {wanted}");
    let fits = shape.iter().zip(row_shape).all(|(&extent, most)| most.is_none_or(|most| extent <= most));
    match fits {
        true => Ok(()),
        false => {
            let message = format!("the element has shape {shape}, which is larger than the row shape {wanted}");
            Err(Error::new(Code::DataLoss, ErrorKind::InvalidArgument, message))
        }
    }
}

impl DatasetIterator for DenseToSparseIterator {
    fn next(&mut self, run: &Run<'_>) -> Result<Option<Element>> {
        let batch = self.batches.collect(|| {
            let element = self.elements.next(run)?;
            element.iter().try_for_each(|element| check(element, &self.row_shape))?;
            Ok(element)
        })?;
        let Some(batch) = batch else { return Ok(None) };
        let rows: Vec<&Tensor> = batch.iter().filter_map(|element| element.first()).collect();
        let parts = [indices(run, &rows)?, values(run, &rows)?, dense_shape(&rows, &self.row_shape)?];
        let variants = parts.map(|part| Variant::new(HeldTensor(part)));
        Ok(Some(vec![Tensor::from_vec([3], variants.to_vec())?]))
    }

    fn save(&mut self, run: &Run<'_>, to: &mut PositionWriter) -> Result<()> {
        self.elements.save(run, to)
    }

    fn restore(&mut self, run: &Run<'_>, from: &mut PositionReader<'_>) -> Result<()> {
        self.elements.restore(run, from)
    }
}

/// The number of values of a batch.
fn count(rows: &[&Tensor]) -> usize {
    rows.iter().map(|row| row.num_elements()).sum()
}

fn indices(run: &Run<'_>, rows: &[&Tensor]) -> Result<Tensor> {
    let columns = 1 + rows.first().map_or(0, |row| row.rank());
    let mut indices = Tensor::allocate(DType::Int64, Shape::new(&[count(rows), columns]), run.env.allocator())?;
    let mut places = indices.as_mut_slice::<i64>()?.chunks_exact_mut(columns);
    for (number, row) in rows.iter().enumerate() {
        for (at, place) in places.by_ref().take(row.num_elements()).enumerate() {
            if at % VALUES_AT_ONCE == 0 {
                run.check()?;
            }
            place[0] = number as i64;
            let mut rest = at;
            for (index, &extent) in place[1..].iter_mut().zip(row.shape().iter()).rev() {
                *index = (rest % extent) as i64;
                rest /= extent;
            }
        }
    }
    Ok(indices)
}

fn values(run: &Run<'_>, rows: &[&Tensor]) -> Result<Tensor> {
    let Some(first) = rows.first() else { bail!("there are no elements") };
    let mut pieces = oplink::memory::try_vec(rows.len())?;
    for row in rows {
        let (dtype, wanted) = (row.dtype(), first.dtype());
        ensure!(dtype == wanted, "elements of one batch must have one dtype, there are {wanted} and {dtype}");
        pieces.push(Piece { tensor: row, length: row.num_elements() });
    }
    let mut values = Tensor::allocate(first.dtype(), Shape::new(&[count(rows)]), run.env.allocator())?;
    join_rows(run.env, &mut values, &pieces)?;
    Ok(values)
}

fn dense_shape(rows: &[&Tensor], row_shape: &[Option<usize>]) -> Result<Tensor> {
    let largest = |axis: usize| rows.iter().map(|row| row.shape()[axis]).max().unwrap_or(0);
    let extents = row_shape.iter().enumerate().map(|(axis, extent)| extent.unwrap_or_else(|| largest(axis)));
    let shape = oplink::memory::try_collect(std::iter::once(rows.len()).chain(extents).map(|extent| extent as i64))?;
    Ok(shape.into())
}

/// `DenseToSparseBatchDataset`.
#[kernel(DenseToSparseBatchDataset, device = CPU)]
#[kernel(ExperimentalDenseToSparseBatchDataset, device = CPU)]
pub fn dense_to_sparse_batch_dataset_cpu(
    input_dataset: &DatasetHandle,
    batch_size: i64,
    row_shape: &Tensor,
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let components = input_dataset.dtypes().len();
    ensure!(components == 1, "{input_dataset} has elements of {components} components, they must have one");
    ensure!(row_shape.rank() == 1, "row_shape must be a vector, it has shape {}", row_shape.shape());
    let extent = |extent: i64| match extent {
        -1 => Ok(None),
        known => usize::try_from(known).map(Some).map_err(|_| {
            Error::invalid_argument(format!("row_shape must have extents of at least -1, there is {known}"))
        }),
    };
    let row_shape = int_values(row_shape)?.into_iter().map(extent).collect::<Result<_>>()?;
    let batches = Batches::new(batch_size, false)?;
    let dataset = DenseToSparse { input: input_dataset.clone(), batches, row_shape };
    // Three variants each, which nodes declare as they like.
    let shapes = [PartialShape::unknown()];
    DatasetHandle::new(&env, &[DType::Variant], &shapes, dataset)
}

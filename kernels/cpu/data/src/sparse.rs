//! The rows of a sparse tensor.

use oplink::KernelEnv;
use oplink::prelude::*;
use oplink_ops::data::SparseTensorSliceDataset;

use crate::dataset::{DatasetHandle, Element};
use crate::sources::{Indexed, indexed};

struct SparseRows {
    /// The indices in their rows, of all rows.
    indices: Tensor,
    values: Tensor,
    row_shape: Tensor,
    /// Where the values of each row begin, and where those of the last end.
    starts: Vec<usize>,
}

impl Indexed for SparseRows {
    fn len(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    fn at(&self, position: u64) -> Result<Element> {
        let (from, to) = (self.starts[position as usize], self.starts[position as usize + 1]);
        Ok(vec![self.indices.slice(from, to)?, self.values.slice(from, to)?, self.row_shape.clone()])
    }
}

/// Where the values of each row begin.
fn starts(rows_of_values: impl Iterator<Item = i64>, rows: i64) -> Result<Vec<usize>> {
    let count = usize::try_from(rows).map_err(|_| Error::invalid_argument(format!("dense_shape has {rows} rows")))?;
    let mut starts = oplink::memory::try_vec(count.saturating_add(1))?;
    let mut values = 0;
    for row in rows_of_values {
        ensure!((0..rows).contains(&row), "value {values} is in row {row}, dense_shape has {rows} rows");
        let row = row as usize;
        ensure!(starts.len() <= row + 1, "values must be in the order of rows, value {values} in row {row} is not");
        oplink::memory::try_resize(&mut starts, row + 1, values)?;
        values += 1;
    }
    oplink::memory::try_resize(&mut starts, count + 1, values)?;
    Ok(starts)
}

/// `SparseTensorSliceDataset`: the values of a row share the memory of all.
#[kernel(SparseTensorSliceDataset, device = CPU, Tvalues = any)]
pub fn sparse_tensor_slice_dataset_cpu(
    indices: &Tensor,
    values: &Tensor,
    dense_shape: &Tensor,
    env: Env<'_>,
) -> Result<DatasetHandle> {
    let (&[count, rank], &[of_values], &[of_shape]) =
        (&indices.shape()[..], &values.shape()[..], &dense_shape.shape()[..])
    else {
        bail!(
            "indices must be a matrix, values and dense_shape vectors, their shapes are {}, {} and {}",
            indices.shape(),
            values.shape(),
            dense_shape.shape()
        )
    };
    ensure!(count == of_values, "there are {of_values} values with {count} indices");
    ensure!(rank == of_shape, "indices have {rank} columns, dense_shape has {of_shape} extents");
    ensure!(rank > 0, "dense_shape must have at least one extent");
    let (places, extents) = (indices.as_slice::<i64>()?, dense_shape.as_slice::<i64>()?);
    let starts = starts(places.chunks_exact(rank).map(|place| place[0]), extents[0])?;
    let mut in_rows = Tensor::allocate(DType::Int64, Shape::new(&[count, rank - 1]), env.allocator())?;
    let rest = places.chunks_exact(rank).flat_map(|place| &place[1..]);
    in_rows.as_mut_slice::<i64>()?.iter_mut().zip(rest).for_each(|(to, &from)| *to = from);
    let row_shape = dense_shape.slice(1, rank)?;
    let dtypes = [DType::Int64, values.dtype(), DType::Int64];
    let columns = Some(rank - 1);
    let shapes = [PartialShape::new(&[None, columns]), PartialShape::new(&[None]), PartialShape::new(&[columns])];
    indexed(&env, &dtypes, &shapes, SparseRows { indices: in_rows, values: values.clone(), row_shape, starts })
}

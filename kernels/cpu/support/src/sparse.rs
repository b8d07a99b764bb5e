//! Sparse tensors in their three parts: joined along new axes, and taken apart into rows.

use oplink::memory::{try_collect, try_reserve, try_resize, try_vec};
use oplink::prelude::*;
use oplink::resource::VariantObject;
use oplink_ops::movement::coordinates;

use crate::movement::{Axis, Piece, copy_axes_into, join_rows};

/// The parts of a sparse tensor: indices [count, rank] and dense shape [rank] of int64, values [count].
#[derive(Clone, Debug)]
pub struct SparseTensor {
    /// The index of each value; not checked to lie in the shape.
    pub indices: Tensor,
    /// The values.
    pub values: Tensor,
    /// The dense shape.
    pub shape: Tensor,
}

impl SparseTensor {
    /// A sparse tensor of parts that fit each other.
    ///
    /// # Errors
    /// The parts have other dtypes or ranks, or do not fit.
    pub fn new(indices: Tensor, values: Tensor, shape: Tensor) -> Result<Self> {
        let longs = indices.dtype() == DType::Int64 && shape.dtype() == DType::Int64;
        ensure!(
            longs && values.rank() == 1 && shape.rank() == 1,
            "indices, values and shape of a sparse tensor must be a matrix and a vector of int64 with a vector between \
             them, their shapes are {}, {} and {}",
            indices.shape(),
            values.shape(),
            shape.shape()
        );
        let (count, rank) = (values.num_elements(), shape.num_elements());
        let fits = indices.shape().dims() == [count, rank];
        ensure!(fits, "the indices have shape {} for {count} values and {rank} axes", indices.shape());
        Ok(Self { indices, values, shape })
    }
}

/// A tensor as the value of a variant: a part of a sparse tensor that travels as three variants.
#[derive(Clone, Debug)]
pub struct HeldTensor(pub Tensor);

impl VariantObject for HeldTensor {
    fn type_name(&self) -> &'static str {
        "tensorflow::Tensor"
    }
}

/// Sets the outputs, indices, values and shape, to sparse tensors joined along new axes of these extents before theirs;
/// there are as many as these extents say, one at least. The shape has the largest extents.
///
/// # Errors
/// The tensors have different ranks, or other values than of `dtype`.
pub fn join_sparse(
    parts: &[SparseTensor],
    leading: &[usize],
    dtype: DType,
    [mut indices, mut values, mut dense]: [OutputSlot<'_>; 3],
    env: Env<'_>,
) -> Result<()> {
    let (mut rows, mut shape): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
    for (number, part) in env.watch(parts.iter().enumerate()) {
        let own = part.values.dtype();
        ensure!(own == dtype, "the values of sparse tensor {number} are of {own}, not of {dtype}");
        let own = part.shape.as_slice::<i64>()?;
        ensure!(number == 0 || own.len() == shape.len(), "sparse tensor {number} has another rank than the first");
        try_resize(&mut shape, own.len(), 0)?;
        shape.iter_mut().zip(own).for_each(|(largest, &own)| *largest = own.max(*largest));
        let place = coordinates(number, leading);
        try_reserve(&mut rows, part.values.num_elements().saturating_mul(place.len() + own.len()))?;
        let indices = part.indices.as_slice::<i64>()?;
        for at in 0..part.values.num_elements() {
            rows.extend_from_slice(&place);
            rows.extend_from_slice(&indices[at * own.len()..][..own.len()]);
        }
    }
    let pieces = parts.iter().map(|part| Piece { tensor: &part.values, length: part.values.num_elements() });
    let pieces: Vec<_> = pieces.collect();
    let count = pieces.iter().map(|piece| piece.length).sum();
    indices.set(Tensor::from_vec([count, leading.len() + shape.len()], rows)?);
    join_rows(&env, values.allocate([count])?, &pieces)?;
    dense.set(try_collect(leading.iter().map(|&extent| extent as i64).chain(shape))?.into());
    Ok(())
}

/// The rows of a sparse tensor of two axes or more.
pub struct SparseRows {
    /// The number of rows.
    pub count: usize,
    /// A row without values.
    pub empty: SparseTensor,
    /// The rows with values that follow each other, each with its index, as they come.
    pub found: Vec<(usize, SparseTensor)>,
}

/// Takes a sparse tensor apart into its rows, each of one axis less.
///
/// # Errors
/// The parts do not fit each other, there is one axis, or an index along the first axis is outside of the shape.
pub fn sparse_rows(tensor: &SparseTensor, env: Env<'_>) -> Result<SparseRows> {
    let SparseTensor { indices, values, shape } = tensor;
    let shape = oplink_ops::arguments::shape(shape, "sparse_shape")?;
    let (rank, count) = (shape.rank(), values.num_elements());
    ensure!(rank > 1, "sparse_shape must have 2 elements at least, it is {shape}");
    let rows = indices.as_slice::<i64>()?;
    let inner: Tensor = shape[1..].iter().map(|&extent| extent as i64).collect::<Vec<_>>().into();
    let mut found = Vec::new();
    let mut start = 0;
    while start < count {
        env.poll();
        let index = rows[start * rank];
        let end = (start..count).find(|&at| rows[at * rank] != index).unwrap_or(count);
        let at = usize::try_from(index).ok().filter(|&at| at < shape[0]);
        let Some(at) = at else {
            bail!("sparse_indices[{start}] is in row {index}, which is not in [0, {})", shape[0])
        };
        let mut own: Vec<i64> = try_vec((end - start) * (rank - 1))?;
        rows[start * rank..end * rank].chunks_exact(rank).for_each(|row| own.extend_from_slice(&row[1..]));
        let mut part = env.allocate(values.dtype(), [end - start])?;
        let axis = Axis::Strided { count: end - start, stride: 1 };
        copy_axes_into(&env, &mut part, values, start as isize, &[axis])?;
        let indices = Tensor::from_vec([end - start, rank - 1], own)?;
        found.push((at, SparseTensor { indices, values: part, shape: inner.clone() }));
        start = end;
    }
    let indices = Tensor::zeros(DType::Int64, [0, rank - 1])?;
    let empty = SparseTensor { indices, values: Tensor::zeros(values.dtype(), [0])?, shape: inner };
    Ok(SparseRows { count: shape[0], empty, found })
}

//! `SerializeSparse`, `SerializeManySparse`, `DeserializeSparse`, `DeserializeManySparse`: sparse tensors as three
//! messages each, and back.
//!
//! `SerializeManySparse` takes a tensor of 2 axes or more, its indices in the order of their first column, and gives a
//! row of messages for each index along the first axis. Back, the shapes are the largest of those that are joined.
//! Variants in the place of strings are not implemented.

use oplink::memory::{try_collect, try_reserve, try_vec};
use oplink::prelude::*;
use oplink_cpu_support::movement::{Axis, Piece, copy_axes_into, join_rows};
use oplink_ops::movement::coordinates;
use oplink_ops::string::{DeserializeManySparse, DeserializeSparse, SerializeManySparse, SerializeSparse};

use super::wire::{content_message, read_tensor};

/// The message of a tensor as a string.
fn message(tensor: &Tensor) -> Result<TString> {
    Ok(TString::new(content_message(tensor)?))
}

fn check_ranks(indices: &Tensor, values: &Tensor, shape: &Tensor) -> Result<()> {
    let fits = indices.rank() == 2 && values.rank() == 1 && shape.rank() == 1;
    ensure!(
        fits,
        "sparse_indices must be a matrix, sparse_values and sparse_shape vectors, their shapes are {}, {} and {}",
        indices.shape(),
        values.shape(),
        shape.shape()
    );
    Ok(())
}

/// `SerializeSparse` as strings.
#[kernel(SerializeSparse, device = CPU, T = any, out_type = [TString])]
pub fn serialize_sparse_cpu(
    sparse_indices: &Tensor,
    sparse_values: &Tensor,
    sparse_shape: &Tensor,
    mut serialized_sparse: OutputSlot<'_>,
) -> Result<()> {
    check_ranks(sparse_indices, sparse_values, sparse_shape)?;
    let messages = [message(sparse_indices)?, message(sparse_values)?, message(sparse_shape)?];
    serialized_sparse.set(messages.into());
    Ok(())
}

/// `SerializeManySparse` as strings.
#[kernel(SerializeManySparse, device = CPU, T = any, out_type = [TString])]
pub fn serialize_many_sparse_cpu(
    sparse_indices: &Tensor,
    sparse_values: &Tensor,
    sparse_shape: &Tensor,
    mut serialized_sparse: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    check_ranks(sparse_indices, sparse_values, sparse_shape)?;
    let shape = oplink_ops::arguments::shape(sparse_shape, "sparse_shape")?;
    let (rank, count) = (shape.rank(), sparse_values.num_elements());
    ensure!(rank > 1, "sparse_shape must have 2 elements at least, it is {shape}");
    let indices = sparse_indices.shape();
    ensure!(indices.dims() == [count, rank], "sparse_indices must be [{count},{rank}], its shape is {indices}");
    let rows = sparse_indices.as_slice::<i64>()?;
    let inner: Tensor = shape[1..].iter().map(|&extent| extent as i64).collect::<Vec<_>>().into();
    let out = serialized_sparse.allocate([shape[0], 3])?.as_mut_slice::<TString>()?;
    let nothing = [Tensor::zeros(DType::Int64, [0, rank - 1])?, Tensor::zeros(sparse_values.dtype(), [0])?, inner];
    let nothing = [message(&nothing[0])?, message(&nothing[1])?, message(&nothing[2])?];
    for out in env.watch(out.chunks_exact_mut(3)) {
        out.clone_from_slice(&nothing);
    }
    let mut start = 0;
    while start < count {
        let index = rows[start * rank];
        let end = (start..count).find(|&at| rows[at * rank] != index).unwrap_or(count);
        let at = usize::try_from(index).ok().filter(|&at| at < shape[0]);
        let Some(at) = at else {
            bail!("sparse_indices[{start}] is in row {index}, which is not in [0, {})", shape[0])
        };
        let mut inner: Vec<i64> = try_vec((end - start) * (rank - 1))?;
        rows[start * rank..end * rank].chunks_exact(rank).for_each(|row| inner.extend_from_slice(&row[1..]));
        let mut values = env.allocate(sparse_values.dtype(), [end - start])?;
        let axis = Axis::Strided { count: end - start, stride: 1 };
        copy_axes_into(&env, &mut values, sparse_values, start as isize, &[axis])?;
        out[3 * at] = message(&Tensor::from_vec([end - start, rank - 1], inner)?)?;
        out[3 * at + 1] = message(&values)?;
        start = end;
    }
    Ok(())
}

/// `DeserializeSparse` of strings.
#[kernel(DeserializeSparse, device = CPU, dtype = any, Tserialized = [TString])]
pub fn deserialize_sparse_cpu(
    serialized_sparse: &Tensor,
    dtype: DType,
    sparse_indices: OutputSlot<'_>,
    sparse_values: OutputSlot<'_>,
    sparse_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    join(serialized_sparse, dtype, [sparse_indices, sparse_values, sparse_shape], env)
}

/// `DeserializeManySparse`.
#[kernel(DeserializeManySparse, device = CPU, dtype = any)]
pub fn deserialize_many_sparse_cpu(
    serialized_sparse: &Tensor,
    dtype: DType,
    sparse_indices: OutputSlot<'_>,
    sparse_values: OutputSlot<'_>,
    sparse_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    ensure!(serialized_sparse.rank() == 2, "serialized_sparse must be a matrix, it is {}", serialized_sparse.shape());
    join(serialized_sparse, dtype, [sparse_indices, sparse_values, sparse_shape], env)
}

/// Joins the sparse tensors of messages [..., 3] along new axes, those before the last.
fn join(serialized: &Tensor, dtype: DType, outputs: [OutputSlot<'_>; 3], env: Env<'_>) -> Result<()> {
    let Some((3, leading)) = serialized.shape().split_last() else {
        bail!("serialized_sparse must have 3 as its last extent, its shape is {}", serialized.shape())
    };
    let messages = serialized.as_slice::<TString>()?;
    ensure!(!messages.is_empty(), "serialized_sparse of shape {} has no elements", serialized.shape());
    let (mut rows, mut shape, mut pieces): (Vec<i64>, Vec<i64>, _) = (Vec::new(), Vec::new(), Vec::new());
    for (number, messages) in env.watch(messages.chunks_exact(3).enumerate()) {
        let [indices, values, own] =
            parse(messages, dtype).map_err(|error| error.context(format!("reading sparse tensor {number}")))?;
        let own = own.as_slice::<i64>()?;
        ensure!(number == 0 || own.len() == shape.len(), "sparse tensor {number} has another rank than the first");
        oplink::memory::try_resize(&mut shape, own.len(), 0)?;
        shape.iter_mut().zip(own).for_each(|(largest, &own)| *largest = own.max(*largest));
        let place = coordinates(number, leading);
        try_reserve(&mut rows, values.num_elements().saturating_mul(place.len() + own.len()))?;
        let indices = indices.as_slice::<i64>()?;
        for at in 0..values.num_elements() {
            rows.extend_from_slice(&place);
            rows.extend_from_slice(&indices[at * own.len()..][..own.len()]);
        }
        pieces.push(values);
    }
    let [mut indices, mut values, mut dense] = outputs;
    let count = pieces.iter().map(Tensor::num_elements).sum();
    indices.set(Tensor::from_vec([count, leading.len() + shape.len()], rows)?);
    let pieces: Vec<_> = pieces.iter().map(|tensor| Piece { tensor, length: tensor.num_elements() }).collect();
    join_rows(&env, values.allocate([count])?, &pieces)?;
    dense.set(try_collect(leading.iter().map(|&extent| extent as i64).chain(shape))?.into());
    Ok(())
}

/// The indices, values and shape of three messages, which fit each other.
fn parse(messages: &[TString], dtype: DType) -> Result<[Tensor; 3]> {
    let [indices, values, shape] = [0, 1, 2].map(|at| read_tensor(messages[at].as_bytes()));
    let (indices, values, shape) = (indices?, values?, shape?);
    let (own, rank) = (values.dtype(), shape.num_elements());
    ensure!(own == dtype, "the values are of {own}, the attr dtype is {dtype}");
    let longs = indices.dtype() == DType::Int64 && shape.dtype() == DType::Int64;
    ensure!(longs && values.rank() == 1 && shape.rank() == 1, "the messages are no indices, values and shape");
    let fits = indices.shape().dims() == [values.num_elements(), rank];
    ensure!(fits, "the indices have shape {} for {} values and {rank} axes", indices.shape(), values.num_elements());
    Ok([indices, values, shape])
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::run;

    fn sparse() -> Vec<Tensor> {
        vec![Tensor::from_vec([2, 2], vec![0i64, 1, 2, 0]).unwrap(), [5, 6].into(), [3i64, 2].into()]
    }

    #[test]
    fn there_and_back() {
        let attrs = [("dtype", DType::Int32.into())];
        let one = run("SerializeSparse", &[], sparse()).unwrap();
        let back = run("DeserializeSparse", &attrs, one.clone()).unwrap();
        assert_eq!(back[0].as_slice::<i64>().unwrap(), [0, 1, 2, 0]);
        assert_eq!(back[1].as_slice::<i32>().unwrap(), [5, 6]);
        assert_eq!(back[2].as_slice::<i64>().unwrap(), [3, 2]);
        assert!(run("DeserializeSparse", &[("dtype", DType::Float.into())], one).is_err());
        let many = run("SerializeManySparse", &[], sparse()).unwrap();
        assert_eq!(many[0].shape().dims(), [3, 3]);
        let back = run("DeserializeManySparse", &attrs, many).unwrap();
        assert_eq!(back[0].as_slice::<i64>().unwrap(), [0, 1, 2, 0]);
        assert_eq!(back[2].as_slice::<i64>().unwrap(), [3, 2]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let mut outside = sparse();
        outside[2] = [2i64, 2].into();
        assert!(run("SerializeManySparse", &[], outside).is_err());
        let attrs = [("dtype", DType::Int32.into())];
        let messages = Tensor::from(["x", "y", "z"].map(TString::from));
        assert!(run("DeserializeSparse", &attrs, vec![messages]).is_err());
    }
}

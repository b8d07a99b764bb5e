//! `SerializeSparse`, `SerializeManySparse`, `DeserializeSparse`, `DeserializeManySparse`: sparse tensors as three
//! messages each, or as three variants that hold the tensors, and back.
//!
//! `SerializeManySparse` takes a tensor of 2 axes or more, its indices in the order of their first column, and gives a
//! row of messages for each index along the first axis. Back, the shapes are the largest of those that are joined.

use oplink::memory::try_vec;
use oplink::prelude::*;
use oplink::resource::Variant;
use oplink_cpu_support::sparse::{HeldTensor, SparseTensor, join_sparse, sparse_rows};
use oplink_ops::string::{DeserializeManySparse, DeserializeSparse, SerializeManySparse, SerializeSparse};

use oplink_cpu_support::wire::{content_message, read_tensor};

/// A form in which the tensors of a sparse tensor travel.
trait Form: Element {
    fn write(tensor: &Tensor) -> Result<Self>;
    fn read(&self) -> Result<Tensor>;

    /// The indices, values and shape.
    fn write_all(sparse: &SparseTensor) -> Result<[Self; 3]> {
        Ok([Self::write(&sparse.indices)?, Self::write(&sparse.values)?, Self::write(&sparse.shape)?])
    }
}

impl Form for TString {
    fn write(tensor: &Tensor) -> Result<Self> {
        Ok(Self::new(content_message(tensor)?))
    }

    fn read(&self) -> Result<Tensor> {
        read_tensor(self.as_bytes())
    }
}

impl Form for Variant {
    fn write(tensor: &Tensor) -> Result<Self> {
        Ok(Self::new(HeldTensor(tensor.clone())))
    }

    fn read(&self) -> Result<Tensor> {
        match self.get::<HeldTensor>() {
            Some(held) => Ok(held.0.clone()),
            None => bail!("the variant holds `{}`, not a tensor", self.type_name()),
        }
    }
}

/// `SerializeSparse` as strings and as variants.
#[kernel(SerializeSparse, device = CPU, T = any, out_type = [TString, Variant])]
pub fn serialize_sparse_cpu(
    sparse_indices: &Tensor,
    sparse_values: &Tensor,
    sparse_shape: &Tensor,
    mut serialized_sparse: OutputSlot<'_>,
) -> Result<()> {
    let sparse = sparse_tensor(sparse_indices, sparse_values, sparse_shape)?;
    let serialized = match serialized_sparse.dtype() {
        DType::Variant => Tensor::from_vec([3], Variant::write_all(&sparse)?.to_vec())?,
        _ => Tensor::from_vec([3], TString::write_all(&sparse)?.to_vec())?,
    };
    serialized_sparse.set(serialized);
    Ok(())
}

/// `SerializeManySparse` as strings and as variants.
#[kernel(SerializeManySparse, device = CPU, T = any, out_type = [TString, Variant])]
pub fn serialize_many_sparse_cpu(
    sparse_indices: &Tensor,
    sparse_values: &Tensor,
    sparse_shape: &Tensor,
    mut serialized_sparse: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let sparse = sparse_tensor(sparse_indices, sparse_values, sparse_shape)?;
    let serialized = match serialized_sparse.dtype() {
        DType::Variant => serialize_rows::<Variant>(&sparse, env)?,
        _ => serialize_rows::<TString>(&sparse, env)?,
    };
    serialized_sparse.set(serialized);
    Ok(())
}

fn serialize_rows<F: Form>(sparse: &SparseTensor, env: Env<'_>) -> Result<Tensor> {
    let rows = sparse_rows(sparse, env)?;
    let mut out = env.allocate(F::DTYPE, [rows.count, 3])?;
    let forms = out.as_mut_slice::<F>()?;
    let empty = F::write_all(&rows.empty)?;
    for out in env.watch(forms.chunks_exact_mut(3)) {
        out.clone_from_slice(&empty);
    }
    for (at, row) in env.watch(&rows.found) {
        forms[3 * at..][..3].clone_from_slice(&F::write_all(row)?);
    }
    Ok(out)
}

fn sparse_tensor(indices: &Tensor, values: &Tensor, shape: &Tensor) -> Result<SparseTensor> {
    SparseTensor::new(indices.clone(), values.clone(), shape.clone())
}

/// `DeserializeSparse` of strings and of variants.
#[kernel(DeserializeSparse, device = CPU, dtype = any, Tserialized = [TString, Variant])]
pub fn deserialize_sparse_cpu(
    serialized_sparse: &Tensor,
    dtype: DType,
    sparse_indices: OutputSlot<'_>,
    sparse_values: OutputSlot<'_>,
    sparse_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let outputs = [sparse_indices, sparse_values, sparse_shape];
    match serialized_sparse.dtype() {
        DType::Variant => join::<Variant>(serialized_sparse, dtype, outputs, env),
        _ => join::<TString>(serialized_sparse, dtype, outputs, env),
    }
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
    join::<TString>(serialized_sparse, dtype, [sparse_indices, sparse_values, sparse_shape], env)
}

/// Joins the sparse tensors in [..., 3] along new axes, those before the last.
fn join<F: Form>(serialized: &Tensor, dtype: DType, outputs: [OutputSlot<'_>; 3], env: Env<'_>) -> Result<()> {
    let Some((3, leading)) = serialized.shape().split_last() else {
        bail!("serialized_sparse must have 3 as its last extent, its shape is {}", serialized.shape())
    };
    let forms = serialized.as_slice::<F>()?;
    ensure!(!forms.is_empty(), "serialized_sparse of shape {} has no elements", serialized.shape());
    let mut parts = try_vec(forms.len() / 3)?;
    for (number, forms) in env.watch(forms.chunks_exact(3).enumerate()) {
        let read = || SparseTensor::new(forms[0].read()?, forms[1].read()?, forms[2].read()?);
        parts.push(read().map_err(|error| error.context(format!("reading sparse tensor {number}")))?);
    }
    join_sparse(&parts, leading, dtype, outputs, env)
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
    fn there_and_back_as_variants() {
        let attrs = [("dtype", DType::Int32.into())];
        let out_type = [("out_type", DType::Variant.into())];
        let many = run("SerializeManySparse", &out_type, sparse()).unwrap();
        assert_eq!((many[0].dtype(), many[0].shape().dims()), (DType::Variant, &[3, 3][..]));
        let back = run("DeserializeSparse", &attrs, many).unwrap();
        assert_eq!(back[0].as_slice::<i64>().unwrap(), [0, 1, 2, 0]);
        assert_eq!(back[2].as_slice::<i64>().unwrap(), [3, 2]);
        let one = run("SerializeSparse", &out_type, sparse()).unwrap();
        assert_eq!(run("DeserializeSparse", &attrs, one.clone()).unwrap()[1].as_slice::<i32>().unwrap(), [5, 6]);
        assert!(run("DeserializeSparse", &[("dtype", DType::Float.into())], one).is_err());
        let nothing = Tensor::zeros(DType::Variant, [3]).unwrap();
        assert!(run("DeserializeSparse", &attrs, vec![nothing]).is_err());
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

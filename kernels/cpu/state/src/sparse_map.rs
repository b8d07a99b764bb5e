//! Maps from numbers to sparse tensors: `AddSparseToTensorsMap`, `AddManySparseToTensorsMap`,
//! `TakeManySparseFromTensorsMap`.
//!
//! A map gives the numbers from 0 on, each once, and lets a sparse tensor go when it is taken.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use oplink::memory::{try_filled, try_vec};
use oplink::prelude::*;
use oplink_cpu_support::sparse::{SparseTensor, join_sparse, sparse_rows};
use oplink_ops::state::{AddManySparseToTensorsMap, AddSparseToTensorsMap, TakeManySparseFromTensorsMap};

use crate::named::{Unnamed, info};

/// Sparse tensors by their numbers.
#[derive(Default)]
pub struct SparseTensorsMap(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    next: i64,
    tensors: HashMap<i64, SparseTensor>,
}

impl Resource for SparseTensorsMap {
    fn type_name(&self) -> &'static str {
        "sparse_tensors_map"
    }
}

impl SparseTensorsMap {
    /// The map of a node.
    fn of(container: &str, shared_name: &str, unnamed: Unnamed, env: Env<'_>) -> Result<Arc<Self>> {
        let info = info(env.node(), container, shared_name, "sparse_tensors_map", unnamed)?;
        env.step()?.resources().handle(info).get_or_create(|| Ok(Self::default()))
    }

    /// Keeps a tensor; its number.
    fn add(&self, tensor: SparseTensor) -> i64 {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = kept.next;
        kept.next += 1;
        kept.tensors.insert(number, tensor);
        number
    }

    /// Lets a tensor go.
    fn take(&self, number: i64) -> Result<SparseTensor> {
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner).tensors.remove(&number);
        found.ok_or_else(|| Error::invalid_argument(format!("the map has no sparse tensor {number}, or no longer")))
    }
}

/// The parts of a sparse tensor of a shape that can be.
fn sparse_tensor(indices: &Tensor, values: &Tensor, shape: &Tensor) -> Result<SparseTensor> {
    oplink_ops::arguments::shape(shape, "sparse_shape")?;
    SparseTensor::new(indices.clone(), values.clone(), shape.clone())
}

/// `AddSparseToTensorsMap` of every dtype.
#[kernel(AddSparseToTensorsMap, device = CPU, T = any)]
pub fn add_sparse_to_tensors_map_cpu(
    sparse_indices: &Tensor,
    sparse_values: &Tensor,
    sparse_shape: &Tensor,
    container: &str,
    shared_name: &str,
    env: Env<'_>,
) -> Result<Tensor> {
    let map = SparseTensorsMap::of(container, shared_name, Unnamed::NodeName, env)?;
    Ok(Tensor::scalar(map.add(sparse_tensor(sparse_indices, sparse_values, sparse_shape)?)))
}

/// `AddManySparseToTensorsMap` of every dtype; indices lie in the shape and rise.
#[kernel(AddManySparseToTensorsMap, device = CPU, T = any)]
pub fn add_many_sparse_to_tensors_map_cpu(
    sparse_indices: &Tensor,
    sparse_values: &Tensor,
    sparse_shape: &Tensor,
    container: &str,
    shared_name: &str,
    env: Env<'_>,
) -> Result<Tensor> {
    let tensor = sparse_tensor(sparse_indices, sparse_values, sparse_shape)?;
    check_order(&tensor)?;
    let rows = sparse_rows(&tensor, env)?;
    let map = SparseTensorsMap::of(container, shared_name, Unnamed::NodeName, env)?;
    let mut numbers: Vec<Option<i64>> = try_filled(None, rows.count)?;
    for (at, row) in rows.found {
        numbers[at] = Some(map.add(row));
    }
    let mut out = try_vec(numbers.len())?;
    for number in env.watch(numbers) {
        out.push(number.unwrap_or_else(|| map.add(rows.empty.clone())));
    }
    Ok(out.into())
}

/// An error where an index is outside of the shape, or they do not rise.
fn check_order(tensor: &SparseTensor) -> Result<()> {
    let shape = tensor.shape.as_slice::<i64>()?;
    let rows = tensor.indices.as_slice::<i64>()?.chunks_exact(shape.len().max(1));
    let mut last: &[i64] = &[];
    for (at, row) in rows.enumerate() {
        let inside = row.iter().zip(shape).all(|(index, extent)| (0..*extent).contains(index));
        ensure!(inside, "sparse_indices[{at}] = {row:?} is outside of the shape {shape:?}");
        ensure!(last < row, "sparse_indices[{at}] = {row:?} is out of order or repeated");
        last = row;
    }
    Ok(())
}

/// `TakeManySparseFromTensorsMap` of every dtype.
#[kernel(TakeManySparseFromTensorsMap, device = CPU, dtype = any)]
#[allow(clippy::too_many_arguments, reason = "the op's inputs, attrs and outputs by name")]
pub fn take_many_sparse_from_tensors_map_cpu(
    sparse_handles: &Tensor,
    dtype: DType,
    container: &str,
    shared_name: &str,
    sparse_indices: OutputSlot<'_>,
    sparse_values: OutputSlot<'_>,
    sparse_shape: OutputSlot<'_>,
    env: Env<'_>,
) -> Result<()> {
    let numbers = oplink_ops::arguments::vector(sparse_handles, "sparse_handles")?;
    ensure!(!numbers.is_empty(), "sparse_handles has no elements");
    let map = SparseTensorsMap::of(container, shared_name, Unnamed::Private, env)?;
    let mut parts = try_vec(numbers.len())?;
    for &number in env.watch(&numbers) {
        parts.push(map.take(number)?);
    }
    join_sparse(&parts, &[parts.len()], dtype, [sparse_indices, sparse_values, sparse_shape], env)
}

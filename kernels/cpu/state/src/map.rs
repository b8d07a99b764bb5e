//! Maps from tensors to tensors, as values.

use std::collections::BTreeMap;

use oplink::params::InputParam;
use oplink::prelude::*;
use oplink::resource::{Variant, VariantObject};
use oplink_ops::state::{EmptyTensorMap, TensorMapErase, TensorMapHasKey, TensorMapInsert, TensorMapLookup};
use oplink_ops::state::{TensorMapSize, TensorMapStackKeys};

use crate::rows::join;
use crate::sums;

/// What makes two keys one: the number of the dtype, the extents, and the bytes, of strings those of each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u32, Vec<usize>, Vec<Vec<u8>>);

impl Key {
    fn of(tensor: &Tensor) -> Result<Self> {
        let bytes = match tensor.dtype() {
            DType::String => tensor.as_slice::<TString>()?.iter().map(|text| text.as_bytes().to_vec()).collect(),
            dtype @ (DType::Resource | DType::Variant) => bail!("a tensor of {dtype} cannot be a key"),
            _ => vec![tensor.as_bytes()?.to_vec()],
        };
        Ok(Self(tensor.dtype().number() as u32, tensor.shape().to_vec(), bytes))
    }
}

/// A map from tensors to tensors.
#[derive(Clone, Debug, Default)]
pub struct TensorMap(BTreeMap<Key, (Tensor, Tensor)>);

impl VariantObject for TensorMap {
    fn type_name(&self) -> &'static str {
        "tensorflow::TensorMap"
    }

    fn zeros_like(&self) -> Result<Variant> {
        let zero = |(key, (tensor, value)): (&Key, &(Tensor, Tensor))| {
            Ok((key.clone(), (tensor.clone(), sums::zeros_like(value)?)))
        };
        Ok(Variant::new(Self(self.0.iter().map(zero).collect::<Result<_>>()?)))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<Self>() else { return Err(sums::types_differ(self.type_name(), other)) };
        let mut sum = self.clone();
        for (key, (tensor, value)) in &other.0 {
            let value = match self.0.get(key) {
                Some((_, own)) => sums::add(own, value)?,
                None => value.clone(),
            };
            sum.0.insert(key.clone(), (tensor.clone(), value));
        }
        Ok(Variant::new(sum))
    }
}

impl<'a> InputParam<'a> for &'a TensorMap {
    type Element = Variant;

    fn bind(input: &'a Tensor) -> Result<Self> {
        ensure!(input.rank() == 0, "it must be a scalar that holds a map, it has shape {}", input.shape());
        let variant = &input.as_slice::<Variant>()?[0];
        let what = if variant.type_name().is_empty() { "an empty variant" } else { variant.type_name() };
        variant.get().ok_or_else(|| Error::invalid_argument(format!("it holds {what}, not a tensor map")))
    }
}

/// `EmptyTensorMap`.
#[kernel(EmptyTensorMap, device = CPU)]
pub fn empty_tensor_map_cpu(mut handle: OutputSlot<'_>) {
    handle.set_scalar(Variant::new(TensorMap::default()));
}

/// `TensorMapSize`.
#[kernel(TensorMapSize, device = CPU)]
pub fn tensor_map_size_cpu(input_handle: &TensorMap) -> i32 {
    input_handle.0.len() as i32
}

/// `TensorMapHasKey` for keys of every dtype that has bytes.
#[kernel(TensorMapHasKey, device = CPU, key_dtype = any)]
pub fn tensor_map_has_key_cpu(input_handle: &TensorMap, key: &Tensor) -> Result<bool> {
    Ok(input_handle.0.contains_key(&Key::of(key)?))
}

/// `TensorMapLookup`.
#[kernel(TensorMapLookup, device = CPU, key_dtype = any, value_dtype = any)]
pub fn tensor_map_lookup_cpu(input_handle: &TensorMap, key: &Tensor, value_dtype: DType) -> Result<Tensor> {
    let Some((_, value)) = input_handle.0.get(&Key::of(key)?) else {
        bail!("the map has no such key: a tensor of {} and shape {}", key.dtype(), key.shape())
    };
    let dtype = value.dtype();
    ensure!(dtype == value_dtype, "the value of the key is a tensor of {dtype}, the op expects {value_dtype}");
    Ok(value.clone())
}

/// `TensorMapInsert`.
#[kernel(TensorMapInsert, device = CPU, key_dtype = any, value_dtype = any)]
pub fn tensor_map_insert_cpu(
    input_handle: Input<'_>,
    key: &Tensor,
    value: &Tensor,
    mut output_handle: OutputSlot<'_>,
) -> Result<()> {
    let entry = (key.clone(), value.clone());
    output_handle.set(changed(input_handle, Key::of(key)?, |map, key| {
        map.0.insert(key, entry);
        Ok(())
    })?);
    Ok(())
}

/// `TensorMapErase`.
#[kernel(TensorMapErase, device = CPU, key_dtype = any, value_dtype = any)]
pub fn tensor_map_erase_cpu(input_handle: Input<'_>, key: &Tensor, mut output_handle: OutputSlot<'_>) -> Result<()> {
    output_handle.set(changed(input_handle, Key::of(key)?, |map, key| match map.0.remove(&key) {
        Some(_) => Ok(()),
        None => bail!("the map has no such key to erase"),
    })?);
    Ok(())
}

/// The map in a scalar input after a change: in place where nobody else holds it.
fn changed(input: Input<'_>, key: Key, change: impl FnOnce(&mut TensorMap, Key) -> Result<()>) -> Result<Tensor> {
    <&TensorMap>::bind(&input).map_err(|error| error.context(format!("binding input `{}`", input.name())))?;
    let mut tensor = input.take();
    let in_place = tensor.as_mut_slice::<Variant>().ok().and_then(|variants| variants[0].get_mut::<TensorMap>());
    if let Some(map) = in_place {
        change(map, key)?;
        return Ok(tensor);
    }
    let mut map = <&TensorMap>::bind(&tensor)?.clone();
    change(&mut map, key)?;
    Ok(Tensor::scalar(Variant::new(map)))
}

/// `TensorMapStackKeys`: the keys in the order of their bytes.
#[kernel(TensorMapStackKeys, device = CPU, key_dtype = any)]
pub fn tensor_map_stack_keys_cpu(input_handle: &TensorMap, key_dtype: DType, mut keys: OutputSlot<'_>) -> Result<()> {
    let all: Vec<_> = input_handle.0.values().map(|(key, _)| key).collect();
    let Some(first) = all.first() else { bail!("a map without entries has no keys to stack") };
    for key in &all {
        ensure!(key.dtype() == key_dtype, "a key is a tensor of {}, the op expects {key_dtype}", key.dtype());
        ensure!(key.shape() == first.shape(), "keys have the shapes {} and {}", first.shape(), key.shape());
    }
    let rows: Vec<_> = all.iter().map(|key| (Some(*key), key.num_elements())).collect();
    join(&mut keys, [&[all.len()], first.shape().dims()].concat(), &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oplink_cpu_support::testing::{run, run_one};

    #[test]
    fn entries_are_found_by_dtype_shape_and_bytes() {
        let map = run_one("EmptyTensorMap", vec![]).unwrap();
        let map = run_one("TensorMapInsert", vec![map, "k".into(), [1f32, 2.0].into()]).unwrap();
        let map = run_one("TensorMapInsert", vec![map, [3i32].into(), 7i64.into()]).unwrap();
        assert_eq!(run_one("TensorMapSize", vec![map.clone()]).unwrap().to_scalar::<i32>().unwrap(), 2);
        let attrs = [("value_dtype", DType::Float.into())];
        let found = run("TensorMapLookup", &attrs, vec![map.clone(), "k".into()]).unwrap();
        assert_eq!(found[0].as_slice::<f32>().unwrap(), [1.0, 2.0]);
        let there = run_one("TensorMapHasKey", vec![map, 3i32.into()]).unwrap();
        assert!(!there.to_scalar::<bool>().unwrap());
    }
}

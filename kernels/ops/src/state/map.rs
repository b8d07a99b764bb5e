//! Maps from tensors to tensors, as values: a scalar of dtype variant.
//!
//! Two keys are one where they agree in dtype, shape and bytes. A map does not change; the ops that insert and erase
//! give a map with the change.

use oplink::prelude::*;

/// A map without entries.
#[op("EmptyTensorMap",
     output = "handle: variant",
     shape = shape_fns::scalar)]
pub struct EmptyTensorMap;

/// The number of entries.
#[op("TensorMapSize",
     input = "input_handle: variant",
     output = "size: int32",
     shape = shape_fns::scalar)]
pub struct TensorMapSize;

/// The value of a key; a key that is not there is an error, and so is a value of another dtype than the attr's.
#[op("TensorMapLookup",
     input = "input_handle: variant",
     input = "key: key_dtype",
     output = "value: value_dtype",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     shape = shape_fns::unknown)]
pub struct TensorMapLookup;

/// The map with a value for a key, in the place of the one that it had.
#[op("TensorMapInsert",
     input = "input_handle: variant",
     input = "key: key_dtype",
     input = "value: value_dtype",
     output = "output_handle: variant",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     shape = shape_fns::scalar)]
pub struct TensorMapInsert;

/// The map without a key, which must be there.
#[op("TensorMapErase",
     input = "input_handle: variant",
     input = "key: key_dtype",
     output = "output_handle: variant",
     attr = "key_dtype: type",
     attr = "value_dtype: type",
     shape = shape_fns::scalar)]
pub struct TensorMapErase;

/// Whether a key is there.
#[op("TensorMapHasKey",
     input = "input_handle: variant",
     input = "key: key_dtype",
     output = "has_key: bool",
     attr = "key_dtype: type",
     shape = shape_fns::scalar)]
pub struct TensorMapHasKey;

/// All keys as the rows of a tensor, in some order. They have one shape and the dtype of the attr; a map without
/// entries is an error.
#[op("TensorMapStackKeys",
     input = "input_handle: variant",
     output = "keys: key_dtype",
     attr = "key_dtype: type",
     shape = shape_fns::unknown)]
pub struct TensorMapStackKeys;

//! `ImmutableConst`: a tensor whose bytes a file holds.
//!
//! The file `memory_region_name` starts with the elements, of the attr `dtype` and as many as the attr `shape` says, as
//! they lie in memory; more bytes may follow. Bools are true for any byte but 0. It is an error when the file is empty
//! or too short, and for strings, resources and variants.

use oplink::prelude::*;

/// Gives the tensor whose bytes a file holds.
#[op("ImmutableConst",
     output = "tensor: dtype",
     attr = "dtype: type",
     attr = "shape: shape",
     attr = "memory_region_name: string",
     shape = shape_fns::placeholder)]
pub struct ImmutableConst;

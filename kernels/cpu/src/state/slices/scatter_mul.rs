//! `ScatterMul` and `ResourceScatterMul`: multiply rows of a variable.
//!
//! `updates` has the shape of `indices`, then that of a row; or it is a scalar, for all elements of the rows. A row that is named
//! several times is changed as often, in this order. An index that is no row is an error, and nothing is changed then. Changes
//! from several threads follow one after the other, whatever `use_locking` says.

#![allow(non_camel_case_types, reason = "a type parameter has the name of its attr")]

use oplink::prelude::*;

use super::rows::combine_rows;
use super::shapes;
use crate::support::elementwise::{Arithmetic, Lanes};

/// Multiplies rows of the variable behind a reference.
#[op("ScatterMul",
     input = "ref: Ref(T)",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output_ref: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::scatter)]
pub struct ScatterMul;

/// Multiplies rows of a resource variable.
#[op("ResourceScatterMul",
     input = "resource: resource",
     input = "indices: Tindices",
     input = "updates: dtype",
     attr = "dtype: numbertype",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::scatter_resource)]
pub struct ResourceScatterMul;

/// `ScatterMul` of numbers.
#[kernel(ScatterMul, device = CPU, T = [numbers], Tindices = any)]
pub fn scatter_mul_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine_rows::<T>(context, Arithmetic::mul)
}

/// `ResourceScatterMul` of numbers.
#[kernel(ResourceScatterMul, device = CPU, dtype = [numbers], Tindices = any)]
pub fn resource_scatter_mul_cpu<dtype: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine_rows::<dtype>(context, Arithmetic::mul)
}

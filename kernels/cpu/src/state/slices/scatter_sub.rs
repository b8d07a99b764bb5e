//! `ScatterSub` and `ResourceScatterSub`: subtract from rows of a variable.
//!
//! `updates` has the shape of `indices`, then that of a row; or it is a scalar, for all elements of the rows. A row that is named
//! several times is changed as often, in this order. An index that is no row is an error, and nothing is changed then. Changes
//! from several threads follow one after the other, whatever `use_locking` says.

#![allow(non_camel_case_types, reason = "a type parameter has the name of its attr")]

use oplink::prelude::*;

use super::rows::combine_rows;
use super::shapes;
use crate::support::elementwise::{Arithmetic, Lanes};

/// Subtracts from rows of the variable behind a reference.
#[op("ScatterSub",
     input = "ref: Ref(T)",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output_ref: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::scatter)]
pub struct ScatterSub;

/// Subtracts from rows of a resource variable.
#[op("ResourceScatterSub",
     input = "resource: resource",
     input = "indices: Tindices",
     input = "updates: dtype",
     attr = "dtype: numbertype",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::scatter_resource)]
pub struct ResourceScatterSub;

/// `ScatterSub` of numbers.
#[kernel(ScatterSub, device = CPU, T = [numbers], Tindices = any)]
pub fn scatter_sub_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine_rows::<T>(context, Arithmetic::sub)
}

/// `ResourceScatterSub` of numbers.
#[kernel(ResourceScatterSub, device = CPU, dtype = [numbers], Tindices = any)]
pub fn resource_scatter_sub_cpu<dtype: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine_rows::<dtype>(context, Arithmetic::sub)
}

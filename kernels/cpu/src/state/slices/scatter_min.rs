//! `ScatterMin` and `ResourceScatterMin`: take the smaller ones of updates and rows of a variable.
//!
//! `updates` has the shape of `indices`, then that of a row; or it is a scalar, for all elements of the rows. A row that is named
//! several times is changed as often, in this order. An index that is no row is an error, and nothing is changed then. Changes
//! from several threads follow one after the other, whatever `use_locking` says.

#![allow(non_camel_case_types, reason = "a type parameter has the name of its attr")]

use oplink::prelude::*;

use super::rows::combine_rows;
use super::shapes;
use crate::support::elementwise::{Lanes, Ordered};

/// Takes the smaller ones of updates and rows of the variable behind a reference.
#[op("ScatterMin",
     input = "ref: Ref(T)",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output_ref: Ref(T)",
     attr = "T: {half, bfloat16, float, double, int32, int64}",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::scatter)]
pub struct ScatterMin;

/// Takes the smaller ones of updates and rows of a resource variable.
#[op("ResourceScatterMin",
     input = "resource: resource",
     input = "indices: Tindices",
     input = "updates: dtype",
     attr = "dtype: numbertype",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::scatter_resource)]
pub struct ResourceScatterMin;

/// `ScatterMin` of real numbers.
#[kernel(ScatterMin, device = CPU, T = [reals], Tindices = any)]
pub fn scatter_min_cpu<T: Lanes<Lane: Ordered>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine_rows::<T>(context, |value, update| if update < value { update } else { value })
}

/// `ResourceScatterMin` of real numbers.
#[kernel(ResourceScatterMin, device = CPU, dtype = [reals], Tindices = any)]
pub fn resource_scatter_min_cpu<dtype: Lanes<Lane: Ordered>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine_rows::<dtype>(context, |value, update| if update < value { update } else { value })
}

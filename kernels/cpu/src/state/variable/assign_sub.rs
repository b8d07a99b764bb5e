//! `AssignSub` and `AssignSubVariableOp`: subtract a value from a variable.
//!
//! Value and variable have one shape and dtype. Subtractions from one variable from several threads follow one after the other,
//! whatever `use_locking` says, so that none is lost; integers wrap around.
#![allow(non_camel_case_types, reason = "a type parameter has the name of its attr")]

use oplink::prelude::*;

use super::{shapes, update::update};
use crate::support::elementwise::{Arithmetic, Lanes};

/// Subtracts `value` from the variable behind a reference.
#[op("AssignSub",
     input = "ref: Ref(T)",
     input = "value: T",
     output = "output_ref: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shape_fns::merge_inputs)]
pub struct AssignSub;

/// Subtracts `value` from a resource variable.
#[op("AssignSubVariableOp",
     input = "resource: resource",
     input = "value: dtype",
     attr = "dtype: type",
     stateful,
     shape = shapes::assign_variable)]
pub struct AssignSubVariableOp;

/// `AssignSub` of numbers.
#[kernel(AssignSub, device = CPU, T = [numbers])]
pub fn assign_sub_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    update::<T>(context, Arithmetic::sub)
}

/// `AssignSubVariableOp` of numbers.
#[kernel(AssignSubVariableOp, device = CPU, dtype = [numbers])]
pub fn assign_sub_variable_op_cpu<dtype: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    update::<dtype>(context, Arithmetic::sub)
}

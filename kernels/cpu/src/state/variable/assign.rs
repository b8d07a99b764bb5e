//! `Assign`: replaces the value of the variable behind a reference.
//!
//! With the attr `validate_shape` the value has the shape of the value that the variable has, or was declared with; without
//! it, any shape. The output is the reference. Every dtype.

use oplink::Variable;
use oplink::prelude::*;

use super::{shapes, update::pass_reference};

/// Replaces the value of a variable.
#[op("Assign",
     input = "ref: Ref(T)",
     input = "value: T",
     output = "output_ref: Ref(T)",
     attr = "T: type",
     attr = "validate_shape: bool = true",
     attr = "use_locking: bool = true",
     allows_uninitialized_input,
     shape = shapes::assign)]
pub struct Assign;

/// `Assign` of every dtype.
#[kernel(Assign, device = CPU, T = any)]
pub fn assign_cpu(context: &mut KernelContext<'_>) -> Result<()> {
    let variable = context.resource::<Variable>(0)?;
    let mut guard = variable.lock();
    if context.attr("validate_shape")? {
        let given = context.input(1).shape();
        let (fits, shape) = match guard.get() {
            Some(old) => (old.shape() == given, old.shape().into()),
            None => (variable.shape().accepts(given), variable.shape().clone()),
        };
        ensure!(fits, "the variable has the shape {shape}, the value {given}; with validate_shape they must be equal");
    }
    let old = guard.replace(context.take_input(1))?;
    drop(guard);
    drop(old);
    pass_reference(context);
    Ok(())
}

//! `AssignAdd` and `AssignAddVariableOp`: add a value to a variable.
//!
//! Value and variable have one shape and dtype. Additions to one variable from several threads follow one after the other,
//! whatever `use_locking` says, so that none is lost; integers wrap around.
#![allow(non_camel_case_types, reason = "a type parameter has the name of its attr")]

use oplink::prelude::*;

use super::{shapes, update::update};
use crate::support::elementwise::{Arithmetic, Lanes};

/// Adds `value` to the variable behind a reference.
#[op("AssignAdd",
     input = "ref: Ref(T)",
     input = "value: T",
     output = "output_ref: Ref(T)",
     attr = "T: numbertype",
     attr = "use_locking: bool = false",
     shape = shape_fns::merge_inputs)]
pub struct AssignAdd;

/// Adds `value` to a resource variable.
#[op("AssignAddVariableOp",
     input = "resource: resource",
     input = "value: dtype",
     attr = "dtype: type",
     stateful,
     shape = shapes::assign_variable)]
pub struct AssignAddVariableOp;

/// `AssignAdd` of numbers.
#[kernel(AssignAdd, device = CPU, T = [numbers])]
pub fn assign_add_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    update::<T>(context, Arithmetic::add)
}

/// `AssignAddVariableOp` of numbers.
#[kernel(AssignAddVariableOp, device = CPU, dtype = [numbers])]
pub fn assign_add_variable_op_cpu<dtype: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    update::<dtype>(context, Arithmetic::add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::stepping::InStep;

    #[test]
    fn additions_from_several_threads_all_count() {
        let step = InStep::new(1);
        let attrs = [("dtype", DType::Float.into()), ("shape", PartialShape::unknown().into())];
        let handle = step.one("VarHandleOp", &attrs, vec![]).unwrap();
        step.run("AssignVariableOp", &[], vec![handle.clone(), Tensor::full([100], 0f32)]).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..250 {
                        let inputs = vec![handle.clone(), Tensor::full([100], 1f32)];
                        step.run("AssignAddVariableOp", &[], inputs).unwrap();
                        step.run("ReadVariableOp", &attrs[..1], vec![handle.clone()]).unwrap();
                    }
                });
            }
        });
        let sum = step.one("ReadVariableOp", &attrs[..1], vec![handle]).unwrap();
        assert_eq!(sum.as_slice::<f32>().unwrap(), [1000.0; 100]);
    }
}

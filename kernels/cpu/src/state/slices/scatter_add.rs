//! `ScatterAdd` and `ResourceScatterAdd`: add to rows of a variable.
//!
//! `updates` has the shape of `indices`, then that of a row; or it is a scalar, for all elements of the rows. A row that is named
//! several times is changed as often, in this order. An index that is no row is an error, and nothing is changed then. Changes
//! from several threads follow one after the other, whatever `use_locking` says.

#![allow(non_camel_case_types, reason = "a type parameter has the name of its attr")]

use oplink::prelude::*;

use super::rows::combine_rows;
use super::shapes;
use crate::support::elementwise::{Arithmetic, Lanes};

/// Adds to rows of the variable behind a reference.
#[op("ScatterAdd",
     input = "ref: Ref(T)",
     input = "indices: Tindices",
     input = "updates: T",
     output = "output_ref: Ref(T)",
     attr = "T: numbertype",
     attr = "Tindices: {int32, int64}",
     attr = "use_locking: bool = false",
     shape = shapes::scatter)]
pub struct ScatterAdd;

/// Adds to rows of a resource variable.
#[op("ResourceScatterAdd",
     input = "resource: resource",
     input = "indices: Tindices",
     input = "updates: dtype",
     attr = "dtype: numbertype",
     attr = "Tindices: {int32, int64}",
     stateful,
     shape = shapes::scatter_resource)]
pub struct ResourceScatterAdd;

/// `ScatterAdd` of numbers.
#[kernel(ScatterAdd, device = CPU, T = [numbers], Tindices = any)]
pub fn scatter_add_cpu<T: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine_rows::<T>(context, Arithmetic::add)
}

/// `ResourceScatterAdd` of numbers.
#[kernel(ResourceScatterAdd, device = CPU, dtype = [numbers], Tindices = any)]
pub fn resource_scatter_add_cpu<dtype: Lanes<Lane: Arithmetic>>(context: &mut KernelContext<'_>) -> Result<()> {
    combine_rows::<dtype>(context, Arithmetic::add)
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
        step.run("AssignVariableOp", &[], vec![handle.clone(), Tensor::full([3, 50], 0f32)]).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let inputs = vec![handle.clone(), [2, 0, 2].into(), 1f32.into()];
                        step.run("ResourceScatterAdd", &[], inputs).unwrap();
                    }
                });
            }
        });
        let sum = step.one("ReadVariableOp", &attrs[..1], vec![handle]).unwrap();
        let rows: Vec<f32> = sum.as_slice::<f32>().unwrap().iter().step_by(50).copied().collect();
        assert_eq!(rows, [800.0, 0.0, 1600.0]);
    }
}

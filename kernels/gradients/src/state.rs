//! Variables.

use oplink::prelude::*;
use oplink_ops::{
    Identity, ReadVariableOp, ResourceGather, ResourceGatherNd, ScatterNd, UnsortedSegmentSum, VariableShape,
};

use crate::Gradients;
use crate::array::gathered_rows;
use crate::nodes::{Nodes, unary};

/// The gradient of the value is that of the variable's handle.
#[gradient(ReadVariableOp)]
fn read_variable_op(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    unary(scope, op, dy, |n, _, _, dy| n.add::<Identity>([dy]))
}

/// A gradient of the variable's shape, zero in the rows that are not gathered.
#[gradient(ResourceGather)]
fn resource_gather(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    if op.attr::<i64>("batch_dims")? != 0 {
        return Err(oplink::Error::unimplemented("gradients of gathers with `batch_dims` are not supported"));
    }
    let n = Nodes::new(scope, op);
    let shape = n.with::<VariableShape>([op.input(0)], vec![("out_type", DType::Int32.into())])?;
    let (values, indices, rows) = gathered_rows(&n, shape, op.input(1), dy[0])?;
    Ok(vec![Some(n.add::<UnsortedSegmentSum>([values, indices, rows])?), None])
}

/// A gradient of the variable's shape, zero where nothing is gathered.
#[gradient(ResourceGatherNd)]
fn resource_gather_nd(scope: &mut dyn Scope, op: &OpForGradient, dy: &[Output]) -> Gradients {
    let n = Nodes::new(scope, op);
    let shape = n.with::<VariableShape>([op.input(0)], vec![("out_type", op.input_dtype(1).into())])?;
    Ok(vec![Some(n.add::<ScatterNd>([op.input(1), dy[0], shape])?), None])
}

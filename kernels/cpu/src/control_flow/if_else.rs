//! `If`: one of two functions of the same signature, chosen by a value.
//!
//! `cond` chooses `then_branch` where it is true: a scalar other than zero or the empty string, or any other tensor with
//! elements. Only the chosen function runs.

use oplink::FunctionSlot;
use oplink::prelude::*;

use super::call::call_as_node;
use super::shapes;
use super::stateless_if::StatelessIf;
use super::truth::is_true;

/// Calls one of two functions.
#[op("If",
     input = "cond: Tcond",
     input = "input: Tin",
     output = "output: Tout",
     attr = "Tcond: type",
     attr = "Tin: list(type) >= 0",
     attr = "Tout: list(type) >= 0",
     attr = "then_branch: func",
     attr = "else_branch: func",
     attr = "output_shapes: list(shape) = []",
     stateful,
     shape = shapes::from_attr)]
pub struct If;

/// `If` and `StatelessIf` of every condition.
#[derive(Debug, Default)]
pub struct IfKernel {
    then_branch: FunctionSlot,
    else_branch: FunctionSlot,
}

#[kernel(If, device = CPU, Tcond = any)]
#[kernel(StatelessIf, device = CPU, Tcond = any)]
impl Kernel for IfKernel {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let chosen = if is_true(context.input(0))? {
            self.then_branch.get(context, "then_branch")?
        } else {
            self.else_branch.get(context, "else_branch")?
        };
        call_as_node(&*chosen, context, 1)
    }
}

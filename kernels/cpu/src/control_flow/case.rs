//! `Case`: one of several functions of the same signature, chosen by number.
//!
//! A `branch_index` outside of the branches chooses the last one.

use oplink::FunctionSlot;
use oplink::prelude::*;

use super::call::call_as_node;
use super::shapes;
use super::stateless_case::StatelessCase;

/// Calls one of several functions.
#[op("Case",
     input = "branch_index: int32",
     input = "input: Tin",
     output = "output: Tout",
     attr = "Tin: list(type) >= 0",
     attr = "Tout: list(type) >= 0",
     attr = "branches: list(func) >= 1",
     attr = "output_shapes: list(shape) = []",
     stateful,
     shape = shapes::from_attr)]
pub struct Case;

/// `Case` and `StatelessCase` of any number of branches.
#[derive(Debug)]
pub struct CaseKernel {
    branches: Vec<FunctionSlot>,
}

#[kernel(Case, device = CPU)]
#[kernel(StatelessCase, device = CPU)]
impl Kernel for CaseKernel {
    fn new(construction: &KernelConstruction<'_>) -> Result<Self> {
        let branches: &[FuncAttr] = construction.attr("branches")?;
        ensure!(!branches.is_empty(), "attr `branches` is empty: there is nothing to choose from");
        Ok(Self { branches: branches.iter().map(|_| FunctionSlot::default()).collect() })
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let index = context.input(0).to_scalar::<i32>()?;
        let last = self.branches.len() - 1;
        let chosen = usize::try_from(index).map_or(last, |index| index.min(last));
        let function = self.branches[chosen].get_element(context, "branches", chosen)?;
        call_as_node(&*function, context, 1)
    }
}

//! Branches: `If` and `StatelessIf` choose one of two functions by a value, `Case` and `StatelessCase` one of several
//! by a number. The functions have one signature, and only the chosen one runs.
//!
//! `ToBool` is whether a tensor counts as true: a scalar other than zero or the empty string does, and any other tensor
//! that has elements. `FakeParam` is an output of a branch whose value nobody may read.

use super::call::call_as_node;
use oplink::function::FunctionSlot;
use oplink::prelude::*;
use oplink_ops::control_flow::{Case, CaseInputs, CaseOutputs, DeviceIndex, FakeParam, If, IfInputs, IfOutputs};
use oplink_ops::control_flow::{StatelessCase, StatelessIf, ToBool};

/// `If` and `StatelessIf`: `then_branch` where `cond` is true, else `else_branch`.
#[derive(Debug)]
pub struct IfKernel {
    then_branch: FunctionSlot,
    else_branch: FunctionSlot,
}

#[kernel(If, device = CPU, Tcond = any)]
#[kernel(StatelessIf, device = CPU, Tcond = any)]
impl Kernel for IfKernel {
    type Op = If;

    fn new(construction: Construction<'_, If>) -> Result<Self> {
        let attrs = construction.attrs;
        let (then_branch, else_branch) = (FunctionSlot::new(attrs.then_branch), FunctionSlot::new(attrs.else_branch));
        Ok(Self { then_branch, else_branch })
    }

    fn compute(&self, inputs: IfInputs<'_>, outputs: &mut IfOutputs<'_>, env: Env<'_>) -> Result<()> {
        let branch = if is_true(&inputs.cond)? { &self.then_branch } else { &self.else_branch };
        call_as_node(&*branch.get(&env)?, inputs.input, &mut outputs.output, env)
    }
}

/// `Case` and `StatelessCase`: the branch at `branch_index`, the last one where there is none.
#[derive(Debug)]
pub struct CaseKernel {
    branches: Vec<FunctionSlot>,
}

#[kernel(Case, device = CPU)]
#[kernel(StatelessCase, device = CPU)]
impl Kernel for CaseKernel {
    type Op = Case;

    fn new(construction: Construction<'_, Case>) -> Result<Self> {
        let branches = construction.attrs.branches;
        ensure!(!branches.is_empty(), "attr `branches` is empty: there is nothing to choose from");
        Ok(Self { branches: branches.iter().map(FunctionSlot::new).collect() })
    }

    fn compute(&self, inputs: CaseInputs<'_>, outputs: &mut CaseOutputs<'_>, env: Env<'_>) -> Result<()> {
        let index = inputs.branch_index.to_scalar::<i32>()?;
        let last = self.branches.len() - 1;
        let chosen = usize::try_from(index).map_or(last, |index| index.min(last));
        call_as_node(&*self.branches[chosen].get(&env)?, inputs.input, &mut outputs.output, env)
    }
}

/// `ToBool` of every dtype.
#[kernel(ToBool, device = CPU, T = any)]
pub fn to_bool_cpu(input: &Tensor) -> Result<bool> {
    is_true(input)
}

/// `FakeParam` of every dtype: zeros, or no elements where the shape is not fully known.
#[kernel(FakeParam, device = CPU, dtype = any)]
pub fn fake_param_cpu(dtype: DType, shape: &PartialShape) -> Result<Tensor> {
    Tensor::zeros(dtype, shape.to_shape().unwrap_or_else(|| Shape::new(&[0])))
}

/// `DeviceIndex` of a node on the CPU.
#[kernel(DeviceIndex, device = CPU)]
pub fn device_index_cpu(device_names: &[Vec<u8>]) -> i32 {
    device_names.iter().position(|name| name == b"CPU").unwrap_or(device_names.len()) as i32
}

/// Whether a value counts as true: a scalar that is not zero, a scalar string that is not empty, or any other tensor
/// that has elements.
pub(super) fn is_true(value: &Tensor) -> Result<bool> {
    if value.rank() > 0 {
        return Ok(value.num_elements() > 0);
    }
    Ok(match value.dtype() {
        DType::Bool => value.to_scalar::<bool>()?,
        DType::Int32 => value.to_scalar::<i32>()? != 0,
        DType::Int64 => value.to_scalar::<i64>()? != 0,
        DType::Int16 => value.to_scalar::<i16>()? != 0,
        DType::Int8 => value.to_scalar::<i8>()? != 0,
        DType::UInt8 => value.to_scalar::<u8>()? != 0,
        DType::Float => value.to_scalar::<f32>()? != 0.0,
        DType::Double => value.to_scalar::<f64>()? != 0.0,
        DType::String => !value.as_slice::<TString>()?[0].as_bytes().is_empty(),
        other => bail!("a scalar of {other} is neither true nor false; compare it with something"),
    })
}

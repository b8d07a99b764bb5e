//! Calls: `PartitionedCall` of a function without effects, `StatefulPartitionedCall` of one that may have some,
//! `RemoteCall` of one on a device that an input names, `SymbolicGradient` of a function's gradient. `Abort` is an
//! error on purpose.
//!
//! The function takes the inputs and makes the outputs, of any dtypes. Its errors are the node's, with the function's
//! name and that of the node inside it. Where TensorFlow ends the process, `Abort` fails its step: a graph never ends
//! the program that runs it.

use super::call::call_as_node;
use oplink::function::{FunctionForm, FunctionSlot};
use oplink::prelude::*;
use oplink_ops::control_flow::{Abort, PartitionedCall, PartitionedCallInputs, PartitionedCallOutputs};
use oplink_ops::control_flow::{RemoteCall, RemoteCallInputs, RemoteCallOutputs, StatefulPartitionedCall};
use oplink_ops::control_flow::{SymbolicGradient, SymbolicGradientInputs, SymbolicGradientOutputs};

/// `PartitionedCall` and `StatefulPartitionedCall` of every function.
#[derive(Debug)]
pub struct PartitionedCallKernel {
    function: FunctionSlot,
}

#[kernel(PartitionedCall, device = CPU)]
#[kernel(StatefulPartitionedCall, device = CPU)]
impl Kernel for PartitionedCallKernel {
    type Op = PartitionedCall;

    fn new(construction: Construction<'_, PartitionedCall>) -> Result<Self> {
        Ok(Self { function: FunctionSlot::new(construction.attrs.f) })
    }

    fn compute(
        &self,
        inputs: PartitionedCallInputs<'_>,
        outputs: &mut PartitionedCallOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        call_as_node(&*self.function.get(&env)?, inputs.args, &mut outputs.output, env)
    }
}

/// `RemoteCall` of every function.
#[derive(Debug)]
pub struct RemoteCallKernel {
    function: FuncAttr,
}

#[kernel(RemoteCall, device = CPU)]
impl Kernel for RemoteCallKernel {
    type Op = RemoteCall;

    fn new(construction: Construction<'_, RemoteCall>) -> Result<Self> {
        Ok(Self { function: construction.attrs.f.clone() })
    }

    fn compute(&self, inputs: RemoteCallInputs<'_>, outputs: &mut RemoteCallOutputs<'_>, env: Env<'_>) -> Result<()> {
        let Some(target) = inputs.target.as_slice::<TString>()?.first() else {
            bail!("target must name a device, it is empty")
        };
        let target = String::from_utf8_lossy(target.as_bytes()).into_owned();
        let function = env.step()?.function_in_form(&self.function, FunctionForm::OnDevice(&target))?;
        call_as_node(&*function, inputs.args, &mut outputs.output, env)
    }
}

/// `SymbolicGradient` of every function.
#[derive(Debug)]
pub struct SymbolicGradientKernel {
    gradient: FunctionSlot,
}

#[kernel(SymbolicGradient, device = CPU)]
impl Kernel for SymbolicGradientKernel {
    type Op = SymbolicGradient;

    fn new(construction: Construction<'_, SymbolicGradient>) -> Result<Self> {
        Ok(Self { gradient: FunctionSlot::in_form(construction.attrs.f, FunctionForm::Gradient) })
    }

    fn compute(
        &self,
        inputs: SymbolicGradientInputs<'_>,
        outputs: &mut SymbolicGradientOutputs<'_>,
        env: Env<'_>,
    ) -> Result<()> {
        call_as_node(&*self.gradient.get(&env)?, inputs.input, &mut outputs.output, env)
    }
}

/// `Abort`.
#[kernel(Abort, device = CPU)]
pub fn abort_cpu(error_msg: &[u8], exit_without_error: bool) -> Result<()> {
    if exit_without_error {
        return Ok(());
    }
    let message = String::from_utf8_lossy(error_msg);
    let message = if message.is_empty() { "the graph asked for an abort".into() } else { message };
    Err(Error::new(Code::Aborted, ErrorKind::KernelFailed, message))
}

//! Calls: `PartitionedCall` of a function without effects, `StatefulPartitionedCall` of one that may have some. `Abort`
//! is an error on purpose.
//!
//! The function takes the inputs and makes the outputs, of any dtypes. Its errors are the node's, with the function's
//! name and that of the node inside it. Where TensorFlow ends the process, `Abort` fails its step: a graph never ends
//! the program that runs it.

use super::call::call_as_node;
use oplink::function::FunctionSlot;
use oplink::prelude::*;
use oplink_ops::control_flow::StatefulPartitionedCall;
use oplink_ops::control_flow::{Abort, PartitionedCall, PartitionedCallInputs, PartitionedCallOutputs};

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

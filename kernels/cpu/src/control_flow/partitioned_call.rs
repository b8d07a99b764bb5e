//! `PartitionedCall`: a call of a function without effects.
//!
//! The function takes the inputs and gives the outputs, of any dtypes. Its errors are the node's, with the function's name
//! and that of the node inside it.

use oplink::FunctionSlot;
use oplink::prelude::*;

use super::call::call_as_node;

/// Calls a function.
#[op("PartitionedCall",
     input = "args: Tin",
     output = "output: Tout",
     attr = "Tin: list(type) >= 0",
     attr = "Tout: list(type) >= 0",
     attr = "f: func",
     attr = "config: string = ''",
     attr = "config_proto: string = ''",
     attr = "executor_type: string = ''",
     unused_attr = "config",
     unused_attr = "config_proto",
     unused_attr = "executor_type",
     shape = shape_fns::unknown)]
pub struct PartitionedCall;

/// `PartitionedCall` of every function.
#[derive(Debug, Default)]
pub struct PartitionedCallKernel {
    function: FunctionSlot,
}

#[kernel(PartitionedCall, device = CPU)]
impl Kernel for PartitionedCallKernel {
    fn new(_: &KernelConstruction<'_>) -> Result<Self> {
        Ok(Self::default())
    }

    fn compute(&self, context: &mut KernelContext<'_>) -> Result<()> {
        let function = self.function.get(context, "f")?;
        call_as_node(&*function, context, 0)
    }
}

//! Making, reading, assigning and ending variables: what they hold is handed on, whatever memory it is in.

use oplink::prelude::*;
use oplink_cpu_state::*;
use oplink_ops::state::*;

use crate::host_fallback::{host, kernels};

/// `VarHandleOp` with the node's handle.
#[derive(Debug)]
pub struct VarHandleOpGpu(VarHandleOpCpu);

#[kernel(VarHandleOp, device = GPU, dtype = [numbers, bool])]
impl Kernel for VarHandleOpGpu {
    type Op = VarHandleOp;

    fn new(construction: Construction<'_, VarHandleOp>) -> Result<Self> {
        VarHandleOpCpu::new(construction).map(Self)
    }

    fn compute(&self, inputs: VarHandleOpInputs<'_>, outputs: &mut VarHandleOpOutputs<'_>, env: Env<'_>) -> Result<()> {
        self.0.compute(inputs, outputs, env)
    }
}

kernels! {
    #[kernel(ReadVariableOp, device = GPU, dtype = [numbers, bool])]
    read_variable_op_gpu = host::<read_variable_op_cpu>;
    #[kernel(AssignVariableOp, device = GPU, dtype = [numbers, bool])]
    assign_variable_op_gpu = host::<assign_variable_op_cpu>;
    #[kernel(VarIsInitializedOp, device = GPU, host_memory = [is_initialized])]
    var_is_initialized_op_gpu = host::<var_is_initialized_op_cpu>;
    #[kernel(VariableShape, device = GPU, out_type = any, host_memory = [output])]
    variable_shape_gpu = host::<variable_shape_cpu>;
    #[kernel(DestroyResourceOp, device = GPU)]
    destroy_resource_op_gpu = host::<destroy_resource_op_cpu>;
    #[kernel(DisableCopyOnRead, device = GPU)]
    disable_copy_on_read_gpu = host::<disable_copy_on_read_cpu>;
}

//! Making, reading, assigning and ending variables: what they hold is forwarded, whatever memory it is in.

use oplink::prelude::*;
use oplink_ops::state::*;

/// Ops on whole variables.
#[derive(Debug)]
pub struct Variables;

#[kernel(VarHandleOp, device = GPU, dtype = [numbers, bool])]
#[kernel(ReadVariableOp, device = GPU, dtype = [numbers, bool])]
#[kernel(AssignVariableOp, device = GPU, dtype = [numbers, bool])]
#[kernel(VarIsInitializedOp, device = GPU, host_memory = [is_initialized])]
#[kernel(VariableShape, device = GPU, out_type = any, host_memory = [output])]
#[kernel(DestroyResourceOp, device = GPU)]
#[kernel(DisableCopyOnRead, device = GPU)]
impl HostFallback for Variables {}

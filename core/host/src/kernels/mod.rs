//! Kernels declared over the C ABI, and what they call.
//!
//! A plugin's kernel is a factory to the registry and an ordinary kernel object to the dispatcher. A context is lent to
//! the plugin for one call (`construction`, `context`); nothing in it is found by a name or a lock.

mod attr_lists;
mod attr_values;
mod attrs;
mod builder;
mod construction;
mod context;
mod deferred;
mod factory;
mod facts;
mod inputs;
mod kernel_def;
mod node_def;
mod outputs;
mod registration;
mod rendezvous;
mod temporaries;
mod variable_locks;
mod variables;

pub use attr_lists::{
    TF_OpKernelConstruction_GetAttrBoolList, TF_OpKernelConstruction_GetAttrFloatList,
    TF_OpKernelConstruction_GetAttrInt32List, TF_OpKernelConstruction_GetAttrInt64List,
    TF_OpKernelConstruction_GetAttrStringList, TF_OpKernelConstruction_GetAttrTensorList,
    TF_OpKernelConstruction_GetAttrTypeList,
};
pub use attr_values::{
    TF_OpKernelConstruction_GetAttrBool, TF_OpKernelConstruction_GetAttrFloat, TF_OpKernelConstruction_GetAttrInt32,
    TF_OpKernelConstruction_GetAttrInt64, TF_OpKernelConstruction_GetAttrString, TF_OpKernelConstruction_GetAttrTensor,
    TF_OpKernelConstruction_GetAttrTensorShape, TF_OpKernelConstruction_GetAttrType,
};
pub use attrs::{
    TF_OpKernelConstruction_GetAttrFunction, TF_OpKernelConstruction_GetAttrSize, TF_OpKernelConstruction_HasAttr,
};
pub use builder::{
    TF_DeleteKernelBuilder, TF_KernelBuilder_HostMemory, TF_KernelBuilder_Label, TF_KernelBuilder_Priority,
    TF_KernelBuilder_TypeConstraint, TF_NewAsyncKernelBuilder, TF_NewKernelBuilder, TF_RegisterKernelBuilder,
    TF_RegisterKernelBuilderWithKernelDef,
};
pub use construction::{
    TF_OpKernelConstruction_Failure, TF_OpKernelConstruction_GetName, TF_OpKernelConstruction_GetNodeDef,
};
pub use context::TF_OpKernelContext_Failure;
pub use deferred::TF_RunAsyncOpKernelDoneCallback;
pub use facts::{
    TF_DecNumDeferredOps, TF_GetDeviceId, TF_GetDeviceName, TF_GetFrameId, TF_GetGraphDefVersion, TF_GetIterId,
    TF_GetOpKernelName, TF_GetOpKernelRequestedInput, TF_GetResourceMgrDefaultContainerName,
    TF_GetSerializedConfigProto, TF_GetSerializedFunctionDefLibrary, TF_GetSerializedResourceHandleProto, TF_GetStepId,
    TF_GetStream, TF_IncNumDeferredOps, TF_StepId,
};
pub use inputs::{
    TF_GetInput, TF_GetInputByName, TF_InputDatatype, TF_InputRange, TF_IsHostMemoryInput, TF_IsRefInput, TF_NumInputs,
};
pub(crate) use node_def::serialized;
pub use outputs::{
    TF_AllocateOutput, TF_ExpectedOutputDataType, TF_ForwardInputOrAllocateOutput, TF_GetMutableOutput,
    TF_IsHostMemoryOutput, TF_NumOutputs, TF_SetOutput,
};
pub use rendezvous::TF_GetRendezvous;
pub use temporaries::TF_AllocateTemp;
pub use variable_locks::{TF_MaybeLockVariableInputMutexesInOrder, TF_ReleaseVariableInputLockHolder};
pub use variables::{
    TF_AddNVariant, TF_AssignRefVariable, TF_AssignUpdateVariable, TF_AssignVariable, TF_DestroyTemporaryVariable,
    TF_GetInputTensorFromVariable, TF_OpKernelContext_ForwardRefInputToRefOutput, TF_TemporaryVariable,
    TF_ZerosLikeVariant,
};

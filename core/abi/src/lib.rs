//! The types of TensorFlow 2.21's C ABI, as both sides of it see them: plugins and hosts, clients and libraries.
//!
//! Names, layouts and numbers are those of the headers in the `tensorflow` 2.21 wheel. There is no logic here. What a
//! header leaves opaque is opaque here too: a library gives it a type of its own and casts at its doors.
#![warn(clippy::missing_errors_doc)]
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, reason = "the names are the ABI's")]

mod eager;
mod gradient;
mod graph;
mod kernel;
pub mod onnxruntime;
mod opaque;
mod plugin;
mod rendezvous;
mod shapes;
mod status;
mod stream_executor;
pub mod torch;
mod value;
pub mod xla_ffi;

pub use eager::{TFE_CancelCallback, TFE_CancellationToken, TFE_CustomDevice, TFE_CustomDeviceTensorHandle};
pub use gradient::{
    OPLINK_AddedNode, OPLINK_GradientCall, OPLINK_GradientInfo, OPLINK_NodeArgument, OPLINK_NodeCall, OPLINK_Output,
    OPLINK_PluginGradients, OPLINK_Range, OPLINK_Shape, PLUGIN_GRADIENTS_SYMBOL, PLUGIN_GRADIENTS_VERSION,
    PluginGradientFn, PluginGradientsFn, ScopeAddConstantFn, ScopeAddNodeFn,
};
pub use graph::{TF_AttrMetadata, TF_AttrType, TF_Input, TF_Output, TF_WhileParams, attr_type};
pub use kernel::{
    ComputeAsyncFn, ComputeFn, CreateFn, DeleteFn, ShapeInferenceFn, TF_AllocatorAttributes, TF_InputRange_Args,
    VariableCopyFn, VariableUpdateFn,
};
pub use opaque::*;
pub use plugin::{
    OPLINK_KernelInfo, OPLINK_OpInfo, OPLINK_PluginInfo, PLUGIN_INFO_SYMBOL, PLUGIN_INFO_VERSION, PluginInfoFn, TextFn,
};
pub use rendezvous::{
    TF_RendezvousArgsStruct, TF_RendezvousAsyncRecv_Params, TF_RendezvousDoneCallback_Params,
    TF_RendezvousDoneCallbackImpl, TF_RendezvousParsedKey, TF_RendezvousSend_Params, TF_RendezvousThunk,
    TFDevice_AllocatorAttributes,
};
pub use shapes::{TF_Shape, TF_ShapeAndType, TF_ShapeAndTypeList};
pub use status::{PayloadVisitor, TF_Code, code};
pub use stream_executor::{
    INIT_PLUGIN_SYMBOL, InitPluginFn, SE_CreateDeviceFnsParams, SE_CreateDeviceParams, SE_CreateStreamExecutorParams,
    SE_EventStatus, SE_MAJOR, SE_MINOR, SE_PATCH, SE_PlatformRegistrationParams, SE_StatusCallbackFn,
    SP_AllocatorStats, SP_Device, SP_DeviceFns, SP_DeviceMemoryBase, SP_Event, SP_Platform, SP_PlatformFns, SP_Stream,
    SP_StreamExecutor, SP_Timer, SP_TimerFns, event_status,
};
pub use value::{
    BufferDeallocator, TF_Bool, TF_Buffer, TF_DataType, TF_FileStatistics, TF_StringView, TF_TString, TF_TString_Large,
    TF_TString_Offset, TF_TString_Small, TF_TString_Type, TF_TString_Union, TF_TString_View, TF_ThreadOptions,
    TensorDeallocator, ThreadFn, tstring_type,
};

//! Every function that plugins look up by its name, a flat table: what it names, no linker drops.
#![allow(unsafe_code, reason = "room: the C ABI")]

use crate::{absent, buffer, datatype, env, function_library, gradients, kernels, ops, status, tensor, tstring};

/// The address of a function.
struct Address(#[allow(dead_code, reason = "held for the linker")] *const ());

// SAFETY: nobody reads or writes through the address of a function.
unsafe impl Sync for Address {}

macro_rules! table {
    ($($module:ident: $($function:ident)*;)*) => {
        static TABLE: &[(&str, Address)] = &[$($((stringify!($function), Address($module::$function as *const ()))),*),*];
    };
}

#[rustfmt::skip]
table! {
    absent:
        TF_DeleteGraphProperties
        TF_GetFetchNodesList
        TF_GetFetchNodesListSize
        TF_GetInputPropertiesList
        TF_GetInputPropertiesListSize
        TF_GetNodesToPreserveList
        TF_GetNodesToPreserveListSize
        TF_GetOutputPropertiesList
        TF_GetOutputPropertiesListSize
        TF_InferStatically
        TF_NewGraphProperties;
    buffer:
        TF_DeleteBuffer
        TF_GetBuffer
        TF_NewBuffer
        TF_NewBufferFromString;
    datatype:
        TF_DataTypeSize;
    env:
        TF_AppendWritableFile
        TF_CloseWritableFile
        TF_CreateDir
        TF_DefaultThreadOptions
        TF_DeleteDir
        TF_DeleteFile
        TF_DeleteRecursively
        TF_FileStat
        TF_FlushWritableFile
        TF_GetChildren
        TF_GetLocalTempDirectories
        TF_GetSymbolFromLibrary
        TF_GetTempFileName
        TF_JoinThread
        TF_LoadSharedLibrary
        TF_NewWritableFile
        TF_NowMicros
        TF_NowNanos
        TF_NowSeconds
        TF_StartThread
        TF_StringStreamDone
        TF_StringStreamNext
        TF_SyncWritableFile;
    function_library:
        TF_DeleteFunctionLibraryDefinition
        TF_LookUpOpDef
        TF_NewFunctionLibraryDefinition;
    gradients:
        OPLINK_ScopeAddConstant
        OPLINK_ScopeAddNode;
    kernels:
        TF_AddNVariant
        TF_AllocateOutput
        TF_AllocateTemp
        TF_AssignRefVariable
        TF_AssignUpdateVariable
        TF_AssignVariable
        TF_DecNumDeferredOps
        TF_DeleteKernelBuilder
        TF_DestroyTemporaryVariable
        TF_ExpectedOutputDataType
        TF_ForwardInputOrAllocateOutput
        TF_GetDeviceId
        TF_GetDeviceName
        TF_GetFrameId
        TF_GetGraphDefVersion
        TF_GetInput
        TF_GetInputByName
        TF_GetInputTensorFromVariable
        TF_GetIterId
        TF_GetMutableOutput
        TF_GetOpKernelName
        TF_GetOpKernelRequestedInput
        TF_GetRendezvous
        TF_GetResourceMgrDefaultContainerName
        TF_GetSerializedConfigProto
        TF_GetSerializedFunctionDefLibrary
        TF_GetSerializedResourceHandleProto
        TF_GetStepId
        TF_GetStream
        TF_IncNumDeferredOps
        TF_InputDatatype
        TF_InputRange
        TF_IsHostMemoryInput
        TF_IsHostMemoryOutput
        TF_IsRefInput
        TF_KernelBuilder_HostMemory
        TF_KernelBuilder_Label
        TF_KernelBuilder_Priority
        TF_KernelBuilder_TypeConstraint
        TF_MaybeLockVariableInputMutexesInOrder
        TF_NewAsyncKernelBuilder
        TF_NewKernelBuilder
        TF_NumInputs
        TF_NumOutputs
        TF_OpKernelConstruction_Failure
        TF_OpKernelConstruction_GetAttrBool
        TF_OpKernelConstruction_GetAttrBoolList
        TF_OpKernelConstruction_GetAttrFloat
        TF_OpKernelConstruction_GetAttrFloatList
        TF_OpKernelConstruction_GetAttrFunction
        TF_OpKernelConstruction_GetAttrInt32
        TF_OpKernelConstruction_GetAttrInt32List
        TF_OpKernelConstruction_GetAttrInt64
        TF_OpKernelConstruction_GetAttrInt64List
        TF_OpKernelConstruction_GetAttrSize
        TF_OpKernelConstruction_GetAttrString
        TF_OpKernelConstruction_GetAttrStringList
        TF_OpKernelConstruction_GetAttrTensor
        TF_OpKernelConstruction_GetAttrTensorList
        TF_OpKernelConstruction_GetAttrTensorShape
        TF_OpKernelConstruction_GetAttrType
        TF_OpKernelConstruction_GetAttrTypeList
        TF_OpKernelConstruction_GetName
        TF_OpKernelConstruction_GetNodeDef
        TF_OpKernelConstruction_HasAttr
        TF_OpKernelContext_Failure
        TF_OpKernelContext_ForwardRefInputToRefOutput
        TF_RegisterKernelBuilder
        TF_RegisterKernelBuilderWithKernelDef
        TF_ReleaseVariableInputLockHolder
        TF_RunAsyncOpKernelDoneCallback
        TF_SetOutput
        TF_StepId
        TF_TemporaryVariable
        TF_ZerosLikeVariant;
    ops:
        TF_DeleteDimensionHandle
        TF_DeleteOpDefinitionBuilder
        TF_DeleteShapeHandle
        TF_DimensionHandleValue
        TF_DimensionHandleValueKnown
        TF_NewDimensionHandle
        TF_NewOpDefinitionBuilder
        TF_NewShapeHandle
        TF_OpDefinitionBuilderAddAttr
        TF_OpDefinitionBuilderAddInput
        TF_OpDefinitionBuilderAddOutput
        TF_OpDefinitionBuilderDeprecated
        TF_OpDefinitionBuilderSetAllowsUninitializedInput
        TF_OpDefinitionBuilderSetIsAggregate
        TF_OpDefinitionBuilderSetIsCommutative
        TF_OpDefinitionBuilderSetIsStateful
        TF_OpDefinitionBuilderSetShapeInferenceFunction
        TF_RegisterOpDefinition
        TF_ShapeInferenceContextConcatenateShapes
        TF_ShapeInferenceContextDim
        TF_ShapeInferenceContextGetInput
        TF_ShapeInferenceContextNumInputs
        TF_ShapeInferenceContextRank
        TF_ShapeInferenceContextRankKnown
        TF_ShapeInferenceContextScalar
        TF_ShapeInferenceContextSetOutput
        TF_ShapeInferenceContextSetUnknownShape
        TF_ShapeInferenceContextSubshape
        TF_ShapeInferenceContextVectorFromSize
        TF_ShapeInferenceContextWithRank
        TF_ShapeInferenceContextWithRankAtLeast
        TF_ShapeInferenceContextWithRankAtMost
        TF_ShapeInferenceContext_GetAttrType;
    status:
        TF_DeleteStatus
        TF_ForEachPayload
        TF_GetCode
        TF_Message
        TF_NewStatus
        TF_SetPayload
        TF_SetStatus
        TF_SetStatusFromIOError;
    tensor:
        TF_AllocateTensor
        TF_DeleteTensor
        TF_Dim
        TF_NewTensor
        TF_NumDims
        TF_SetShape
        TF_TensorBitcastFrom
        TF_TensorByteSize
        TF_TensorData
        TF_TensorDefaultAlignment
        TF_TensorElementCount
        TF_TensorIsAligned
        TF_TensorMaybeMove
        TF_TensorType;
    tstring:
        TF_StringAssignView
        TF_StringCopy
        TF_StringDealloc
        TF_StringGetCapacity
        TF_StringGetDataPointer
        TF_StringGetSize
        TF_StringGetType
        TF_StringInit;
}

/// Names the table, so that a binary that loads plugins has it.
pub(crate) fn keep() {
    std::hint::black_box(TABLE);
}

/// Names of the functions that plugins find here.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}

/* The declarations of TensorFlow's C ABI that the test plugins use. */
#ifndef OPLINK_TEST_ABI_H
#define OPLINK_TEST_ABI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct TF_Status TF_Status;
typedef struct TF_Tensor TF_Tensor;
typedef struct TF_KernelBuilder TF_KernelBuilder;
typedef struct TF_OpKernelConstruction TF_OpKernelConstruction;
typedef struct TF_OpKernelContext TF_OpKernelContext;
typedef struct TF_AsyncOpKernelDoneCallback TF_AsyncOpKernelDoneCallback;
typedef struct TF_OpDefinitionBuilder TF_OpDefinitionBuilder;
typedef struct TF_ShapeHandle TF_ShapeHandle;
typedef struct TF_DimensionHandle TF_DimensionHandle;
typedef struct TF_ShapeInferenceContext TF_ShapeInferenceContext;
typedef struct TF_Thread TF_Thread;
typedef int TF_DataType;
typedef unsigned char TF_Bool;
typedef struct { const void* data; size_t length; void (*deallocator)(void*, size_t); } TF_Buffer;
typedef struct { const char* data; size_t len; } TF_StringView;
typedef struct { unsigned char raw[24]; } __attribute__((aligned(8))) TF_TString;
typedef struct { size_t struct_size; void* priv; int start; int stop; TF_Status* status; } TF_InputRange_Args;
typedef struct { size_t struct_size; unsigned char on_host; } TF_AllocatorAttributes;
typedef struct { size_t stack_size; size_t guard_size; int numa_node; } TF_ThreadOptions;

enum { TF_FLOAT = 1, TF_DOUBLE = 2, TF_INT32 = 3, TF_STRING = 7, TF_INT64 = 9, TF_BOOL = 10 };

TF_Status* TF_NewStatus(void);
void TF_DeleteStatus(TF_Status*);
void TF_SetStatus(TF_Status*, int, const char*);
int TF_GetCode(const TF_Status*);
const char* TF_Message(const TF_Status*);

TF_DataType TF_TensorType(const TF_Tensor*);
int TF_NumDims(const TF_Tensor*);
int64_t TF_Dim(const TF_Tensor*, int);
void* TF_TensorData(const TF_Tensor*);
int64_t TF_TensorElementCount(const TF_Tensor*);
size_t TF_TensorByteSize(const TF_Tensor*);
void TF_DeleteTensor(TF_Tensor*);
TF_Tensor* TF_AllocateTensor(TF_DataType, const int64_t*, int, size_t);

void TF_StringInit(TF_TString*);
void TF_StringCopy(TF_TString*, const char*, size_t);
const char* TF_StringGetDataPointer(const TF_TString*);
size_t TF_StringGetSize(const TF_TString*);

TF_OpDefinitionBuilder* TF_NewOpDefinitionBuilder(const char*);
void TF_RegisterOpDefinition(TF_OpDefinitionBuilder*, TF_Status*);
void TF_OpDefinitionBuilderAddAttr(TF_OpDefinitionBuilder*, const char*);
void TF_OpDefinitionBuilderAddInput(TF_OpDefinitionBuilder*, const char*);
void TF_OpDefinitionBuilderAddOutput(TF_OpDefinitionBuilder*, const char*);
void TF_OpDefinitionBuilderSetIsStateful(TF_OpDefinitionBuilder*, bool);
void TF_OpDefinitionBuilderSetShapeInferenceFunction(TF_OpDefinitionBuilder*,
                                                     void (*)(TF_ShapeInferenceContext*, TF_Status*));
int64_t TF_ShapeInferenceContextNumInputs(TF_ShapeInferenceContext*);
TF_ShapeHandle* TF_NewShapeHandle(void);
TF_DimensionHandle* TF_NewDimensionHandle(void);
void TF_DeleteShapeHandle(TF_ShapeHandle*);
void TF_DeleteDimensionHandle(TF_DimensionHandle*);
void TF_ShapeInferenceContextGetInput(TF_ShapeInferenceContext*, int, TF_ShapeHandle*, TF_Status*);
void TF_ShapeInferenceContextSetOutput(TF_ShapeInferenceContext*, int, TF_ShapeHandle*, TF_Status*);
TF_ShapeHandle* TF_ShapeInferenceContextScalar(TF_ShapeInferenceContext*);
TF_ShapeHandle* TF_ShapeInferenceContextVectorFromSize(TF_ShapeInferenceContext*, size_t);
void TF_ShapeInferenceContext_GetAttrType(TF_ShapeInferenceContext*, const char*, TF_DataType*, TF_Status*);
int64_t TF_ShapeInferenceContextRank(TF_ShapeInferenceContext*, TF_ShapeHandle*);
int TF_ShapeInferenceContextRankKnown(TF_ShapeInferenceContext*, TF_ShapeHandle*);
void TF_ShapeInferenceContextWithRank(TF_ShapeInferenceContext*, TF_ShapeHandle*, int64_t, TF_ShapeHandle*, TF_Status*);
void TF_ShapeInferenceContextWithRankAtLeast(TF_ShapeInferenceContext*, TF_ShapeHandle*, int64_t, TF_ShapeHandle*,
                                             TF_Status*);
void TF_ShapeInferenceContextWithRankAtMost(TF_ShapeInferenceContext*, TF_ShapeHandle*, int64_t, TF_ShapeHandle*,
                                            TF_Status*);
void TF_ShapeInferenceContextDim(TF_ShapeInferenceContext*, TF_ShapeHandle*, int64_t, TF_DimensionHandle*);
void TF_ShapeInferenceContextSubshape(TF_ShapeInferenceContext*, TF_ShapeHandle*, int64_t, int64_t, TF_ShapeHandle*,
                                      TF_Status*);
void TF_ShapeInferenceContextSetUnknownShape(TF_ShapeInferenceContext*, TF_Status*);
int TF_DimensionHandleValueKnown(TF_DimensionHandle*);
int64_t TF_DimensionHandleValue(TF_DimensionHandle*);
void TF_ShapeInferenceContextConcatenateShapes(TF_ShapeInferenceContext*, TF_ShapeHandle*, TF_ShapeHandle*,
                                               TF_ShapeHandle*, TF_Status*);

TF_KernelBuilder* TF_NewKernelBuilder(const char*, const char*, void* (*)(TF_OpKernelConstruction*),
                                      void (*)(void*, TF_OpKernelContext*), void (*)(void*));
TF_KernelBuilder* TF_NewAsyncKernelBuilder(const char*, const char*, void* (*)(TF_OpKernelConstruction*),
                                           void (*)(void*, TF_OpKernelContext*, TF_AsyncOpKernelDoneCallback*),
                                           void (*)(void*));
void TF_KernelBuilder_TypeConstraint(TF_KernelBuilder*, const char*, TF_DataType, TF_Status*);
void TF_KernelBuilder_HostMemory(TF_KernelBuilder*, const char*);
void TF_KernelBuilder_Priority(TF_KernelBuilder*, int32_t);
void TF_RegisterKernelBuilder(const char*, TF_KernelBuilder*, TF_Status*);
void TF_RunAsyncOpKernelDoneCallback(TF_AsyncOpKernelDoneCallback*);

void TF_OpKernelConstruction_Failure(TF_OpKernelConstruction*, TF_Status*);
TF_StringView TF_OpKernelConstruction_GetName(TF_OpKernelConstruction*);
TF_Buffer* TF_OpKernelConstruction_GetNodeDef(TF_OpKernelConstruction*, TF_Status*);
void TF_DeleteBuffer(TF_Buffer*);
bool TF_OpKernelConstruction_HasAttr(TF_OpKernelConstruction*, const char*, TF_Status*);
void TF_OpKernelConstruction_GetAttrSize(TF_OpKernelConstruction*, const char*, int32_t*, int32_t*, TF_Status*);
void TF_OpKernelConstruction_GetAttrType(TF_OpKernelConstruction*, const char*, TF_DataType*, TF_Status*);
void TF_OpKernelConstruction_GetAttrInt32(TF_OpKernelConstruction*, const char*, int32_t*, TF_Status*);
void TF_OpKernelConstruction_GetAttrInt64(TF_OpKernelConstruction*, const char*, int64_t*, TF_Status*);
void TF_OpKernelConstruction_GetAttrFloat(TF_OpKernelConstruction*, const char*, float*, TF_Status*);
void TF_OpKernelConstruction_GetAttrBool(TF_OpKernelConstruction*, const char*, TF_Bool*, TF_Status*);
void TF_OpKernelConstruction_GetAttrString(TF_OpKernelConstruction*, const char*, char*, size_t, TF_Status*);
void TF_OpKernelConstruction_GetAttrTensor(TF_OpKernelConstruction*, const char*, TF_Tensor**, TF_Status*);
void TF_OpKernelConstruction_GetAttrTypeList(TF_OpKernelConstruction*, const char*, TF_DataType*, int, TF_Status*);
void TF_OpKernelConstruction_GetAttrInt32List(TF_OpKernelConstruction*, const char*, int32_t*, int, TF_Status*);
void TF_OpKernelConstruction_GetAttrInt64List(TF_OpKernelConstruction*, const char*, int64_t*, int, TF_Status*);
void TF_OpKernelConstruction_GetAttrFloatList(TF_OpKernelConstruction*, const char*, float*, int, TF_Status*);
void TF_OpKernelConstruction_GetAttrBoolList(TF_OpKernelConstruction*, const char*, TF_Bool*, int, TF_Status*);
void TF_OpKernelConstruction_GetAttrStringList(TF_OpKernelConstruction*, const char*, char**, size_t*, int, void*, size_t,
                                               TF_Status*);
void TF_OpKernelConstruction_GetAttrTensorList(TF_OpKernelConstruction*, const char*, TF_Tensor**, int, TF_Status*);

int TF_NumInputs(TF_OpKernelContext*);
int TF_NumOutputs(TF_OpKernelContext*);
void TF_GetInput(TF_OpKernelContext*, int, TF_Tensor**, TF_Status*);
void TF_InputRange(TF_OpKernelContext*, const char*, TF_InputRange_Args*);
TF_DataType TF_InputDatatype(TF_OpKernelContext*, int);
void TF_SetOutput(TF_OpKernelContext*, int, const TF_Tensor*, TF_Status*);
TF_Tensor* TF_GetMutableOutput(TF_OpKernelContext*, int, TF_Status*);
void TF_OpKernelContext_Failure(TF_OpKernelContext*, TF_Status*);
TF_DataType TF_ExpectedOutputDataType(TF_OpKernelContext*, int);
bool TF_IsHostMemoryInput(TF_OpKernelContext*, int, TF_Status*);
bool TF_IsHostMemoryOutput(TF_OpKernelContext*, int, TF_Status*);
int64_t TF_StepId(TF_OpKernelContext*);
void* TF_GetStream(TF_OpKernelContext*, TF_Status*);
TF_StringView TF_GetOpKernelName(TF_OpKernelContext*);
TF_StringView TF_GetDeviceName(TF_OpKernelContext*);
int TF_GetDeviceId(TF_OpKernelContext*);
TF_StringView TF_GetResourceMgrDefaultContainerName(TF_OpKernelContext*);
TF_Tensor* TF_AllocateOutput(TF_OpKernelContext*, int, TF_DataType, const int64_t*, int, size_t, TF_Status*);
TF_Tensor* TF_AllocateTemp(TF_OpKernelContext*, TF_DataType, const int64_t*, int, TF_AllocatorAttributes*, TF_Status*);
TF_Tensor* TF_ForwardInputOrAllocateOutput(TF_OpKernelContext*, const int*, int, int, const int64_t*, int, int*,
                                           TF_Status*);

size_t TF_DataTypeSize(TF_DataType);
uint64_t TF_NowMicros(void);
void TF_DefaultThreadOptions(TF_ThreadOptions*);
TF_Thread* TF_StartThread(const TF_ThreadOptions*, const char*, void (*)(void*), void*);
void TF_JoinThread(TF_Thread*);

#endif

/* Kernels: how a plugin offers them for an op and a device, and what they see while they are made and while they run.
 *
 * A kernel is three functions: one makes its state for a node, one computes, one frees the state.
 *
 *   TF_KernelBuilder* k = TF_NewKernelBuilder("Twice", "CPU", &create, &compute, &destroy);
 *   TF_KernelBuilder_TypeConstraint(k, "T", TF_FLOAT, status);
 *   TF_RegisterKernelBuilder("TwiceCpuFloat", k, status);
 *
 * A plugin registers while it is loaded and in TF_InitKernel, whichever comes first, and once only. `compute` runs on
 * several threads at once. */
#ifndef OPLINK_C_KERNELS_H_
#define OPLINK_C_KERNELS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oplink/c/c_api_macros.h"
#include "oplink/c/rendezvous.h"
#include "oplink/c/stream_executor.h"
#include "oplink/c/tf_buffer.h"
#include "oplink/c/tf_datatype.h"
#include "oplink/c/tf_status.h"
#include "oplink/c/tf_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_KernelBuilder TF_KernelBuilder;
typedef struct TF_OpKernelConstruction TF_OpKernelConstruction;
typedef struct TF_OpKernelContext TF_OpKernelContext;
typedef struct TF_AsyncOpKernelDoneCallback TF_AsyncOpKernelDoneCallback;

/* Says that an asynchronous kernel is done. To be called exactly once a computation. */
TF_CAPI_EXPORT extern void TF_RunAsyncOpKernelDoneCallback(TF_AsyncOpKernelDoneCallback* done);

/* Defined by the plugin, called by the host that loads it. */
void TF_InitKernel(void);

/* Starts a declaration. `create` and `delete` may be null for a kernel without state. The builder ends in
 * TF_RegisterKernelBuilder or in TF_DeleteKernelBuilder. */
TF_CAPI_EXPORT extern TF_KernelBuilder* TF_NewKernelBuilder(const char* op_name, const char* device_name,
                                                            void* (*create_func)(TF_OpKernelConstruction*),
                                                            void (*compute_func)(void*, TF_OpKernelContext*),
                                                            void (*delete_func)(void*));
TF_CAPI_EXPORT extern TF_KernelBuilder* TF_NewAsyncKernelBuilder(
    const char* op_name, const char* device_name, void* (*create_func)(TF_OpKernelConstruction*),
    void (*compute_async_func)(void*, TF_OpKernelContext*, TF_AsyncOpKernelDoneCallback* done),
    void (*delete_func)(void*));

/* The kernel serves only nodes whose type attr has this value; several constraints on one attr are alternatives. */
TF_CAPI_EXPORT extern void TF_KernelBuilder_TypeConstraint(TF_KernelBuilder* kernel_builder, const char* attr_name,
                                                           TF_DataType type, TF_Status* status);

/* The named input or output lies in the host's memory. */
TF_CAPI_EXPORT extern void TF_KernelBuilder_HostMemory(TF_KernelBuilder* kernel_builder, const char* arg_name);

/* Of several kernels that fit, the highest priority serves. */
TF_CAPI_EXPORT extern void TF_KernelBuilder_Priority(TF_KernelBuilder* kernel_builder, int32_t priority_number);

/* The kernel serves only nodes that ask for the label in `_kernel`. */
TF_CAPI_EXPORT extern void TF_KernelBuilder_Label(TF_KernelBuilder* kernel_builder, const char* label);

/* Registers the kernel and takes the builder, whatever the status says. */
TF_CAPI_EXPORT extern void TF_RegisterKernelBuilder(const char* kernel_name, TF_KernelBuilder* builder,
                                                    TF_Status* status);

/* The same with a serialized KernelDef instead of what the builder was told; null stands for the builder's own. */
TF_CAPI_EXPORT extern void TF_RegisterKernelBuilderWithKernelDef(const char* serialized_kernel_def, const char* name,
                                                                 TF_KernelBuilder* builder, TF_Status* status);

/* Frees a builder that is not to be registered. */
TF_CAPI_EXPORT extern void TF_DeleteKernelBuilder(TF_KernelBuilder* builder);

/* The device's stream that the kernel works on; fails on devices without streams. */
TF_CAPI_EXPORT extern SP_Stream TF_GetStream(TF_OpKernelContext* ctx, TF_Status* status);

TF_CAPI_EXPORT extern int TF_NumInputs(TF_OpKernelContext* ctx);
TF_CAPI_EXPORT extern int TF_NumOutputs(TF_OpKernelContext* ctx);

/* Input `i` as a tensor that the caller deletes. */
TF_CAPI_EXPORT extern void TF_GetInput(TF_OpKernelContext* ctx, int i, TF_Tensor** tensor, TF_Status* status);

/* What TF_InputRange tells: the positions [start, stop) of a named input, and in `status` whether there is one. */
typedef struct TF_InputRange_Args {
  size_t struct_size;
  void* priv;
  int start;
  int stop;
  TF_Status* status;
} TF_InputRange_Args;

#define TF_InputRange_Args_STRUCT_SIZE TF_OFFSET_OF_END(TF_InputRange_Args, status)

TF_CAPI_EXPORT extern void TF_InputRange(TF_OpKernelContext* ctx, const char* name, TF_InputRange_Args* args);

TF_CAPI_EXPORT extern TF_DataType TF_InputDatatype(TF_OpKernelContext* ctx, int index);

/* Makes the tensor output `i`; it stays the caller's to delete. Fails where the dtype is not the expected one. */
TF_CAPI_EXPORT extern void TF_SetOutput(TF_OpKernelContext* ctx, int i, const TF_Tensor* tensor, TF_Status* status);

/* Output `i` as set before, for writing; the caller deletes the handle. */
TF_CAPI_EXPORT extern TF_Tensor* TF_GetMutableOutput(TF_OpKernelContext* ctx, int i, TF_Status* status);

/* Serialized messages; the buffer is the caller's. */
TF_CAPI_EXPORT extern void TF_GetSerializedFunctionDefLibrary(TF_OpKernelContext* ctx,
                                                              TF_Buffer* serialized_function_def_library,
                                                              TF_Status* status);
TF_CAPI_EXPORT extern void TF_GetSerializedConfigProto(TF_OpKernelContext* ctx, TF_Buffer* serialized_config_proto,
                                                       TF_Status* status);
TF_CAPI_EXPORT extern void TF_GetSerializedResourceHandleProto(TF_OpKernelContext* ctx, int i,
                                                               TF_Buffer* serialized_resource_handle_proto,
                                                               TF_Status* status);

/* Say that the kernel could not be made, or could not compute; the status must hold an error and is copied. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_Failure(TF_OpKernelConstruction* ctx, TF_Status* status);
TF_CAPI_EXPORT extern void TF_OpKernelContext_Failure(TF_OpKernelContext* ctx, TF_Status* status);

TF_CAPI_EXPORT extern TF_DataType TF_ExpectedOutputDataType(TF_OpKernelContext* ctx, int i);

/* Whether an input or output lies in the host's memory. */
TF_CAPI_EXPORT extern bool TF_IsHostMemoryInput(TF_OpKernelContext* ctx, int i, TF_Status* status);
TF_CAPI_EXPORT extern bool TF_IsHostMemoryOutput(TF_OpKernelContext* ctx, int i, TF_Status* status);

/* The number of the run. */
TF_CAPI_EXPORT extern int64_t TF_StepId(TF_OpKernelContext* ctx);

/* The serialized NodeDef; the caller deletes the buffer. */
TF_CAPI_EXPORT extern TF_Buffer* TF_OpKernelConstruction_GetNodeDef(TF_OpKernelConstruction* ctx, TF_Status* status);

/* Where in the run the kernel is: loop frame, iteration, step; and on which device. */
TF_CAPI_EXPORT extern uint64_t TF_GetFrameId(TF_OpKernelContext* ctx);
TF_CAPI_EXPORT extern int64_t TF_GetIterId(TF_OpKernelContext* ctx);
TF_CAPI_EXPORT extern int64_t TF_GetStepId(TF_OpKernelContext* ctx);
TF_CAPI_EXPORT extern int TF_GetDeviceId(TF_OpKernelContext* ctx);
TF_CAPI_EXPORT TF_StringView TF_GetDeviceName(TF_OpKernelContext* ctx);

/* The rendezvous of the step, valid until the step ends. */
TF_CAPI_EXPORT TF_RendezvousThunk TF_GetRendezvous(TF_OpKernelContext* ctx);
TF_CAPI_EXPORT extern int TF_GetGraphDefVersion(TF_OpKernelContext* ctx);

/* Names; the views live as long as the context. */
TF_CAPI_EXPORT extern TF_StringView TF_GetOpKernelName(TF_OpKernelContext* ctx);
TF_CAPI_EXPORT extern TF_StringView TF_GetResourceMgrDefaultContainerName(TF_OpKernelContext* ctx);
TF_CAPI_EXPORT extern TF_StringView TF_GetOpKernelRequestedInput(TF_OpKernelContext* ctx, size_t index);

/* How much room an attr's value needs. `list_size`: elements of a list, -1 for other values. `total_size`: bytes of a
 * string or of all strings of a list, dimensions of a shape or of all shapes of a list, -1 for other kinds and for
 * empty lists. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrSize(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                               int32_t* list_size, int32_t* total_size,
                                                               TF_Status* status);

/* Values of attrs. All fail where the node has no such attr or it is of another kind. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrType(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                               TF_DataType* val, TF_Status* status);
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrInt32(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                                int32_t* val, TF_Status* status);
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrInt64(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                                int64_t* val, TF_Status* status);
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrFloat(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                                float* val, TF_Status* status);
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrBool(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                               TF_Bool* val, TF_Status* status);

/* Copies at most `max_length` bytes; the result is not terminated. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrString(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                                 char* val, size_t max_length, TF_Status* status);

/* A tensor that the caller deletes. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrTensor(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                                 TF_Tensor** val, TF_Status* status);

/* Lists: `vals` has room for `max_vals` elements, best as many as TF_OpKernelConstruction_GetAttrSize says. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrTypeList(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                                   TF_DataType* vals, int max_vals,
                                                                   TF_Status* status);
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrInt32List(TF_OpKernelConstruction* ctx,
                                                                    const char* attr_name, int32_t* vals, int max_vals,
                                                                    TF_Status* status);
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrInt64List(TF_OpKernelConstruction* ctx,
                                                                    const char* attr_name, int64_t* vals, int max_vals,
                                                                    TF_Status* status);
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrFloatList(TF_OpKernelConstruction* ctx,
                                                                    const char* attr_name, float* vals, int max_vals,
                                                                    TF_Status* status);
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrBoolList(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                                   TF_Bool* vals, int max_vals, TF_Status* status);

/* Strings are copied into `storage`; `values` and `lengths` say where they lie in it. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrStringList(TF_OpKernelConstruction* ctx,
                                                                     const char* attr_name, char** values,
                                                                     size_t* lengths, int max_values, void* storage,
                                                                     size_t storage_size, TF_Status* status);

/* Tensors that the caller deletes. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrTensorList(TF_OpKernelConstruction* ctx,
                                                                     const char* attr_name, TF_Tensor** vals,
                                                                     int max_values, TF_Status* status);

/* The serialized NameAttrList of a function attr; the caller deletes the buffer. */
TF_CAPI_EXPORT extern TF_Buffer* TF_OpKernelConstruction_GetAttrFunction(TF_OpKernelConstruction* ctx,
                                                                         const char* attr_name, TF_Status* status);

TF_CAPI_EXPORT extern bool TF_OpKernelConstruction_HasAttr(TF_OpKernelConstruction* ctx, const char* attr_name,
                                                           TF_Status* status);

/* The node's name; the view lives as long as the construction. */
TF_CAPI_EXPORT extern TF_StringView TF_OpKernelConstruction_GetName(TF_OpKernelConstruction* ctx);

/* Makes output `index`; the caller writes the elements and deletes the handle. `len` is in bytes. */
TF_CAPI_EXPORT TF_Tensor* TF_AllocateOutput(TF_OpKernelContext* context, int index, TF_DataType dtype,
                                            const int64_t* dims, int num_dims, size_t len, TF_Status* status);

/* Makes output `output_index` of the memory of the first candidate input that nobody else needs, or of fresh memory.
 * `forwarded_input`, which may be null, is told the input, or -1. The caller deletes the handle. */
TF_CAPI_EXPORT TF_Tensor* TF_ForwardInputOrAllocateOutput(TF_OpKernelContext* context,
                                                          const int* candidate_input_indices,
                                                          int num_candidate_input_indices, int output_index,
                                                          const int64_t* output_dims, int output_num_dims,
                                                          int* forwarded_input, TF_Status* status);

/* Makes a tensor for use during the computation; the caller deletes it. */
TF_CAPI_EXPORT extern TF_Tensor* TF_AllocateTemp(TF_OpKernelContext* context, TF_DataType dtype, const int64_t* dims,
                                                 int num_dims, TF_AllocatorAttributes* alloc_attrs, TF_Status* status);

/* Enclose work on a device that goes on after the kernel returned. */
TF_CAPI_EXPORT extern void TF_IncNumDeferredOps(TF_OpKernelContext* context);
TF_CAPI_EXPORT extern void TF_DecNumDeferredOps(TF_OpKernelContext* context);

#ifdef __cplusplus
}
#endif

#endif

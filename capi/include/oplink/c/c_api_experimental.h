/* What the stable client API has no function for: checkpoints, what ops are like, texts of graphs, messages made without
 * protobuf. */
#ifndef OPLINK_C_C_API_EXPERIMENTAL_H_
#define OPLINK_C_C_API_EXPERIMENTAL_H_

#include <stddef.h>
#include <stdint.h>

#include "oplink/c/c_api.h"
#include "oplink/c/c_api_macros.h"
#include "oplink/c/eager/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a just-in-time compiler. There is none: they keep their values and change no result. The first two give the
 * value before. A mode is `N`, `fusible`, `single-gpu(N)` or `single-gpu(fusible)`. */
TF_CAPI_EXPORT extern void TF_EnableXLACompilation(TF_SessionOptions* options, unsigned char enable);
TF_CAPI_EXPORT unsigned char TF_SetXlaEnableLazyCompilation(unsigned char enable);
TF_CAPI_EXPORT unsigned char TF_SetTfXlaCpuGlobalJit(unsigned char enable);
TF_CAPI_EXPORT void TF_SetXlaAutoJitMode(const char* mode);
TF_CAPI_EXPORT unsigned char TF_GetXlaAutoJitEnabled(void);
TF_CAPI_EXPORT void TF_SetXlaMinClusterSize(int size);
TF_CAPI_EXPORT unsigned char TF_GetXlaConstantFoldingDisabled(void);
TF_CAPI_EXPORT void TF_SetXlaConstantFoldingDisabled(unsigned char should_enable);

/* A serialized ConfigProto and a serialized RunOptions; the caller deletes the buffers. */
TF_CAPI_EXPORT extern TF_Buffer* TF_CreateConfig(unsigned char enable_xla_compilation,
                                                 unsigned char gpu_memory_allow_growth, unsigned int num_cpu_devices);
TF_CAPI_EXPORT extern TF_Buffer* TF_CreateRunOptions(unsigned char enable_full_trace);

/* Texts for readers, in memory that the caller gives to `free`. */
TF_CAPI_EXPORT extern const char* TF_GraphDebugString(TF_Graph* graph, size_t* len);
TF_CAPI_EXPORT extern char* TF_FunctionDebugString(TF_Function* func, size_t* len);

/* Run the nodes `fifo_queue_dequeue_<tensor_id>`, and `fifo_queue_enqueue_<tensor_id>` with the tensor fed to
 * `arg_tensor_enqueue_<tensor_id>`. They wait while the queue is empty or full. */
TF_CAPI_EXPORT extern TF_Tensor* TF_DequeueNamedTensor(TF_Session* session, int tensor_id, TF_Status* status);
TF_CAPI_EXPORT extern void TF_EnqueueNamedTensor(TF_Session* session, int tensor_id, TF_Tensor* tensor,
                                                 TF_Status* status);

/* A serialized ServerDef of its text. */
TF_CAPI_EXPORT extern TF_Buffer* TFE_GetServerDef(const char* text_proto, TF_Status* status);

/* Makes the status one of the code TF_INTERNAL. */
TF_CAPI_EXPORT extern void TF_MakeInternalErrorStatus(TF_Status* status, const char* errMsg);

/* Reads a checkpoint: the prefix of a tensor bundle's files, or a file of the format before. Names are in order and live
 * as long as the reader; tensors are the caller's. */
typedef struct TF_CheckpointReader TF_CheckpointReader;
TF_CAPI_EXPORT extern TF_CheckpointReader* TF_NewCheckpointReader(const char* filename, TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeleteCheckpointReader(TF_CheckpointReader* reader);
TF_CAPI_EXPORT extern int TF_CheckpointReaderHasTensor(TF_CheckpointReader* reader, const char* name);
TF_CAPI_EXPORT extern const char* TF_CheckpointReaderGetVariable(TF_CheckpointReader* reader, int index);
TF_CAPI_EXPORT extern int TF_CheckpointReaderSize(TF_CheckpointReader* reader);
TF_CAPI_EXPORT extern TF_DataType TF_CheckpointReaderGetVariableDataType(TF_CheckpointReader* reader,
                                                                         const char* name);
TF_CAPI_EXPORT extern void TF_CheckpointReaderGetVariableShape(TF_CheckpointReader* reader, const char* name,
                                                               int64_t* dims, int num_dims, TF_Status* status);
TF_CAPI_EXPORT extern int TF_CheckpointReaderGetVariableNumDims(TF_CheckpointReader* reader, const char* name);
TF_CAPI_EXPORT extern TF_Tensor* TF_CheckpointReaderGetTensor(TF_CheckpointReader* reader, const char* name,
                                                              TF_Status* status);

/* Attrs of an op, to ask whether devices of a type have a kernel for it: the status is then OK. */
typedef struct TF_AttrBuilder TF_AttrBuilder;
TF_CAPI_EXPORT extern TF_AttrBuilder* TF_NewAttrBuilder(const char* op_name);
TF_CAPI_EXPORT extern void TF_DeleteAttrBuilder(TF_AttrBuilder* builder);
TF_CAPI_EXPORT extern void TF_AttrBuilderSetType(TF_AttrBuilder* builder, const char* attr_name, TF_DataType value);
TF_CAPI_EXPORT extern void TF_AttrBuilderSetTypeList(TF_AttrBuilder* builder, const char* attr_name,
                                                     const TF_DataType* values, int num_values);
TF_CAPI_EXPORT extern void TF_AttrBuilderCheckCanRunOnDevice(TF_AttrBuilder* builder, const char* device_type,
                                                             TF_Status* status);

/* The attr that holds the length of an op's input `N * T`; the text lives on. */
TF_CAPI_EXPORT extern const char* TF_GetNumberAttrForOpListInput(const char* op_name, int input_index,
                                                                 TF_Status* status);

/* 1 where a registered op is stateful, else 0; fails where there is no such op. */
TF_CAPI_EXPORT extern int TF_OpIsStateful(const char* op_type, TF_Status* status);

/* Does nothing: no preparation is needed. */
TF_CAPI_EXPORT void TF_InitMain(const char* usage, int* argc, char*** argv);

/* A port of TCP that nobody listens at; 0 where there is none. */
TF_CAPI_EXPORT int TF_PickUnusedPortOrDie(void);

/* A handle of a scalar of numbers, of its `len` bytes. */
TF_CAPI_EXPORT extern TFE_TensorHandle* TFE_NewTensorHandleFromScalar(TF_DataType data_type, void* data, size_t len,
                                                                      TF_Status* status);

/* Ops that several processes compute together. */
TF_CAPI_EXPORT extern void TFE_EnableCollectiveOps(TFE_Context* ctx, const void* proto, size_t proto_len,
                                                   TF_Status* status);
TF_CAPI_EXPORT extern void TFE_AbortCollectiveOps(TFE_Context* ctx, TF_Status* status);
TF_CAPI_EXPORT extern void TFE_CollectiveOpsCheckPeerHealth(TFE_Context* ctx, const char* task,
                                                            int64_t timeout_in_ms, TF_Status* status);

/* A tensor's shape and dtype: a rank or a dim of -1 and a dtype of 0 are unknown. */
typedef struct TF_ShapeAndType {
  int num_dims;
  int64_t* dims;
  TF_DataType dtype;
} TF_ShapeAndType;

typedef struct TF_ShapeAndTypeList {
  int num_items;
  TF_ShapeAndType* items;
} TF_ShapeAndTypeList;

/* A list whose elements are scalars of unknown dtype at first. The array is one of those that this library makes. */
TF_CAPI_EXPORT extern TF_ShapeAndTypeList* TF_NewShapeAndTypeList(int num_shapes);
TF_CAPI_EXPORT extern void TF_ShapeAndTypeListSetShape(TF_ShapeAndTypeList* shape_list, int index,
                                                       const int64_t* dims, int num_dims);
TF_CAPI_EXPORT extern void TF_ShapeAndTypeListSetUnknownShape(TF_ShapeAndTypeList* shape_list, int index);
TF_CAPI_EXPORT extern void TF_ShapeAndTypeListSetDtype(TF_ShapeAndTypeList* shape_list, int index, TF_DataType dtype);
TF_CAPI_EXPORT extern void TF_DeleteShapeAndTypeList(TF_ShapeAndTypeList* shape_list);
TF_CAPI_EXPORT extern void TF_DeleteShapeAndTypeListArray(TF_ShapeAndTypeList** shape_list_array, int num_items);

/* Whether an import refuses operations that are to run beside one that is not there. */
TF_CAPI_EXPORT extern void TF_ImportGraphDefOptionsSetValidateColocationConstraints(TF_ImportGraphDefOptions* opts,
                                                                                    unsigned char enable);

/* Loads a plugin that may bring devices (SE_InitPlugin), kernels (TF_InitKernel) and graph optimisers (TF_InitGraph). */
TF_CAPI_EXPORT extern TF_Library* TF_LoadPluggableDeviceLibrary(const char* library_filename, TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeletePluggableDeviceLibraryHandle(TF_Library* lib_handle);

/* Takes a function out of a graph. */
TF_CAPI_EXPORT extern void TF_GraphRemoveFunction(TF_Graph* g, const char* func_name, TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif

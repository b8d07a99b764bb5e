/* Eager calls that are queued, ended early, or run on devices that a client writes; and what contexts tell and are
 * asked to do otherwise. Counters are declared in monitoring.h. */
#ifndef OPLINK_C_EAGER_C_API_EXPERIMENTAL_H_
#define OPLINK_C_EAGER_C_API_EXPERIMENTAL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oplink/c/c_api.h"
#include "oplink/c/c_api_macros.h"
#include "oplink/c/eager/c_api.h"
#include "oplink/c/eager/monitoring.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TFE_Executor TFE_Executor;
typedef struct TFE_CancellationManager TFE_CancellationManager;
typedef struct TFE_OpAttrs TFE_OpAttrs;

/* Names a callback of a cancellation manager. */
typedef int64_t TFE_CancellationToken;

typedef struct TFE_CancelCallback {
  void (*callback)(void* context);
  void* context;
} TFE_CancelCallback;

/* Makes a call anew of another op or function, without inputs and attrs. No name of a device, or an empty one, asks for
 * none. */
TF_CAPI_EXPORT extern void TFE_OpReset(TFE_Op* op_to_reset, const char* op_or_function_name,
                                       const char* raw_device_name, TF_Status* status);

/* Whether the metadata of runs has the graphs of functions. */
TF_CAPI_EXPORT extern void TFE_ContextEnableGraphCollection(TFE_Context* ctx);
TF_CAPI_EXPORT extern void TFE_ContextDisableGraphCollection(TFE_Context* ctx);

/* No effect: there is one runtime. */
TF_CAPI_EXPORT extern void TFE_ContextOptionsSetTfrt(TFE_ContextOptions* options, bool use_tfrt);

/* What tells the contexts of a cluster apart; 0 in none. */
TF_CAPI_EXPORT extern uint64_t TFE_GetContextId(TFE_Context* ctx);

/* Ends calls early. The caller deletes the manager, which ends them too. */
TF_CAPI_EXPORT extern TFE_CancellationManager* TFE_NewCancellationManager(void);
TF_CAPI_EXPORT extern bool TFE_CancellationManagerIsCancelled(TFE_CancellationManager* cancellation_manager);
TF_CAPI_EXPORT extern bool TFE_CancellationManagerIsCancelling(TFE_CancellationManager* cancellation_manager);
TF_CAPI_EXPORT extern void TFE_CancellationManagerStartCancel(TFE_CancellationManager* cancellation_manager);
TF_CAPI_EXPORT extern TFE_CancellationToken TFE_CancellationManagerGetToken(
    TFE_CancellationManager* cancellation_manager);

/* Callbacks run when the calls are ended. Registering and deregistering are false where that has begun; deregistering
 * waits for callbacks that run now, trying to does not. */
TF_CAPI_EXPORT extern bool TFE_CancellationManagerRegisterCallback(TFE_CancellationManager* cancellation_manager,
                                                                   TFE_CancellationToken token,
                                                                   const TFE_CancelCallback* c_callback,
                                                                   const char* callback_name);
TF_CAPI_EXPORT extern bool TFE_CancellationManagerDeregisterCallback(TFE_CancellationManager* cancellation_manager,
                                                                     TFE_CancellationToken token);
TF_CAPI_EXPORT extern bool TFE_CancellationManagerTryDeregisterCallback(TFE_CancellationManager* cancellation_manager,
                                                                        TFE_CancellationToken token);
TF_CAPI_EXPORT extern void TFE_DeleteCancellationManager(TFE_CancellationManager* cancellation_manager);
TF_CAPI_EXPORT extern void TFE_OpSetCancellationManager(TFE_Op* op, TFE_CancellationManager* cancellation_manager,
                                                        TF_Status* status);

/* Runs calls in order. An asynchronous executor queues them: TFE_Execute returns with handles that wait for their call,
 * and what a call ends with is told where its handles are asked for more than dtype and device. A call that fails ends
 * those behind it, and further ones are refused until the error is cleared. A limit above 0 makes callers wait until
 * fewer than so many calls are unfinished. */
TF_CAPI_EXPORT extern TFE_Executor* TFE_NewExecutor(bool is_async, bool enable_streaming_enqueue,
                                                    int in_flight_nodes_limit);

/* Waits for the queued calls. */
TF_CAPI_EXPORT extern void TFE_DeleteExecutor(TFE_Executor* executor);
TF_CAPI_EXPORT extern bool TFE_ExecutorIsAsync(TFE_Executor* executor);
TF_CAPI_EXPORT extern void TFE_ExecutorWaitForAllPendingNodes(TFE_Executor* executor, TF_Status* status);
TF_CAPI_EXPORT extern void TFE_ExecutorClearError(TFE_Executor* executor);

/* The executor of the calls that a thread begins; null sets the context's own. The caller deletes what it gets. */
TF_CAPI_EXPORT extern void TFE_ContextSetExecutorForThread(TFE_Context* ctx, TFE_Executor* executor);
TF_CAPI_EXPORT extern TFE_Executor* TFE_ContextGetExecutorForThread(TFE_Context* ctx);

/* Waits for the calls queued on all executors of the context, and clears their errors. */
TF_CAPI_EXPORT extern void TFE_ContextAsyncWait(TFE_Context* ctx, TF_Status* status);

/* Makes the context the only task of a cluster, from a serialized ServerDef: its devices are named so. Clusters of several
 * tasks are unimplemented, and there is no coordination service. */
TF_CAPI_EXPORT extern void TFE_ContextUpdateServerDef(TFE_Context* ctx, int keep_alive_secs, const void* proto,
                                                      size_t proto_len, TF_Status* status);
TF_CAPI_EXPORT extern void TFE_ContextUpdateServerDefWithTimeout(TFE_Context* ctx, int keep_alive_secs,
                                                                 const void* proto, size_t proto_len,
                                                                 int64_t init_timeout_in_ms, TF_Status* status);
TF_CAPI_EXPORT extern void TFE_ContextSetServerDefWithTimeout(TFE_Context* ctx, int keep_alive_secs,
                                                              const void* proto, size_t proto_len,
                                                              int64_t init_timeout_in_ms, TF_Status* status,
                                                              bool clear_existing_contexts);
TF_CAPI_EXPORT extern void TFE_ContextSetServerDefWithTimeoutAndRetries(TFE_Context* ctx, int keep_alive_secs,
                                                                        const void* proto, size_t proto_len,
                                                                        int64_t init_timeout_in_ms, int retries,
                                                                        TF_Status* status,
                                                                        bool clear_existing_contexts);
TF_CAPI_EXPORT extern void TFE_InitializeLocalOnlyContext(TFE_Context* ctx, int keep_alive_secs, const void* proto,
                                                          size_t proto_len, TF_Status* status);
TF_CAPI_EXPORT extern bool TFE_ContextCheckAlive(TFE_Context* ctx, const char* worker_name, TF_Status* status);
TF_CAPI_EXPORT extern void TFE_ReportErrorToCluster(TFE_Context* ctx, int error_code, const char* error_message,
                                                    TF_Status* status);
TF_CAPI_EXPORT extern void TFE_WaitAtBarrier(TFE_Context* ctx, const char* barrier_id, int64_t barrier_timeout_in_ms,
                                             TF_Status* status);
#ifdef __cplusplus
TF_CAPI_EXPORT extern void TFE_GetTaskStates(TFE_Context* ctx, const TF_Buffer& tasks, void* states,
                                             TF_Status* status);
#else
TF_CAPI_EXPORT extern void TFE_GetTaskStates(TFE_Context* ctx, const TF_Buffer* tasks, void* states,
                                             TF_Status* status);
#endif

/* Where a tensor's memory begins on its device, and its bytes; valid as long as the handle. */
TF_CAPI_EXPORT extern void* TFE_TensorHandleDevicePointer(TFE_TensorHandle* h, TF_Status* status);
TF_CAPI_EXPORT extern size_t TFE_TensorHandleDeviceMemorySize(TFE_TensorHandle* h, TF_Status* status);

/* A handle of a tensor over memory of the caller, which the deallocator frees: at once where no handle is made. */
TF_CAPI_EXPORT extern TFE_TensorHandle* TFE_NewTensorHandleFromDeviceMemory(
    TFE_Context* ctx, const char* device_name, TF_DataType dtype, const int64_t* dims, int num_dims, void* data,
    size_t len, void (*deallocator)(void* data, size_t len, void* arg), void* deallocator_arg, TF_Status* status);

/* The part of this process's device names before `/device:`, into an empty buffer. */
TF_CAPI_EXPORT extern void TFE_HostAddressSpace(TFE_Context* ctx, TF_Buffer* buf);

/* The attrs of a call, valid as long as the call. */
TF_CAPI_EXPORT extern const TFE_OpAttrs* TFE_OpGetAttrs(const TFE_Op* op);

/* Adds the attrs that a call does not have yet. */
TF_CAPI_EXPORT extern void TFE_OpAddAttrs(TFE_Op* op, const TFE_OpAttrs* attrs);

/* The op's name and all attrs that are known, as a serialized NameAttrList. */
TF_CAPI_EXPORT extern void TFE_OpAttrsSerialize(const TFE_OpAttrs* attrs, TF_Buffer* buf, TF_Status* status);

/* Sets an attr from a serialized AttrValue. */
TF_CAPI_EXPORT extern void TFE_OpSetAttrValueProto(const TFE_Op* op, const char* attr_name, const void* proto,
                                                   size_t proto_len, TF_Status* status);

/* Shapes and dtypes of several tensors, as c_api_experimental.h has them. */
struct TF_ShapeAndTypeList;

/* Infers the shapes of a call's outputs from those of its inputs, and from the values, shapes and handles that the inputs
 * stand for, each of which may be null. The caller deletes the list; the last one is left as it is. */
TF_CAPI_EXPORT extern void TFE_InferShapes(TFE_Op* op, struct TF_ShapeAndTypeList* input_shapes,
                                           TF_Tensor** input_tensors,
                                           struct TF_ShapeAndTypeList* input_tensor_as_shapes,
                                           struct TF_ShapeAndTypeList** input_resource_shapes_and_types,
                                           struct TF_ShapeAndTypeList** output_shapes,
                                           struct TF_ShapeAndTypeList*** output_resource_shapes_and_types,
                                           TF_Status* status);

/* Values that the tasks of a cluster share: there is no cluster. */
TF_CAPI_EXPORT extern void TFE_InsertConfigKeyValue(TFE_Context* ctx, const char* key, const char* value,
                                                    TF_Status* status);
TF_CAPI_EXPORT extern void TFE_GetConfigKeyValue(TFE_Context* ctx, const char* key, int64_t timeout_in_ms,
                                                 TF_Buffer* value_buf, TF_Status* status);
TF_CAPI_EXPORT extern void TFE_DeleteConfigKeyValue(TFE_Context* ctx, const char* key, TF_Status* status);

#define TFE_CUSTOM_DEVICE_VERSION 4

/* What C++ sets where a client does not. */
#ifdef __cplusplus
#define OPLINK_C_DEFAULT(value) = value
#else
#define OPLINK_C_DEFAULT(value)
#endif

/* A device that a client writes. */
typedef struct TFE_CustomDevice {
  int version OPLINK_C_DEFAULT(TFE_CUSTOM_DEVICE_VERSION);
  /* A handle on the device of a tensor that is elsewhere. */
  TFE_TensorHandle* (*copy_tensor_to_device)(TFE_Context* context, TFE_TensorHandle* tensor, TF_Status* status,
                                             void* device_info);
  /* A handle elsewhere of a tensor on the device. */
  TFE_TensorHandle* (*copy_tensor_from_device)(TFE_Context* context, TFE_TensorHandle* tensor,
                                               const char* target_device_name, TF_Status* status, void* device_info);
  /* Runs a call, which stays as it is. */
  void (*execute)(const TFE_Op* op, int* num_outputs, TFE_TensorHandle** outputs, TF_Status* s, void* device_info);
  /* Frees device_info; called once, also where the device is refused. */
  void (*delete_device)(void* device_info);
  /* One handle of several, one of which is on the device; may be null. */
  TFE_TensorHandle* (*pack)(TFE_Context* context, TFE_TensorHandle** handles, int num_handles, TF_Status* s,
                            void* device_info) OPLINK_C_DEFAULT(nullptr);
  /* Whether a call with inputs on the device runs there; may be null. */
  bool (*shall_pin_to_this_device)(const TFE_Op* op, TF_Status* s) OPLINK_C_DEFAULT(nullptr);
} TFE_CustomDevice;

/* Registers a device under a full name, as long as the context. */
TF_CAPI_EXPORT extern void TFE_RegisterCustomDevice(TFE_Context* ctx, TFE_CustomDevice device,
                                                    const char* device_name, void* device_info, TF_Status* status);

/* Whether a device was registered under exactly this name. */
TF_CAPI_EXPORT extern bool TFE_IsCustomDevice(TFE_Context* ctx, const char* device_name);

/* A tensor on such a device. */
typedef struct TFE_CustomDeviceTensorHandleMethods {
  int version OPLINK_C_DEFAULT(TFE_CUSTOM_DEVICE_VERSION);
  int (*num_dims)(void* data, TF_Status* status);
  int64_t (*dim)(void* data, int dim_index, TF_Status* status);
  /* Frees data; called once. */
  void (*deallocator)(void* data);
  /* A text about the value; may be null. */
  TF_Buffer* (*summarize)(void* data, TF_Status* status) OPLINK_C_DEFAULT(nullptr);
} TFE_CustomDeviceTensorHandle;

#undef OPLINK_C_DEFAULT

/* A handle that takes over data, also where it is not made. */
TF_CAPI_EXPORT extern TFE_TensorHandle* TFE_NewCustomDeviceTensorHandle(TFE_Context* ctx, const char* device_name,
                                                                        TF_DataType dtype, void* data,
                                                                        TFE_CustomDeviceTensorHandle methods,
                                                                        TF_Status* status);

/* Functions of the context; the caller deletes the function. */
TF_CAPI_EXPORT extern void TFE_ContextGetFunctionDef(TFE_Context* ctx, const char* function_name, TF_Buffer* buf,
                                                     TF_Status* status);
TF_CAPI_EXPORT extern void TFE_ContextGetGraphDebugInfo(TFE_Context* ctx, const char* function_name, TF_Buffer* buf,
                                                        TF_Status* status);
TF_CAPI_EXPORT extern TF_Function* TFE_ContextGetFunction(TFE_Context* ctx, const char* name, TF_Status* status);

/* A tensor that the caller fills and deletes. */
TF_CAPI_EXPORT extern TF_Tensor* TFE_AllocateHostTensor(TFE_Context* ctx, TF_DataType dtype, const int64_t* dims,
                                                        int num_dims, TF_Status* status);
TF_CAPI_EXPORT TFE_TensorHandle* TFE_NewTensorHandleFromTensor(TFE_Context* ctx, TF_Tensor* t, TF_Status* status);

/* A handle of several, of which a call takes the one on its device. */
TF_CAPI_EXPORT extern TFE_TensorHandle* TFE_CreatePackedTensorHandle(TFE_Context* ctx, TFE_TensorHandle** handles,
                                                                     int* num_handles, TF_Status* status);

/* What later calls of the context do. */
TF_CAPI_EXPORT void TFE_ContextSetSoftDevicePlacement(TFE_Context* ctx, unsigned char enable, TF_Status* status);
TF_CAPI_EXPORT void TFE_ContextSetLogDevicePlacement(TFE_Context* ctx, unsigned char enable, TF_Status* status);
TF_CAPI_EXPORT void TFE_ContextSetRunEagerOpAsFunction(TFE_Context* ctx, unsigned char enable, TF_Status* status);
TF_CAPI_EXPORT void TFE_ContextSetJitCompileRewrite(TFE_Context* ctx, unsigned char enable, TF_Status* status);

/* The type and number of the device of the call that made a tensor; the text lives on. */
TF_CAPI_EXPORT extern const char* TFE_TensorHandleDeviceType(TFE_TensorHandle* h, TF_Status* status);
TF_CAPI_EXPORT extern int TFE_TensorHandleDeviceID(TFE_TensorHandle* h, TF_Status* status);

/* OK of every handle, also of one whose call failed. */
TF_CAPI_EXPORT extern void TFE_TensorHandleGetStatus(TFE_TensorHandle* h, TF_Status* status);

/* An empty text. */
TF_CAPI_EXPORT extern void TFE_GetExecutedOpNames(TFE_Context* ctx, TF_Buffer* buf, TF_Status* status);

/* Adds CPU devices until there are so many. */
TF_CAPI_EXPORT extern void TFE_SetLogicalCpuDevices(TFE_Context* ctx, int num_cpus, const char* prefix,
                                                    TF_Status* status);

#ifdef __cplusplus
} /* end extern "C" */
#endif

#endif

/* Sessions: running graphs, whole or in parts; saved models; devices. */
#ifndef OPLINK_C_SESSION_H_
#define OPLINK_C_SESSION_H_

#include <stddef.h>
#include <stdint.h>

#include "oplink/c/c_api_macros.h"
#include "oplink/c/graph.h"
#include "oplink/c/tf_buffer.h"
#include "oplink/c/tf_status.h"
#include "oplink/c/tf_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_SessionOptions TF_SessionOptions;
typedef struct TF_Session TF_Session;
typedef struct TF_DeprecatedSession TF_DeprecatedSession;
typedef struct TF_DeviceList TF_DeviceList;

TF_CAPI_EXPORT extern TF_SessionOptions* TF_NewSessionOptions(void);

/* Where sessions run; the empty string is this process. */
TF_CAPI_EXPORT extern void TF_SetTarget(TF_SessionOptions* options, const char* target);

/* A serialized ConfigProto. */
TF_CAPI_EXPORT extern void TF_SetConfig(TF_SessionOptions* options, const void* proto, size_t proto_len,
                                        TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeleteSessionOptions(TF_SessionOptions* options);

/* Makes a session on a graph, which may grow later and must outlive it. */
TF_CAPI_EXPORT extern TF_Session* TF_NewSession(TF_Graph* graph, const TF_SessionOptions* opts, TF_Status* status);

/* Loads the model that has all `tags` into an empty graph and initialises it; `meta_graph_def`, where not null, gets
 * the serialized MetaGraphDef. */
TF_CAPI_EXPORT extern TF_Session* TF_LoadSessionFromSavedModel(const TF_SessionOptions* session_options,
                                                               const TF_Buffer* run_options, const char* export_dir,
                                                               const char* const* tags, int tags_len, TF_Graph* graph,
                                                               TF_Buffer* meta_graph_def, TF_Status* status);

/* Ends all runs; later ones fail. */
TF_CAPI_EXPORT extern void TF_CloseSession(TF_Session* session, TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeleteSession(TF_Session* session, TF_Status* status);

/* Runs what the outputs and targets need, with values for some inputs. Output tensors are the caller's to delete.
 * `run_options` (serialized RunOptions) and `run_metadata` may be null. May be called from many threads. */
TF_CAPI_EXPORT extern void TF_SessionRun(TF_Session* session, const TF_Buffer* run_options, const TF_Output* inputs,
                                         TF_Tensor* const* input_values, int ninputs, const TF_Output* outputs,
                                         TF_Tensor** output_values, int noutputs,
                                         const TF_Operation* const* target_opers, int ntargets,
                                         TF_Buffer* run_metadata, TF_Status* status);

/* Starts a run in parts: all that will be fed and fetched is named now. The handle is the caller's to delete. */
TF_CAPI_EXPORT extern void TF_SessionPRunSetup(TF_Session* session, const TF_Output* inputs, int ninputs,
                                               const TF_Output* outputs, int noutputs,
                                               const TF_Operation* const* target_opers, int ntargets,
                                               const char** handle, TF_Status* status);

/* Continues it with some of the inputs, for some of the outputs. */
TF_CAPI_EXPORT extern void TF_SessionPRun(TF_Session* session, const char* handle, const TF_Output* inputs,
                                          TF_Tensor* const* input_values, int ninputs, const TF_Output* outputs,
                                          TF_Tensor** output_values, int noutputs,
                                          const TF_Operation* const* target_opers, int ntargets, TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeletePRunHandle(const char* handle);

/* Makes the session see nodes added since its last run. */
TF_CAPI_EXPORT extern void TF_ExtendSession(TF_Session* session, TF_Status* status);

/* Forgets what is kept in containers; all of them where `ncontainers` is 0. */
TF_CAPI_EXPORT extern void TF_Reset(const TF_SessionOptions* opt, const char** containers, int ncontainers,
                                    TF_Status* status);

/* Devices, by position. Names and types live as long as the list. */
TF_CAPI_EXPORT extern TF_DeviceList* TF_SessionListDevices(TF_Session* session, TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeleteDeviceList(TF_DeviceList* list);
TF_CAPI_EXPORT extern int TF_DeviceListCount(const TF_DeviceList* list);
TF_CAPI_EXPORT extern const char* TF_DeviceListName(const TF_DeviceList* list, int index, TF_Status* status);
TF_CAPI_EXPORT extern const char* TF_DeviceListType(const TF_DeviceList* list, int index, TF_Status* status);
TF_CAPI_EXPORT extern int64_t TF_DeviceListMemoryBytes(const TF_DeviceList* list, int index, TF_Status* status);
TF_CAPI_EXPORT extern uint64_t TF_DeviceListIncarnation(const TF_DeviceList* list, int index, TF_Status* status);

/* The older session, which owns its graph and names nodes by strings ("node:0" for outputs). New programs use
 * TF_Session. */
TF_CAPI_EXPORT extern TF_DeprecatedSession* TF_NewDeprecatedSession(const TF_SessionOptions* options,
                                                                    TF_Status* status);
TF_CAPI_EXPORT extern void TF_CloseDeprecatedSession(TF_DeprecatedSession* session, TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeleteDeprecatedSession(TF_DeprecatedSession* session, TF_Status* status);
TF_CAPI_EXPORT extern void TF_ExtendGraph(TF_DeprecatedSession* session, const void* proto, size_t proto_len,
                                          TF_Status* status);
TF_CAPI_EXPORT extern void TF_Run(TF_DeprecatedSession* session, const TF_Buffer* run_options,
                                  const char** input_names, TF_Tensor** inputs, int ninputs, const char** output_names,
                                  TF_Tensor** outputs, int noutputs, const char** target_oper_names, int ntargets,
                                  TF_Buffer* run_metadata, TF_Status* status);
TF_CAPI_EXPORT extern void TF_PRunSetup(TF_DeprecatedSession* session, const char** input_names, int ninputs,
                                        const char** output_names, int noutputs, const char** target_oper_names,
                                        int ntargets, const char** handle, TF_Status* status);
TF_CAPI_EXPORT extern void TF_PRun(TF_DeprecatedSession* session, const char* handle, const char** input_names,
                                   TF_Tensor** inputs, int ninputs, const char** output_names, TF_Tensor** outputs,
                                   int noutputs, const char** target_oper_names, int ntargets, TF_Status* status);
TF_CAPI_EXPORT extern TF_DeviceList* TF_DeprecatedSessionListDevices(TF_DeprecatedSession* session,
                                                                     TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif

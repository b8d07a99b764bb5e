/* Libraries of ops and kernels, what is registered, documentation of ops, servers, log and file system plugins. */
#ifndef OPLINK_C_LIBRARY_H_
#define OPLINK_C_LIBRARY_H_

#include <stddef.h>

#include "oplink/c/c_api_macros.h"
#include "oplink/c/tf_buffer.h"
#include "oplink/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Library TF_Library;
typedef struct TF_ApiDefMap TF_ApiDefMap;
typedef struct TF_Server TF_Server;

/* Loads a plugin; its ops and kernels are there afterwards, and stay when the handle is deleted. */
TF_CAPI_EXPORT extern TF_Library* TF_LoadLibrary(const char* library_filename, TF_Status* status);

/* The serialized OpList of the library's ops; the bytes live as long as the handle. */
TF_CAPI_EXPORT extern TF_Buffer TF_GetOpList(TF_Library* lib_handle);
TF_CAPI_EXPORT extern void TF_DeleteLibraryHandle(TF_Library* lib_handle);

/* The serialized OpList of all ops, and KernelList of all kernels or of those of an op; the caller deletes them. */
TF_CAPI_EXPORT extern TF_Buffer* TF_GetAllOpList(void);
TF_CAPI_EXPORT extern TF_Buffer* TF_GetAllRegisteredKernels(TF_Status* status);
TF_CAPI_EXPORT extern TF_Buffer* TF_GetRegisteredKernelsForOp(const char* name, TF_Status* status);

/* Documentation by op: made from a serialized OpList, overlaid with ApiDefs in text form, read as serialized ApiDefs
 * that the caller deletes. */
TF_CAPI_EXPORT extern TF_ApiDefMap* TF_NewApiDefMap(TF_Buffer* op_list_buffer, TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeleteApiDefMap(TF_ApiDefMap* apimap);
TF_CAPI_EXPORT extern void TF_ApiDefMapPut(TF_ApiDefMap* api_def_map, const char* text, size_t text_len,
                                           TF_Status* status);
TF_CAPI_EXPORT extern TF_Buffer* TF_ApiDefMapGet(TF_ApiDefMap* api_def_map, const char* name, size_t name_len,
                                                 TF_Status* status);

/* Servers of a cluster, from a serialized ServerDef. */
TF_CAPI_EXPORT extern TF_Server* TF_NewServer(const void* proto, size_t proto_len, TF_Status* status);
TF_CAPI_EXPORT extern void TF_ServerStart(TF_Server* server, TF_Status* status);
TF_CAPI_EXPORT extern void TF_ServerStop(TF_Server* server, TF_Status* status);
TF_CAPI_EXPORT extern void TF_ServerJoin(TF_Server* server, TF_Status* status);
TF_CAPI_EXPORT extern const char* TF_ServerTarget(TF_Server* server);
TF_CAPI_EXPORT extern void TF_DeleteServer(TF_Server* server);

/* Hears every line of the log. */
TF_CAPI_EXPORT extern void TF_RegisterLogListener(void (*listener)(const char*));

TF_CAPI_EXPORT extern void TF_RegisterFilesystemPlugin(const char* plugin_filename, TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif

/* The few functions beyond the stable client API that published clients use. */
#ifndef OPLINK_C_C_API_EXPERIMENTAL_H_
#define OPLINK_C_C_API_EXPERIMENTAL_H_

#include "oplink/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether sessions may compile graphs just in time. */
TF_CAPI_EXPORT extern void TF_EnableXLACompilation(TF_SessionOptions* options, unsigned char enable);

/* 1 where a registered op is stateful, else 0; fails where there is no such op. */
TF_CAPI_EXPORT extern int TF_OpIsStateful(const char* op_type, TF_Status* status);

/* Loads a plugin that may bring devices (SE_InitPlugin), kernels (TF_InitKernel) and graph optimisers (TF_InitGraph). */
TF_CAPI_EXPORT extern TF_Library* TF_LoadPluggableDeviceLibrary(const char* library_filename, TF_Status* status);
TF_CAPI_EXPORT extern void TF_DeletePluggableDeviceLibraryHandle(TF_Library* lib_handle);

/* Takes a function out of a graph. */
TF_CAPI_EXPORT extern void TF_GraphRemoveFunction(TF_Graph* g, const char* func_name, TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif

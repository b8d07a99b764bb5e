/* Files, time, threads and shared libraries. */
#ifndef OPLINK_C_ENV_H_
#define OPLINK_C_ENV_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oplink/c/c_api_macros.h"
#include "oplink/c/tf_file_statistics.h"
#include "oplink/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_WritableFileHandle TF_WritableFileHandle;
typedef struct TF_StringStream TF_StringStream;
typedef struct TF_Thread TF_Thread;

/* Options of a thread; sizes are in bytes, 0 is the system's default, and numa_node -1 is no affinity. */
typedef struct TF_ThreadOptions {
  size_t stack_size;
  size_t guard_size;
  int numa_node;
} TF_ThreadOptions;

/* Makes a directory; TF_ALREADY_EXISTS where there is one. */
TF_CAPI_EXPORT extern void TF_CreateDir(const char* dirname, TF_Status* status);

/* Removes an empty directory; TF_FAILED_PRECONDITION where it is not empty. */
TF_CAPI_EXPORT extern void TF_DeleteDir(const char* dirname, TF_Status* status);

/* Removes a directory with all that is in it, and counts what could not be removed. */
TF_CAPI_EXPORT extern void TF_DeleteRecursively(const char* dirname, int64_t* undeleted_file_count,
                                                int64_t* undeleted_dir_count, TF_Status* status);

/* Fills `stats`, which is left alone on failure. */
TF_CAPI_EXPORT extern void TF_FileStat(const char* filename, TF_FileStatistics* stats, TF_Status* status);

/* Makes or empties a file for appending; the caller closes the handle. */
TF_CAPI_EXPORT extern void TF_NewWritableFile(const char* filename, TF_WritableFileHandle** handle, TF_Status* status);

/* Closes the file and frees the handle, whatever the status says. */
TF_CAPI_EXPORT extern void TF_CloseWritableFile(TF_WritableFileHandle* handle, TF_Status* status);

/* Waits until what was written is on the medium. */
TF_CAPI_EXPORT extern void TF_SyncWritableFile(TF_WritableFileHandle* handle, TF_Status* status);

/* Hands buffered bytes to the system. */
TF_CAPI_EXPORT extern void TF_FlushWritableFile(TF_WritableFileHandle* handle, TF_Status* status);

TF_CAPI_EXPORT extern void TF_AppendWritableFile(TF_WritableFileHandle* handle, const char* data, size_t length,
                                                 TF_Status* status);

TF_CAPI_EXPORT extern void TF_DeleteFile(const char* filename, TF_Status* status);

/* Sets `result` to the next string, which the stream owns; false, and null, after the last. */
TF_CAPI_EXPORT extern bool TF_StringStreamNext(TF_StringStream* list, const char** result);

/* Frees a stream and its strings. */
TF_CAPI_EXPORT extern void TF_StringStreamDone(TF_StringStream* list);

/* The names in a directory; the caller ends the stream with TF_StringStreamDone. */
TF_CAPI_EXPORT extern TF_StringStream* TF_GetChildren(const char* filename, TF_Status* status);

/* Directories for temporary files; the caller ends the stream with TF_StringStreamDone. */
TF_CAPI_EXPORT extern TF_StringStream* TF_GetLocalTempDirectories(void);

/* A new name for a temporary file; the caller frees it with free(). */
TF_CAPI_EXPORT extern char* TF_GetTempFileName(const char* extension);

/* Time since the epoch. */
TF_CAPI_EXPORT extern uint64_t TF_NowNanos(void);
TF_CAPI_EXPORT extern uint64_t TF_NowMicros(void);
TF_CAPI_EXPORT extern uint64_t TF_NowSeconds(void);

/* Sets the system's defaults. */
TF_CAPI_EXPORT extern void TF_DefaultThreadOptions(TF_ThreadOptions* options);

/* Starts a thread that calls work_func(param); the caller joins it. */
TF_CAPI_EXPORT extern TF_Thread* TF_StartThread(const TF_ThreadOptions* options, const char* thread_name,
                                                void (*work_func)(void*), void* param);

/* Waits for a thread and frees it. */
TF_CAPI_EXPORT extern void TF_JoinThread(TF_Thread* thread);

/* Opens a shared library; null on failure. */
TF_CAPI_EXPORT extern void* TF_LoadSharedLibrary(const char* library_filename, TF_Status* status);

/* The address of a symbol in an opened library; null on failure. */
TF_CAPI_EXPORT extern void* TF_GetSymbolFromLibrary(void* handle, const char* symbol_name, TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif

/* Statuses: a code and a message, by which every function that can fail tells how it went. */
#ifndef OPLINK_C_TF_STATUS_H_
#define OPLINK_C_TF_STATUS_H_

#include "oplink/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Status TF_Status;

/* The canonical error codes; the numbers are those of the protos. */
typedef enum TF_Code {
  TF_OK = 0,
  TF_CANCELLED = 1,
  TF_UNKNOWN = 2,
  TF_INVALID_ARGUMENT = 3,
  TF_DEADLINE_EXCEEDED = 4,
  TF_NOT_FOUND = 5,
  TF_ALREADY_EXISTS = 6,
  TF_PERMISSION_DENIED = 7,
  TF_RESOURCE_EXHAUSTED = 8,
  TF_FAILED_PRECONDITION = 9,
  TF_ABORTED = 10,
  TF_OUT_OF_RANGE = 11,
  TF_UNIMPLEMENTED = 12,
  TF_INTERNAL = 13,
  TF_UNAVAILABLE = 14,
  TF_DATA_LOSS = 15,
  TF_UNAUTHENTICATED = 16
} TF_Code;

/* Makes a status that is TF_OK. The caller deletes it. */
TF_CAPI_EXPORT extern TF_Status* TF_NewStatus(void);

/* Deletes a status; null is allowed. */
TF_CAPI_EXPORT extern void TF_DeleteStatus(TF_Status* s);

/* Replaces code, message and payloads. The message is copied. */
TF_CAPI_EXPORT extern void TF_SetStatus(TF_Status* s, TF_Code code, const char* msg);

/* Attaches a value under a key, replacing an earlier one; does nothing to a status that is TF_OK. */
TF_CAPI_EXPORT void TF_SetPayload(TF_Status* s, const char* key, const char* value);

/* Sees one payload; key and value live only during the call. */
typedef void (*TF_PayloadVisitor)(const char* key, const char* value, void* capture);

/* Calls the visitor for each payload, handing `capture` on. */
TF_CAPI_EXPORT extern void TF_ForEachPayload(const TF_Status* s, TF_PayloadVisitor visitor, void* capture);

/* Sets the code that fits an `errno`, and a message made of the context and the system's words. */
TF_CAPI_EXPORT extern void TF_SetStatusFromIOError(TF_Status* s, int error_code, const char* context);

TF_CAPI_EXPORT extern TF_Code TF_GetCode(const TF_Status* s);

/* The message, terminated; empty where the code is TF_OK. It lives until the status changes. */
TF_CAPI_EXPORT extern const char* TF_Message(const TF_Status* s);

#ifdef __cplusplus
}
#endif

#endif

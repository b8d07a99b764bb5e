/* Bytes: buffers that own or borrow them (most often serialized protos), and views. */
#ifndef OPLINK_C_TF_BUFFER_H_
#define OPLINK_C_TF_BUFFER_H_

#include <stddef.h>

#include "oplink/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes, and what frees them; without a deallocator somebody else owns them. */
typedef struct TF_Buffer {
  const void* data;
  size_t length;
  void (*data_deallocator)(void* data, size_t length);
} TF_Buffer;

/* Bytes that somebody else owns; not terminated. */
typedef struct TF_StringView {
  const char* data;
  size_t len;
} TF_StringView;

/* Makes a buffer that owns a copy of the bytes. */
TF_CAPI_EXPORT extern TF_Buffer* TF_NewBufferFromString(const void* proto, size_t proto_len);

/* Makes an empty buffer, to be filled by a function that returns a proto. */
TF_CAPI_EXPORT extern TF_Buffer* TF_NewBuffer(void);

/* Deletes a buffer and, where it has a deallocator, its bytes. */
TF_CAPI_EXPORT extern void TF_DeleteBuffer(TF_Buffer* buffer);

/* The buffer's members by value; the buffer stays the owner. */
TF_CAPI_EXPORT extern TF_Buffer TF_GetBuffer(TF_Buffer* buffer);

#ifdef __cplusplus
}
#endif

#endif

/* The string element of tensors: 24 bytes that hold a short string themselves or say where a longer one lies.
 *
 * The low two bits of the first byte tell the form:
 *   TF_TSTR_SMALL   up to 22 bytes, in the element itself
 *   TF_TSTR_LARGE   a block from malloc, owned by the element
 *   TF_TSTR_OFFSET  bytes at an offset from the element, owned by somebody else
 *   TF_TSTR_VIEW    bytes anywhere, owned by somebody else or shared through a counted owner
 * Small and large strings end in a zero byte that the size does not count. 24 zero bytes are an empty string.
 *
 * The TF_TString_* functions stand here whole, so that a plugin needs none of them from its host; the TF_String*
 * functions are the library's. Where memory runs out, a function leaves the string as it was, and those that return a
 * pointer return null. */
#ifndef OPLINK_C_TF_TSTRING_H_
#define OPLINK_C_TF_TSTRING_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oplink/c/c_api_macros.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "The layout of TF_TString is defined for little-endian machines only."
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TF_TString_Type {
  TF_TSTR_SMALL = 0x00,
  TF_TSTR_LARGE = 0x01,
  TF_TSTR_OFFSET = 0x02,
  TF_TSTR_VIEW = 0x03,
  TF_TSTR_TYPE_MASK = 0x03
} TF_TString_Type;

/* A counted owner of a view's bytes: every string that views them holds one count. `unref` tells whether it was the
 * last. */
struct TStringOwnerCApi;
typedef void (*tstring_owner_ref_t)(struct TStringOwnerCApi* self);
typedef bool (*tstring_owner_unref_t)(struct TStringOwnerCApi* self);
typedef struct TStringOwnerCApi {
  tstring_owner_ref_t ref;
  tstring_owner_unref_t unref;
  void* obj;
} TStringOwnerCApi;

/* All sizes but `cap` and `count` are shifted left by two, with the form in the low bits. */
typedef struct TF_TString_Large {
  size_t size;
  size_t cap; /* bytes of the block less one */
  char* ptr;
} TF_TString_Large;

typedef struct TF_TString_Offset {
  uint32_t size;
  uint32_t offset; /* from the first byte of the element */
  uint32_t count;
} TF_TString_Offset;

typedef struct TF_TString_View {
  size_t size;
  const char* ptr;
  TStringOwnerCApi* owner_ref; /* null where nobody counts */
} TF_TString_View;

typedef struct TF_TString_Raw {
  uint8_t raw[24];
} TF_TString_Raw;

typedef union TF_TString_Union {
  TF_TString_Large large;
  TF_TString_Offset offset;
  TF_TString_View view;
  TF_TString_Raw raw;
} TF_TString_Union;

enum { TF_TString_SmallCapacity = 22 };

typedef struct TF_TString_Small {
  uint8_t size;
  char str[TF_TString_SmallCapacity + 1];
} TF_TString_Small;

typedef struct TF_TString {
  union {
    TF_TString_Small smll;
    TF_TString_Large large;
    TF_TString_Offset offset;
    TF_TString_View view;
    TF_TString_Raw raw;
  } u;
} TF_TString;

/* Makes 24 bytes of any contents an empty string. */
static inline void TF_TString_Init(TF_TString* str) { memset(str, 0, sizeof *str); }

static inline TF_TString_Type TF_TString_GetType(const TF_TString* str) {
  return (TF_TString_Type)(str->u.raw.raw[0] & TF_TSTR_TYPE_MASK);
}

static inline size_t TF_TString_GetSize(const TF_TString* str) {
  switch (TF_TString_GetType(str)) {
    case TF_TSTR_SMALL: return (size_t)(str->u.smll.size >> 2);
    case TF_TSTR_OFFSET: return (size_t)(str->u.offset.size >> 2);
    default: return str->u.large.size >> 2; /* a view's size stands at the same place */
  }
}

/* Bytes that fit without another block; 0 for strings whose bytes belong to somebody else. */
static inline size_t TF_TString_GetCapacity(const TF_TString* str) {
  switch (TF_TString_GetType(str)) {
    case TF_TSTR_SMALL: return TF_TString_SmallCapacity;
    case TF_TSTR_LARGE: return str->u.large.cap;
    default: return 0;
  }
}

/* The bytes; they live until the string changes. */
static inline const char* TF_TString_GetDataPointer(const TF_TString* str) {
  switch (TF_TString_GetType(str)) {
    case TF_TSTR_SMALL: return str->u.smll.str;
    case TF_TSTR_LARGE: return str->u.large.ptr;
    case TF_TSTR_OFFSET: return (const char*)str + str->u.offset.offset;
    default: return str->u.view.ptr;
  }
}

/* Frees what the string owns and makes it empty; a string that owns nothing stays as it is. */
static inline void TF_TString_Dealloc(TF_TString* str) {
  TF_TString_Type type = TF_TString_GetType(str);
  if (type == TF_TSTR_LARGE && str->u.large.ptr != NULL) {
    free(str->u.large.ptr);
    TF_TString_Init(str);
  } else if (type == TF_TSTR_VIEW && str->u.view.owner_ref != NULL) {
    (void)str->u.view.owner_ref->unref(str->u.view.owner_ref);
    TF_TString_Init(str);
  }
}

/* Moves the string into a block of at least `capacity` bytes that it owns; false where memory ran out. */
static inline bool oplink_tstring_into_block(TF_TString* str, size_t capacity) {
  size_t size = TF_TString_GetSize(str);
  size_t block = (capacity + 16) & ~(size_t)15; /* room for the zero byte, in steps of 16 */
  char* ptr;
  if (block <= capacity) return false;
  if (TF_TString_GetType(str) == TF_TSTR_LARGE) {
    ptr = (char*)realloc(str->u.large.ptr, block);
    if (ptr == NULL) return false;
  } else {
    ptr = (char*)malloc(block);
    if (ptr == NULL) return false;
    if (size != 0) memcpy(ptr, TF_TString_GetDataPointer(str), size);
    TF_TString_Dealloc(str);
  }
  ptr[size] = '\0';
  str->u.large.size = (size << 2) | TF_TSTR_LARGE;
  str->u.large.cap = block - 1;
  str->u.large.ptr = ptr;
  return true;
}

/* Moves a string of at most 22 bytes into the element itself. */
static inline void oplink_tstring_into_element(TF_TString* str) {
  TF_TString_Small small;
  size_t size = TF_TString_GetSize(str);
  memset(&small, 0, sizeof small);
  if (size != 0) memcpy(small.str, TF_TString_GetDataPointer(str), size);
  TF_TString_Dealloc(str);
  small.size = (uint8_t)(size << 2);
  str->u.smll = small;
}

/* Cuts the string to `size` bytes without touching them. */
static inline void oplink_tstring_truncate(TF_TString* str, size_t size) {
  switch (TF_TString_GetType(str)) {
    case TF_TSTR_SMALL: str->u.smll.size = (uint8_t)(size << 2); break;
    case TF_TSTR_OFFSET: str->u.offset.size = (uint32_t)(size << 2) | TF_TSTR_OFFSET; break;
    case TF_TSTR_LARGE: str->u.large.size = (size << 2) | TF_TSTR_LARGE; break;
    default: str->u.view.size = (size << 2) | TF_TSTR_VIEW; break;
  }
}

/* Gives the string room for `new_cap` bytes that it owns; never makes it smaller. */
static inline void TF_TString_Reserve(TF_TString* str, size_t new_cap) {
  size_t size = TF_TString_GetSize(str);
  if (new_cap <= TF_TString_SmallCapacity) return;
  if (TF_TString_GetType(str) == TF_TSTR_LARGE && new_cap <= str->u.large.cap) return;
  (void)oplink_tstring_into_block(str, new_cap > size ? new_cap : size);
}

/* The same, at least doubling the room, so that appending takes amortised constant time. */
static inline void TF_TString_ReserveAmortized(TF_TString* str, size_t new_cap) {
  size_t cap = TF_TString_GetCapacity(str);
  if (new_cap > cap) TF_TString_Reserve(str, new_cap > 2 * cap ? new_cap : 2 * cap);
}

/* Sets the size and returns the bytes for writing; bytes beyond the old size are not set. */
static inline char* TF_TString_ResizeUninitialized(TF_TString* str, size_t new_size) {
  size_t size = TF_TString_GetSize(str);
  if (new_size < size) oplink_tstring_truncate(str, new_size);
  if (new_size <= TF_TString_SmallCapacity) {
    if (TF_TString_GetType(str) != TF_TSTR_SMALL) oplink_tstring_into_element(str);
    str->u.smll.size = (uint8_t)(new_size << 2);
    str->u.smll.str[new_size] = '\0';
    return str->u.smll.str;
  }
  if (TF_TString_GetType(str) != TF_TSTR_LARGE || new_size > str->u.large.cap || new_size < str->u.large.cap / 2) {
    if (!oplink_tstring_into_block(str, new_size)) {
      if (new_size < size) oplink_tstring_truncate(str, size);
      return NULL;
    }
  }
  str->u.large.size = (new_size << 2) | TF_TSTR_LARGE;
  str->u.large.ptr[new_size] = '\0';
  return str->u.large.ptr;
}

/* Sets the size, fills bytes beyond the old size with `c`, and returns the bytes for writing. */
static inline char* TF_TString_Resize(TF_TString* str, size_t new_size, char c) {
  size_t size = TF_TString_GetSize(str);
  char* bytes = TF_TString_ResizeUninitialized(str, new_size);
  if (bytes != NULL && new_size > size) memset(bytes + size, c, new_size - size);
  return bytes;
}

/* The bytes for writing, after a copy where they belonged to somebody else. */
static inline char* TF_TString_GetMutableDataPointer(TF_TString* str) {
  switch (TF_TString_GetType(str)) {
    case TF_TSTR_SMALL: return str->u.smll.str;
    case TF_TSTR_LARGE: return str->u.large.ptr;
    default: return TF_TString_ResizeUninitialized(str, TF_TString_GetSize(str));
  }
}

/* Makes `dst` a view of bytes kept alive by `owner_ref`, of which it takes a count. */
static inline void TF_TString_AssignViewWithOwner(TF_TString* dst, const char* src, size_t size,
                                                  TStringOwnerCApi* owner_ref) {
  if (owner_ref != NULL) owner_ref->ref(owner_ref);
  TF_TString_Dealloc(dst);
  dst->u.view.size = (size << 2) | TF_TSTR_VIEW;
  dst->u.view.ptr = src;
  dst->u.view.owner_ref = owner_ref;
}

/* Makes `dst` a view of bytes that must outlive it. */
static inline void TF_TString_AssignView(TF_TString* dst, const char* src, size_t size) {
  TF_TString_AssignViewWithOwner(dst, src, size, NULL);
}

/* Appends bytes; `src` must not lie in `dst`. */
static inline void TF_TString_AppendN(TF_TString* dst, const char* src, size_t size) {
  size_t old = TF_TString_GetSize(dst);
  char* bytes;
  if (size == 0) return;
  TF_TString_ReserveAmortized(dst, old + size);
  bytes = TF_TString_ResizeUninitialized(dst, old + size);
  if (bytes != NULL) memcpy(bytes + old, src, size);
}

static inline void TF_TString_Append(TF_TString* dst, const TF_TString* src) {
  TF_TString_AppendN(dst, TF_TString_GetDataPointer(src), TF_TString_GetSize(src));
}

/* Makes `dst` a copy of the bytes, which must not lie in it. */
static inline void TF_TString_Copy(TF_TString* dst, const char* src, size_t size) {
  char* bytes = TF_TString_ResizeUninitialized(dst, size);
  if (bytes != NULL && size != 0) memcpy(bytes, src, size);
}

/* Makes `dst` equal to `src`: small and large strings are copied, the others shared. */
static inline void TF_TString_Assign(TF_TString* dst, const TF_TString* src) {
  const char* bytes = TF_TString_GetDataPointer(src);
  size_t size = TF_TString_GetSize(src);
  if (dst == src) return;
  switch (TF_TString_GetType(src)) {
    case TF_TSTR_VIEW: TF_TString_AssignViewWithOwner(dst, bytes, size, src->u.view.owner_ref); break;
    case TF_TSTR_OFFSET: TF_TString_AssignView(dst, bytes, size); break;
    default: TF_TString_Copy(dst, bytes, size); break;
  }
}

/* Makes `dst` what `src` is and `src` empty; of an offset string, which cannot move, `dst` becomes a view. */
static inline void TF_TString_Move(TF_TString* dst, TF_TString* src) {
  if (dst == src) return;
  if (TF_TString_GetType(src) == TF_TSTR_OFFSET) {
    TF_TString_AssignView(dst, TF_TString_GetDataPointer(src), TF_TString_GetSize(src));
    return;
  }
  TF_TString_Dealloc(dst);
  *dst = *src;
  if (TF_TString_GetType(src) != TF_TSTR_SMALL) TF_TString_Init(src);
}

/* The library's own functions on strings; each does what the function of like name above does. */
TF_CAPI_EXPORT extern void TF_StringInit(TF_TString* t);
TF_CAPI_EXPORT extern void TF_StringCopy(TF_TString* dst, const char* src, size_t size);
TF_CAPI_EXPORT extern void TF_StringAssignView(TF_TString* dst, const char* src, size_t size);
TF_CAPI_EXPORT extern const char* TF_StringGetDataPointer(const TF_TString* tstr);
TF_CAPI_EXPORT extern TF_TString_Type TF_StringGetType(const TF_TString* str);
TF_CAPI_EXPORT extern size_t TF_StringGetSize(const TF_TString* tstr);
TF_CAPI_EXPORT extern size_t TF_StringGetCapacity(const TF_TString* str);
TF_CAPI_EXPORT extern void TF_StringDealloc(TF_TString* tstr);

#ifdef __cplusplus
}
#endif

#endif

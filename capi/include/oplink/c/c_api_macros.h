/* What every header of the C API needs: how functions are exported, the boolean of one byte, how struct sizes are told. */
#ifndef OPLINK_C_C_API_MACROS_H_
#define OPLINK_C_C_API_MACROS_H_

/* Marks what crosses the ABI. With TF_CAPI_WEAK a program starts although the library lacks a function; its address
 * is then null. */
#ifndef TF_CAPI_EXPORT
#if defined(_WIN32)
#ifdef TF_COMPILE_LIBRARY
#define TF_CAPI_EXPORT __declspec(dllexport)
#else
#define TF_CAPI_EXPORT __declspec(dllimport)
#endif
#elif defined(TF_CAPI_WEAK)
#define TF_CAPI_EXPORT __attribute__((visibility("default"), weak))
#else
#define TF_CAPI_EXPORT __attribute__((visibility("default")))
#endif
#endif

/* A boolean of one byte; anything but 0 is true. */
#ifndef TF_Bool
#define TF_Bool unsigned char
#endif

/* Bytes of TYPE up to and with MEMBER: what goes into `struct_size`, so that a reader knows which members are there.
 * Needs <stddef.h>. */
#ifndef TF_OFFSET_OF_END
#define TF_OFFSET_OF_END(TYPE, MEMBER) (offsetof(TYPE, MEMBER) + sizeof(((TYPE*)0)->MEMBER))
#endif

#endif

/* Tensors: dtype, shape, and row-major elements in memory that is shared, owned by the caller or by the library. */
#ifndef OPLINK_C_TF_TENSOR_H_
#define OPLINK_C_TF_TENSOR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oplink/c/c_api_macros.h"
#include "oplink/c/tf_datatype.h"
#include "oplink/c/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where memory shall be: `on_host` is 1 for the host's, 0 for the device's. */
typedef struct TF_AllocatorAttributes {
  size_t struct_size;
  TF_Bool on_host;
} TF_AllocatorAttributes;

#define TF_ALLOCATOR_ATTRIBUTES_STRUCT_SIZE TF_OFFSET_OF_END(TF_AllocatorAttributes, on_host)

typedef struct TF_Tensor TF_Tensor;

/* Makes a tensor of memory that the caller brings. The deallocator is called once, when the last holder lets go, or at
 * once where the memory does not fit dtype and shape; the result is null then. */
TF_CAPI_EXPORT extern TF_Tensor* TF_NewTensor(TF_DataType dtype, const int64_t* dims, int num_dims, void* data,
                                              size_t len, void (*deallocator)(void* data, size_t len, void* arg),
                                              void* deallocator_arg);

/* The alignment in bytes that lets TF_NewTensor take memory without copying it. */
TF_CAPI_EXPORT extern size_t TF_TensorDefaultAlignment(void);

/* Makes a tensor of `len` bytes of aligned memory, whose contents are not set. */
TF_CAPI_EXPORT extern TF_Tensor* TF_AllocateTensor(TF_DataType dtype, const int64_t* dims, int num_dims, size_t len);

/* Takes the contents out of a tensor that nobody else holds and deletes it; null, with nothing changed, otherwise. */
TF_CAPI_EXPORT extern TF_Tensor* TF_TensorMaybeMove(TF_Tensor* tensor);

/* Deletes a tensor. Its memory lives on while something else holds it. */
TF_CAPI_EXPORT extern void TF_DeleteTensor(TF_Tensor* tensor);

TF_CAPI_EXPORT extern TF_DataType TF_TensorType(const TF_Tensor* tensor);

/* Gives the tensor another shape of as many elements. */
TF_CAPI_EXPORT extern void TF_SetShape(TF_Tensor* tensor, const int64_t* dims, int num_dims);

TF_CAPI_EXPORT extern int TF_NumDims(const TF_Tensor* tensor);

/* The length along a dimension, 0 <= dim_index < TF_NumDims(tensor). */
TF_CAPI_EXPORT extern int64_t TF_Dim(const TF_Tensor* tensor, int dim_index);

TF_CAPI_EXPORT extern size_t TF_TensorByteSize(const TF_Tensor* tensor);

/* The first element; for an empty tensor the pointer is not to be read. */
TF_CAPI_EXPORT extern void* TF_TensorData(const TF_Tensor* tensor);

TF_CAPI_EXPORT extern int64_t TF_TensorElementCount(const TF_Tensor* tensor);

/* Makes `to` share the memory of `from` under another dtype and shape of as many bytes. */
TF_CAPI_EXPORT extern void TF_TensorBitcastFrom(const TF_Tensor* from, TF_DataType type, TF_Tensor* to,
                                                const int64_t* new_dims, int num_new_dims, TF_Status* status);

/* Whether the memory starts at TF_TensorDefaultAlignment. */
TF_CAPI_EXPORT extern bool TF_TensorIsAligned(const TF_Tensor* tensor);

#ifdef __cplusplus
}
#endif

#endif

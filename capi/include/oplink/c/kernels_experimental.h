/* Variables, references and variants in kernels.
 *
 * Hosts differ in which of these functions they export: a plugin for all hosts looks them up with dlsym. Where a
 * callback gets tensors, it deletes them. */
#ifndef OPLINK_C_KERNELS_EXPERIMENTAL_H_
#define OPLINK_C_KERNELS_EXPERIMENTAL_H_

#include "oplink/c/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_VariableInputLockHolder TF_VariableInputLockHolder;
typedef struct TF_CoordinationServiceAgent TF_CoordinationServiceAgent;

/* Sets the resource variable of input `input_index` to input `value_index`; with `validate_shape`, fails where an
 * initialised variable has another shape. */
TF_CAPI_EXPORT extern void TF_AssignVariable(TF_OpKernelContext* ctx, int input_index, int value_index,
                                             bool validate_shape,
                                             void (*copyFunc)(TF_OpKernelContext* ctx, TF_Tensor* source,
                                                              TF_Tensor* dest),
                                             TF_Status* status);

/* The same for a variable held by reference. */
TF_CAPI_EXPORT extern void TF_AssignRefVariable(TF_OpKernelContext* ctx, int input_ref_index, int output_ref_index,
                                                int value_index, bool use_locking, bool validate_shape,
                                                void (*copyFunc)(TF_OpKernelContext* ctx, TF_Tensor* source,
                                                                 TF_Tensor* dest),
                                                TF_Status* status);

/* Changes a resource variable in place: `updateFunc` gets the value, the operand and `Op`, which says how. */
TF_CAPI_EXPORT extern void TF_AssignUpdateVariable(
    TF_OpKernelContext* ctx, int input_index, int value_index, int Op, int isVariantType,
    void (*copyFunc)(TF_OpKernelContext* ctx, TF_Tensor* source, TF_Tensor* dest),
    void (*updateFunc)(TF_OpKernelContext* ctx, TF_Tensor* tensor, TF_Tensor* value, int Op), TF_Status* status);

/* Makes a variable that lives for one run, and ends it. */
TF_CAPI_EXPORT extern void TF_TemporaryVariable(TF_OpKernelContext* ctx, TF_DataType dtype, const int64_t* dims,
                                                int num_dims, TF_StringView* var_name,
                                                void (*plugin_allocator)(TF_OpKernelContext*, TF_Tensor*, TF_DataType,
                                                                         const int64_t*, int, TF_Status*),
                                                TF_Status* tf_status);
TF_CAPI_EXPORT extern void TF_DestroyTemporaryVariable(TF_OpKernelContext* ctx, const int index,
                                                       TF_StringView* var_name, TF_Status* tf_status);

/* Locks the variables of some inputs, always in one order, until the holder is released. */
TF_CAPI_EXPORT extern void TF_MaybeLockVariableInputMutexesInOrder(
    TF_OpKernelContext* ctx, bool do_lock, bool sparse, const int* const inputs, size_t len,
    void (*copyFunc)(TF_OpKernelContext* ctx, TF_Tensor* source, TF_Tensor* dest),
    TF_VariableInputLockHolder** lockHolder, TF_Status* status);
TF_CAPI_EXPORT extern void TF_ReleaseVariableInputLockHolder(TF_VariableInputLockHolder* lockHolder);

/* The value of a variable for writing; the caller deletes the tensor. */
TF_CAPI_EXPORT extern void TF_GetInputTensorFromVariable(TF_OpKernelContext* ctx, int input, bool lock_held,
                                                         bool isVariantType, bool sparse,
                                                         void (*copyFunc)(TF_OpKernelContext* ctx, TF_Tensor* source,
                                                                          TF_Tensor* dest),
                                                         TF_Tensor** out, TF_Status* status);

/* Makes a reference output the reference of an input. */
TF_CAPI_EXPORT extern void TF_OpKernelContext_ForwardRefInputToRefOutput(TF_OpKernelContext* ctx, int32_t input_index,
                                                                         int32_t output_index);

/* The input of a name that stands for one tensor; the caller deletes it. */
TF_CAPI_EXPORT extern void TF_GetInputByName(TF_OpKernelContext* ctx, const char* inputName, TF_Tensor** tensor,
                                             TF_Status* status);

/* The dimensions of a shape attr, `num_dims` of them as TF_OpKernelConstruction_GetAttrSize says. */
TF_CAPI_EXPORT extern void TF_OpKernelConstruction_GetAttrTensorShape(TF_OpKernelConstruction* ctx,
                                                                      const char* attr_name, int64_t* dims,
                                                                      size_t num_dims, TF_Status* status);

/* Whether input `i` is a reference. */
TF_CAPI_EXPORT extern bool TF_IsRefInput(TF_OpKernelContext* ctx, int i, TF_Status* status);

/* The sum of variants, and a variant of zeros, by a callback on the tensors in them. */
TF_CAPI_EXPORT extern void TF_AddNVariant(TF_OpKernelContext* ctx,
                                          void (*binary_add_func)(TF_OpKernelContext* ctx, TF_Tensor* a, TF_Tensor* b,
                                                                  TF_Tensor* out),
                                          TF_Status* status);
TF_CAPI_EXPORT extern void TF_ZerosLikeVariant(TF_OpKernelContext* ctx,
                                               void (*zeros_like_func)(TF_OpKernelContext* ctx, TF_Tensor* input,
                                                                       TF_Tensor* out),
                                               TF_Status* status);

#ifdef __cplusplus
}
#endif

#endif

/* What the two ops of this plugin share. */
#ifndef EXAMPLE_H_
#define EXAMPLE_H_

#include <stdbool.h>
#include <stddef.h>

#include "oplink/c/kernels.h"
#include "oplink/c/ops.h"

/* Register an op and its kernels; false where the host refused, which is then written to stderr. */
bool register_affine(void);
bool register_join(void);

/* Ends a declaration: registers it, and tells whether that succeeded. */
bool finish_op(TF_OpDefinitionBuilder* builder, const char* name);
bool finish_kernel(TF_KernelBuilder* builder, const char* name, TF_Status* status);

/* The dimensions of a tensor, in `dims`, which has room for MAX_RANK; false, and a failure in `status`, for more. */
enum { MAX_RANK = 32 };
bool get_dims(const TF_Tensor* tensor, int64_t dims[MAX_RANK], TF_Status* status);

/* Whether a status is OK. */
static inline bool ok(const TF_Status* status) { return TF_GetCode(status) == TF_OK; }

#endif

/* A kernel for the device: Neg of float. Its memory is the host's, and its work is done at once; a kernel for a device that
 * works by itself would put the work into the stream that TF_GetStream gives. */
#include <stdio.h>

#include "device.h"

enum { MAX_RANK = 32 };

static void negate(TF_OpKernelContext* context, TF_Tensor* input, TF_Status* status) {
  int64_t dims[MAX_RANK], count = 1;
  int rank = TF_NumDims(input);
  if (rank > MAX_RANK) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "a tensor of more than 32 dimensions");
    return;
  }
  for (int i = 0; i < rank; i++) count *= dims[i] = TF_Dim(input, i);
  TF_Tensor* output = TF_AllocateOutput(context, 0, TF_FLOAT, dims, rank, (size_t)count * sizeof(float), status);
  if (TF_GetCode(status) != TF_OK) return;
  const float* from = TF_TensorData(input);
  float* to = TF_TensorData(output);
  for (int64_t i = 0; i < count; i++) to[i] = -from[i];
  TF_DeleteTensor(output);
}

static void compute(void* kernel, TF_OpKernelContext* context) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  TF_Tensor* input = NULL;
  TF_GetInput(context, 0, &input, status);
  if (TF_GetCode(status) == TF_OK) negate(context, input, status);
  if (TF_GetCode(status) != TF_OK) TF_OpKernelContext_Failure(context, status);
  TF_DeleteTensor(input);
  TF_DeleteStatus(status);
}

TF_CAPI_EXPORT void TF_InitKernel(void) {
  TF_Status* status = TF_NewStatus();
  TF_KernelBuilder* builder = TF_NewKernelBuilder("Neg", DEVICE_TYPE, NULL, compute, NULL);
  TF_KernelBuilder_TypeConstraint(builder, "T", TF_FLOAT, status);
  if (TF_GetCode(status) == TF_OK) {
    TF_RegisterKernelBuilder("NegToy", builder, status);
  } else {
    TF_DeleteKernelBuilder(builder);
  }
  if (TF_GetCode(status) != TF_OK) fprintf(stderr, "Neg was not registered: %s\n", TF_Message(status));
  TF_DeleteStatus(status);
}

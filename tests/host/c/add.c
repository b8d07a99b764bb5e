/* The scalar sum whose call is measured. */
#include "abi.h"

static void compute(void* kernel, TF_OpKernelContext* c) {
  TF_Status* status = kernel;
  TF_Tensor *x = NULL, *y = NULL;
  TF_GetInput(c, 0, &x, status);
  TF_GetInput(c, 1, &y, status);
  TF_Tensor* sum = TF_AllocateOutput(c, 0, TF_FLOAT, NULL, 0, sizeof(float), status);
  if (TF_GetCode(status) == 0)
    *(float*)TF_TensorData(sum) = *(float*)TF_TensorData(x) + *(float*)TF_TensorData(y);
  else
    TF_OpKernelContext_Failure(c, status);
  TF_DeleteTensor(sum);
  TF_DeleteTensor(y);
  TF_DeleteTensor(x);
}

/* One status a kernel: the measured kernel runs on one thread. */
static void* create(TF_OpKernelConstruction* c) {
  (void)c;
  return TF_NewStatus();
}

static void delete(void* kernel) { TF_DeleteStatus(kernel); }

void TF_InitKernel(void) {
  TF_Status* status = TF_NewStatus();
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder("PluginAdd");
  TF_OpDefinitionBuilderAddInput(b, "x: float");
  TF_OpDefinitionBuilderAddInput(b, "y: float");
  TF_OpDefinitionBuilderAddOutput(b, "sum: float");
  TF_RegisterOpDefinition(b, status);
  TF_RegisterKernelBuilder("add", TF_NewKernelBuilder("PluginAdd", "CPU", create, compute, delete), status);
  TF_DeleteStatus(status);
}

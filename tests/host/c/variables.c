/* A plugin that changes a variable in place, by functions that hosts may lack. */
#include "abi.h"

typedef struct TF_VariableInputLockHolder TF_VariableInputLockHolder;
typedef void (*Copy)(TF_OpKernelContext*, TF_Tensor*, TF_Tensor*);
void TF_MaybeLockVariableInputMutexesInOrder(TF_OpKernelContext*, bool, bool, const int*, size_t, Copy,
                                             TF_VariableInputLockHolder**, TF_Status*);
void TF_ReleaseVariableInputLockHolder(TF_VariableInputLockHolder*);
void TF_GetInputTensorFromVariable(TF_OpKernelContext*, int, bool, bool, bool, Copy, TF_Tensor**, TF_Status*);
void TF_AssignUpdateVariable(TF_OpKernelContext*, int, int, int, int, Copy,
                             void (*)(TF_OpKernelContext*, TF_Tensor*, TF_Tensor*, int), TF_Status*);
bool TF_IsRefInput(TF_OpKernelContext*, int, TF_Status*);
void TF_GetInputByName(TF_OpKernelContext*, const char*, TF_Tensor**, TF_Status*);

/* Adds to every element of the variable, under its lock. */
static void compute_bump(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  TF_VariableInputLockHolder* holder = NULL;
  TF_Tensor *value = NULL, *by = NULL;
  int inputs[1] = {0};
  TF_MaybeLockVariableInputMutexesInOrder(c, true, false, inputs, 1, NULL, &holder, status);
  if (TF_GetCode(status) == 0) TF_GetInputTensorFromVariable(c, 0, true, false, false, NULL, &value, status);
  if (TF_GetCode(status) == 0) TF_GetInputByName(c, "by", &by, status);
  if (TF_GetCode(status) == 0 && !TF_IsRefInput(c, 0, status))
    for (int64_t i = 0; i < TF_TensorElementCount(value); ++i)
      ((float*)TF_TensorData(value))[i] += *(float*)TF_TensorData(by);
  if (TF_GetCode(status) != 0) TF_OpKernelContext_Failure(c, status);
  TF_DeleteTensor(value);
  TF_DeleteTensor(by);
  TF_ReleaseVariableInputLockHolder(holder);
  TF_DeleteStatus(status);
}

static void multiply(TF_OpKernelContext* c, TF_Tensor* value, TF_Tensor* by, int op) {
  (void)c;
  for (int64_t i = 0; i < TF_TensorElementCount(value); ++i)
    ((float*)TF_TensorData(value))[i] *= ((float*)TF_TensorData(by))[i] * (float)op;
}

static void compute_multiply(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  TF_AssignUpdateVariable(c, 0, 1, 3, 0, NULL, multiply, status);
  if (TF_GetCode(status) != 0) TF_OpKernelContext_Failure(c, status);
  TF_DeleteStatus(status);
}

static void define(const char* name, void (*compute)(void*, TF_OpKernelContext*)) {
  TF_Status* status = TF_NewStatus();
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(name);
  TF_OpDefinitionBuilderAddInput(b, "variable: resource");
  TF_OpDefinitionBuilderAddInput(b, "by: float");
  TF_OpDefinitionBuilderSetIsStateful(b, true);
  TF_RegisterOpDefinition(b, status);
  TF_RegisterKernelBuilder(name, TF_NewKernelBuilder(name, "CPU", NULL, compute, NULL), status);
  TF_DeleteStatus(status);
}

void TF_InitKernel(void) {
  define("VariableBump", compute_bump);
  define("VariableMultiply", compute_multiply);
}

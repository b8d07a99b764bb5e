/* A plugin whose kernels keep handles beyond their run, set an output twice, and delete handles on other threads. */
#define _DEFAULT_SOURCE
#include <pthread.h>

#include "abi.h"

void TF_SetShape(TF_Tensor*, const int64_t*, int);

static TF_Tensor *kept_x, *kept_y, *kept_first;
static float expected;

static void fail(TF_OpKernelContext* c, TF_Status* status, const char* message) {
  TF_SetStatus(status, 13, message);
  TF_OpKernelContext_Failure(c, status);
}

static float first(const TF_Tensor* tensor) { return *(float*)TF_TensorData(tensor); }

/* y = x + 1; checks and deletes what the call before kept. */
static void compute_keep(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  if (kept_x != NULL) {
    if (first(kept_x) != expected || first(kept_y) != expected + 1 || first(kept_first) != 77)
      fail(c, status, "a kept handle changed");
    if (TF_NumDims(kept_x) != 2) fail(c, status, "a kept handle lost its shape");
    TF_DeleteTensor(kept_x);
    TF_DeleteTensor(kept_y);
    TF_DeleteTensor(kept_first);
  }
  const int64_t dims[2] = {1, 1};
  TF_GetInput(c, 0, &kept_x, status);
  TF_SetShape(kept_x, dims, 2);
  expected = first(kept_x);
  kept_first = TF_AllocateOutput(c, 0, TF_FLOAT, NULL, 0, sizeof(float), status);
  *(float*)TF_TensorData(kept_first) = 77;
  kept_y = TF_AllocateOutput(c, 0, TF_FLOAT, NULL, 0, sizeof(float), status);
  *(float*)TF_TensorData(kept_y) = expected + 1;
  int candidate = 0, forwarded = 77;
  TF_Tensor* again = NULL;
  TF_GetInput(c, 0, &again, status);
  TF_DeleteTensor(TF_ForwardInputOrAllocateOutput(c, &candidate, 1, 1, NULL, 0, &forwarded, status));
  if (forwarded != -1) fail(c, status, "an input was forwarded although a handle reads it");
  TF_DeleteTensor(again);
  TF_DeleteStatus(status);
}

static void* delete_it(void* tensor) {
  TF_DeleteTensor(tensor);
  return NULL;
}

/* y = x, where another thread deletes the handle of x while the run ends. */
static void compute_elsewhere(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  TF_Tensor* x = NULL;
  pthread_t thread;
  TF_GetInput(c, 0, &x, status);
  TF_SetOutput(c, 0, x, status);
  TF_DeleteTensor(TF_AllocateOutput(c, 1, TF_FLOAT, NULL, 0, sizeof(float), status));
  pthread_create(&thread, NULL, delete_it, x);
  pthread_detach(thread);
  TF_DeleteStatus(status);
}

static void define(const char* name, void (*compute)(void*, TF_OpKernelContext*)) {
  TF_Status* status = TF_NewStatus();
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(name);
  TF_OpDefinitionBuilderAddInput(b, "x: float");
  TF_OpDefinitionBuilderAddOutput(b, "y: float");
  TF_OpDefinitionBuilderAddOutput(b, "z: float");
  TF_RegisterOpDefinition(b, status);
  TF_RegisterKernelBuilder(name, TF_NewKernelBuilder(name, "CPU", NULL, compute, NULL), status);
  TF_DeleteStatus(status);
}

void TF_InitKernel(void) {
  define("KeptHandles", compute_keep);
  define("HandlesElsewhere", compute_elsewhere);
}

/* Where the host comes in, and helpers of both ops. */
#include <stdio.h>

#include "example.h"

/* Registers all once: when the library is loaded, or when the host calls. Loading happens on one thread. */
static void register_all(void) {
  static bool done = false;
  if (done) return;
  done = true;
  if (register_affine()) register_join();
}

/* For hosts that only load the library. */
__attribute__((constructor)) static void on_load(void) { register_all(); }

/* For hosts that call into a plugin. */
TF_CAPI_EXPORT void TF_InitKernel(void) { register_all(); }

static bool told(const char* name, const TF_Status* status) {
  if (!ok(status)) fprintf(stderr, "%s was not registered: %s\n", name, TF_Message(status));
  return ok(status);
}

bool finish_op(TF_OpDefinitionBuilder* builder, const char* name) {
  TF_Status* status = TF_NewStatus();
  TF_RegisterOpDefinition(builder, status);
  bool registered = told(name, status);
  TF_DeleteStatus(status);
  return registered;
}

bool finish_kernel(TF_KernelBuilder* builder, const char* name, TF_Status* status) {
  if (ok(status)) {
    TF_RegisterKernelBuilder(name, builder, status);
  } else {
    TF_DeleteKernelBuilder(builder);
  }
  return told(name, status);
}

bool get_dims(const TF_Tensor* tensor, int64_t dims[MAX_RANK], TF_Status* status) {
  int rank = TF_NumDims(tensor);
  if (rank > MAX_RANK) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "a tensor of more than 32 dimensions");
    return false;
  }
  for (int i = 0; i < rank; i++) dims[i] = TF_Dim(tensor, i);
  return true;
}

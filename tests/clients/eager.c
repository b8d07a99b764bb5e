/* Times eager calls of a scalar addition through the C API: the whole of a call, from TFE_NewOp to TFE_DeleteOp.
 * usage: eager [CALLS]; prints nanoseconds a call, the best of ten rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include EAGER_C_API

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void check(TF_Status* status) {
  if (TF_GetCode(status) != TF_OK) {
    fprintf(stderr, "%s\n", TF_Message(status));
    exit(1);
  }
}

static void add(TFE_Context* context, TFE_TensorHandle* x, TF_Status* status) {
  TFE_TensorHandle* result = NULL;
  int count = 1;
  TFE_Op* op = TFE_NewOp(context, "AddV2", status);
  TFE_OpAddInput(op, x, status);
  TFE_OpAddInput(op, x, status);
  TFE_Execute(op, &result, &count, status);
  check(status);
  TFE_DeleteTensorHandle(result);
  TFE_DeleteOp(op);
}

int main(int argc, char** argv) {
  const int calls = argc > 1 ? atoi(argv[1]) : 50000;
  TF_Status* status = TF_NewStatus();
  TFE_ContextOptions* options = TFE_NewContextOptions();
  TFE_Context* context = TFE_NewContext(options, status);
  check(status);
  TFE_DeleteContextOptions(options);
  TF_Tensor* tensor = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float));
  *(float*)TF_TensorData(tensor) = 1.5F;
  TFE_TensorHandle* x = TFE_NewTensorHandle(tensor, status);
  check(status);
  double best = 1e18;
  for (int round = 0; round < 10; ++round) {
    const double start = now();
    for (int i = 0; i < calls; ++i) add(context, x, status);
    const double time = (now() - start) / calls;
    if (time < best) best = time;
  }
  printf("%s: %.0f ns a call\n", TF_Version(), best);
  TFE_DeleteTensorHandle(x);
  TF_DeleteTensor(tensor);
  TFE_DeleteContext(context);
  TF_DeleteStatus(status);
  return 0;
}

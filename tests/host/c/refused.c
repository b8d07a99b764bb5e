/* Plugins that are refused, one mistake each. */
#include "abi.h"

static void compute(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  (void)c;
}

static void op(const char* name, const char* attr) {
  TF_Status* status = TF_NewStatus();
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(name);
  if (attr) TF_OpDefinitionBuilderAddAttr(b, attr);
  TF_RegisterOpDefinition(b, status);
  TF_DeleteStatus(status);
}

static void kernel(const char* op, const char* attr, TF_DataType type) {
  TF_Status* status = TF_NewStatus();
  TF_KernelBuilder* k = TF_NewKernelBuilder(op, "CPU", NULL, compute, NULL);
  if (attr) TF_KernelBuilder_TypeConstraint(k, attr, type, status);
  TF_RegisterKernelBuilder("refused", k, status);
  TF_DeleteStatus(status);
}

#if defined(NOTHING)
int something(void) { return 0; }
#elif defined(NO_ENTRY)
void TF_InitKernel(void) {}
#elif defined(DEVICE)
void SE_InitPlugin(void) {}
#elif defined(MISSING)
void TF_FunctionOfTheFuture(void);
void TF_InitKernel(void) { TF_FunctionOfTheFuture(); }
#elif defined(TAKEN_OP)
void TF_InitKernel(void) {
  op("RefusedFresh", NULL);
  op("Sub", NULL);
  op("AddV2", NULL);
}
#elif defined(BROKEN_OP)
void TF_InitKernel(void) { op("RefusedBroken", "T: {float, nothing}"); }
#elif defined(TAKEN_KERNEL)
void TF_InitKernel(void) { kernel("AddV2", "T", TF_FLOAT); }
#elif defined(TWICE)
void TF_InitKernel(void) {
  op("RefusedTwice", NULL);
  op("RefusedTwice", NULL);
}
#elif defined(NO_OP)
void TF_InitKernel(void) { kernel("RefusedUnknownOp", NULL, 0); }
#elif defined(NO_COMPUTE)
void TF_InitKernel(void) {
  TF_Status* status = TF_NewStatus();
  op("RefusedIdle", NULL);
  TF_RegisterKernelBuilder("idle", TF_NewKernelBuilder("RefusedIdle", "CPU", NULL, NULL, NULL), status);
  TF_DeleteStatus(status);
}
#elif defined(ONE_OP)
void TF_InitKernel(void) {
  TF_Status* status = TF_NewStatus();
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(ONE_OP);
  TF_OpDefinitionBuilderAddInput(b, "x: T");
  TF_OpDefinitionBuilderAddOutput(b, "y: T");
  TF_OpDefinitionBuilderAddAttr(b, "T: {float, double}");
  TF_RegisterOpDefinition(b, status);
  TF_DeleteStatus(status);
}
#elif defined(ONE_KERNEL)
void TF_InitKernel(void) { kernel(ONE_KERNEL, "T", DTYPE); }
#elif defined(OLD_INFO)
typedef struct { size_t struct_size; unsigned version; } Info;
const Info* oplink_plugin_info(void) {
  static const Info info = {sizeof(Info), 7};
  return &info;
}
void TF_InitKernel(void) { op("RefusedOldInfo", NULL); }
#elif defined(SHORT_INFO)
typedef struct { size_t struct_size; unsigned version; } Info;
const Info* oplink_plugin_info(void) {
  static const Info info = {sizeof(Info), 1};
  return &info;
}
void TF_InitKernel(void) { op("RefusedShortInfo", NULL); }
#endif

void use_all(void) {
  op(NULL, NULL);
  kernel(NULL, NULL, 0);
}

/* A vendor's plugin of 300 kernels, of which 100 are wrong in five ways, 20 kernels each; and of 23 ops, of which one is
   a built-in one. Every kernel gives its input, twice its input where that is float.

   - VendorOp00 to VendorOp18, VendorOdd: 10 valid kernels each.
   - A dtype that the op does not list: one for each of these ops.
   - An op that nobody declares: VendorGone00 to VendorGone19.
   - A duplicate: 10 of built-in kernels; 10 of VendorTwin, two for each dtype.
   - A constraint on an attr that the op lacks: 20 of VendorOdd.
   - A malformed builder: 20 of VendorBroken, four of each kind. */
#include "abi.h"

enum { COUNT = 19 };
static const TF_DataType DTYPES[] = {TF_FLOAT, TF_DOUBLE, TF_INT32, 4, 5, 6, TF_INT64, 14, 17, 19};
enum { NUM_DTYPES = sizeof DTYPES / sizeof *DTYPES };
static const char* const UNARY[] = {"Abs", "Cos", "Exp", "Log", "Neg", "Floor", "Sin", "Sqrt", "Square", "Tanh"};

static void compute(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  TF_Tensor *x = NULL, *y = NULL;
  int64_t dims[8];
  TF_GetInput(c, 0, &x, status);
  if (TF_GetCode(status) == 0) {
    for (int i = 0; i < TF_NumDims(x) && i < 8; i++) dims[i] = TF_Dim(x, i);
    y = TF_AllocateOutput(c, 0, TF_TensorType(x), dims, TF_NumDims(x), TF_TensorByteSize(x), status);
  }
  if (TF_GetCode(status) == 0) {
    memcpy(TF_TensorData(y), TF_TensorData(x), TF_TensorByteSize(x));
    if (TF_TensorType(x) == TF_FLOAT)
      for (int64_t i = 0; i < TF_TensorElementCount(x); i++) ((float*)TF_TensorData(y))[i] *= 2;
  } else {
    TF_OpKernelContext_Failure(c, status);
  }
  if (y) TF_DeleteTensor(y);
  if (x) TF_DeleteTensor(x);
  TF_DeleteStatus(status);
}

static void op(const char* name, const char* dtypes) {
  TF_Status* status = TF_NewStatus();
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(name);
  TF_OpDefinitionBuilderAddInput(b, "x: T");
  TF_OpDefinitionBuilderAddOutput(b, "y: T");
  TF_OpDefinitionBuilderAddAttr(b, dtypes);
  TF_RegisterOpDefinition(b, status);
  TF_DeleteStatus(status);
}

static TF_KernelBuilder* new_kernel(const char* op, const char* device) {
  return TF_NewKernelBuilder(op, device, NULL, compute, NULL);
}

static void constrain(TF_KernelBuilder* k, const char* attr, TF_DataType dtype) {
  TF_Status* status = TF_NewStatus();
  TF_KernelBuilder_TypeConstraint(k, attr, dtype, status);
  TF_DeleteStatus(status);
}

static void add(TF_KernelBuilder* k) {
  TF_Status* status = TF_NewStatus();
  TF_RegisterKernelBuilder("vendor", k, status);
  TF_DeleteStatus(status);
}

static void kernel(const char* op, const char* attr, TF_DataType dtype) {
  TF_KernelBuilder* k = new_kernel(op, "CPU");
  constrain(k, attr, dtype);
  add(k);
}

static void malformed(int kind, TF_DataType dtype) {
  const char* name = "VendorBroken";
  TF_KernelBuilder* k = kind == 3   ? TF_NewKernelBuilder(name, "CPU", NULL, NULL, NULL)
                        : kind == 4 ? new_kernel(name, "")
                                    : new_kernel(name, "CPU");
  constrain(k, "T", dtype);
  if (kind == 0) TF_KernelBuilder_HostMemory(k, "nothing");
  if (kind == 1) constrain(k, "T", 999);
  if (kind == 2) constrain(k, "T", TF_INT64);
  add(k);
}

void TF_InitKernel(void) {
  static bool is_done;
  if (is_done) return;
  is_done = true;
  const char* all = "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half}";
  char name[32];
  op("VendorOdd", all);
  op("VendorTwin", all);
  op("VendorBroken", all);
  op("Neg", all);
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "VendorOp%02d", i);
    op(name, all);
    for (int d = 0; d < NUM_DTYPES; d++) kernel(name, "T", DTYPES[d]);
    kernel(name, "T", TF_STRING);
  }
  for (int d = 0; d < NUM_DTYPES; d++) kernel("VendorOdd", "T", DTYPES[d]);
  kernel("VendorOdd", "T", TF_STRING);
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "VendorGone%02d", i);
    kernel(name, "T", TF_FLOAT);
    snprintf(name, sizeof name, "U%02d", i);
    kernel("VendorOdd", name, TF_FLOAT);
  }
  for (int i = 0; i < 10; i++) {
    kernel(UNARY[i], "T", TF_FLOAT);
    kernel("VendorTwin", "T", DTYPES[i % 5]);
  }
  for (int i = 0; i < 20; i++) malformed(i % 5, DTYPES[i / 5]);
}

__attribute__((constructor)) static void on_load(void) { TF_InitKernel(); }

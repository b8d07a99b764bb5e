/* A plugin that uses all of the C ABI's parts. It registers itself when it is mapped, and once only. */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "attrs.h"
#include "facts.h"
#include "report.h"
#include "shapes.h"

#ifndef PREFIX
#define PREFIX "Host"
#endif

static int alive_scales;

/* y = x * scale, in the memory of x where nobody else has it. */
typedef struct { float scale; } Scale;

static void* create_scale(TF_OpKernelConstruction* c) {
  TF_Status* status = TF_NewStatus();
  Scale* scale = calloc(1, sizeof *scale);
  TF_OpKernelConstruction_GetAttrFloat(c, "scale", &scale->scale, status);
  if (TF_GetCode(status) == 0 && scale->scale == 0) TF_SetStatus(status, 9, "a scale of 0 is refused");
  if (TF_GetCode(status) != 0) TF_OpKernelConstruction_Failure(c, status);
  TF_DeleteStatus(status);
  __atomic_add_fetch(&alive_scales, 1, __ATOMIC_SEQ_CST);
  return scale;
}

static void delete_scale(void* kernel) {
  __atomic_sub_fetch(&alive_scales, 1, __ATOMIC_SEQ_CST);
  free(kernel);
}

static void compute_scale(void* kernel, TF_OpKernelContext* c) {
  const Scale* scale = kernel;
  TF_Status* status = TF_NewStatus();
  TF_Tensor *x = NULL, *y = NULL;
  int64_t dims[8];
  int candidate = 0, forwarded = 77;
  TF_GetInput(c, 0, &x, status);
  int rank = TF_NumDims(x);
  for (int i = 0; i < rank && i < 8; ++i) dims[i] = TF_Dim(x, i);
  int64_t count = TF_TensorElementCount(x);
  int is_double = TF_TensorType(x) == TF_DOUBLE;
  const void* from = TF_TensorData(x);
  TF_DeleteTensor(x);
  y = TF_ForwardInputOrAllocateOutput(c, &candidate, 1, 0, dims, rank, &forwarded, status);
  if (TF_GetCode(status) != 0) {
    TF_OpKernelContext_Failure(c, status);
  } else {
    void* to = TF_TensorData(y);
    if (is_double)
      for (int64_t i = 0; i < count; ++i) ((double*)to)[i] = ((const double*)from)[i] * (double)scale->scale;
    else
      for (int64_t i = 0; i < count; ++i) ((float*)to)[i] = ((const float*)from)[i] * scale->scale;
    TF_Tensor* in_place = TF_AllocateOutput(c, 1, TF_BOOL, NULL, 0, 1, status);
    *(unsigned char*)TF_TensorData(in_place) = forwarded == 0;
    TF_DeleteTensor(in_place);
  }
  TF_DeleteTensor(y);
  TF_DeleteStatus(status);
}

static void infer_scale(TF_ShapeInferenceContext* c, TF_Status* status) {
  TF_ShapeHandle* x = TF_NewShapeHandle();
  TF_ShapeHandle* scalar = TF_ShapeInferenceContextScalar(c);
  TF_ShapeInferenceContextGetInput(c, 0, x, status);
  if (TF_GetCode(status) == 0) TF_ShapeInferenceContextWithRankAtMost(c, x, 4, x, status);
  if (TF_GetCode(status) == 0) TF_ShapeInferenceContextSetOutput(c, 0, x, status);
  if (TF_GetCode(status) == 0) TF_ShapeInferenceContextSetOutput(c, 1, scalar, status);
  TF_DeleteShapeHandle(scalar);
  TF_DeleteShapeHandle(x);
}

/* Joins the strings of a tensor. */
static void compute_join(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  Report report = {"", 0};
  TF_Status* status = TF_NewStatus();
  TF_Tensor* parts = NULL;
  TF_GetInput(c, 0, &parts, status);
  const TF_TString* strings = TF_TensorData(parts);
  for (int64_t i = 0; i < TF_TensorElementCount(parts); ++i)
    say(&report, "%s%.*s", i ? "," : "", (int)TF_StringGetSize(&strings[i]), TF_StringGetDataPointer(&strings[i]));
  TF_DeleteTensor(parts);
  answer(c, 0, &report);
  TF_DeleteStatus(status);
}

/* Fails with a code. */
static void compute_fail(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  TF_Tensor* code = NULL;
  TF_GetInput(c, 0, &code, status);
  TF_SetStatus(status, *(int*)TF_TensorData(code), "the kernel does not like this");
  TF_OpKernelContext_Failure(c, status);
  TF_SetStatus(status, 3, "and a second failure");
  TF_OpKernelContext_Failure(c, status);
  TF_DeleteTensor(code);
  TF_DeleteStatus(status);
}

/* Does one thing wrong. */
static void compute_wrong(void* kernel, TF_OpKernelContext* c) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  TF_Tensor *which = NULL, *out = NULL;
  TF_GetInput(c, 0, &which, status);
  int what = *(int*)TF_TensorData(which);
  TF_DeleteTensor(which);
  int64_t bad[1] = {-3}, huge[2] = {INT64_MAX, 4}, one[1] = {1};
  switch (what) {
    case 0: break; /* leaves the output unset */
    case 1:
      out = TF_AllocateOutput(c, 0, TF_BOOL, one, 1, 1, status);
      *(unsigned char*)TF_TensorData(out) = 7;
      break;
    case 2: out = TF_AllocateOutput(c, 0, TF_FLOAT, one, 1, 4, status); break;
    case 3: out = TF_AllocateOutput(c, 0, TF_BOOL, bad, 1, 1, status); break;
    case 4: out = TF_AllocateOutput(c, 0, TF_BOOL, huge, 2, 1, status); break;
    case 5: TF_SetOutput(c, 0, NULL, status); break;
    case 6: out = TF_AllocateOutput(c, 4, TF_BOOL, one, 1, 1, status); break;
    case 7: out = TF_AllocateOutput(c, 0, 4711, one, 1, 1, status); break;
    case 8: out = TF_AllocateOutput(c, 0, TF_BOOL, NULL, 3, 1, status); break;
    case 9:
      out = TF_AllocateTensor(TF_FLOAT, one, 1, 4);
      TF_SetOutput(c, 0, out, status);
      break;
    case 10: TF_SetOutput(c, -1, NULL, NULL); break;
  }
  if (TF_GetCode(status) != 0) TF_OpKernelContext_Failure(c, status);
  TF_DeleteTensor(out);
  TF_DeleteStatus(status);
}

/* Squares on a thread of its own; negative numbers fail. */
typedef struct { TF_OpKernelContext* context; TF_AsyncOpKernelDoneCallback* done; } Later;

static void square(void* argument) {
  Later* later = argument;
  TF_Status* status = TF_NewStatus();
  TF_Tensor* x = NULL;
  usleep(2000);
  TF_GetInput(later->context, 0, &x, status);
  float value = *(float*)TF_TensorData(x);
  TF_DeleteTensor(x);
  if (value < 0) {
    TF_SetStatus(status, 11, "the kernel takes no negative numbers");
    TF_OpKernelContext_Failure(later->context, status);
  } else {
    TF_Tensor* y = TF_AllocateOutput(later->context, 0, TF_FLOAT, NULL, 0, 4, status);
    *(float*)TF_TensorData(y) = value * value;
    TF_DeleteTensor(y);
  }
  TF_DeleteStatus(status);
  TF_AsyncOpKernelDoneCallback* done = later->done;
  free(later);
  TF_RunAsyncOpKernelDoneCallback(done);
  TF_RunAsyncOpKernelDoneCallback(done);
}

static void* run_square(void* argument) {
  square(argument);
  return NULL;
}

static void compute_square(void* kernel, TF_OpKernelContext* c, TF_AsyncOpKernelDoneCallback* done) {
  (void)kernel;
  pthread_t thread;
  Later* later = malloc(sizeof *later);
  *later = (Later){c, done};
  pthread_create(&thread, NULL, run_square, later);
  pthread_detach(thread);
}

static void define(TF_OpDefinitionBuilder* builder, TF_Status* status) {
  TF_RegisterOpDefinition(builder, status);
  if (TF_GetCode(status) != 0) fprintf(stderr, "an op is refused: %s\n", TF_Message(status));
}

static void define_scale(TF_Status* status) {
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(PREFIX "Scale");
  TF_OpDefinitionBuilderAddAttr(b, "T: {float, double}");
  TF_OpDefinitionBuilderAddAttr(b, "scale: float = 2.0");
  TF_OpDefinitionBuilderAddInput(b, "x: T");
  TF_OpDefinitionBuilderAddOutput(b, "y: T");
  TF_OpDefinitionBuilderAddOutput(b, "in_place: bool");
  TF_OpDefinitionBuilderSetShapeInferenceFunction(b, infer_scale);
  define(b, status);
  TF_DataType types[2] = {TF_FLOAT, TF_DOUBLE};
  for (int i = 0; i < 2; ++i) {
    TF_KernelBuilder* k = TF_NewKernelBuilder(PREFIX "Scale", "CPU", create_scale, compute_scale, delete_scale);
    TF_KernelBuilder_TypeConstraint(k, "T", types[i], status);
    TF_RegisterKernelBuilder("scale", k, status);
  }
}

static void define_simple(const char* name, const char* input, const char* output,
                          void (*compute)(void*, TF_OpKernelContext*), TF_Status* status) {
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(name);
  TF_OpDefinitionBuilderAddInput(b, input);
  TF_OpDefinitionBuilderAddOutput(b, output);
  define(b, status);
  TF_RegisterKernelBuilder(name, TF_NewKernelBuilder(name, "CPU", NULL, compute, NULL), status);
}

static void define_reports(TF_Status* status) {
  define(define_attrs(PREFIX "Attrs"), status);
  TF_RegisterKernelBuilder("attrs", TF_NewKernelBuilder(PREFIX "Attrs", "CPU", create_attrs, compute_attrs, free), status);
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(PREFIX "Shapes");
  TF_OpDefinitionBuilderAddAttr(b, "T: type");
  TF_OpDefinitionBuilderAddInput(b, "x: T");
  TF_OpDefinitionBuilderAddOutput(b, "report: string");
  TF_OpDefinitionBuilderAddOutput(b, "y: T");
  TF_OpDefinitionBuilderSetShapeInferenceFunction(b, infer_shapes);
  define(b, status);
  TF_RegisterKernelBuilder("shapes", TF_NewKernelBuilder(PREFIX "Shapes", "CPU", NULL, compute_shapes, NULL), status);
  b = TF_NewOpDefinitionBuilder(PREFIX "Facts");
  TF_OpDefinitionBuilderAddAttr(b, "N: int >= 1");
  TF_OpDefinitionBuilderAddInput(b, "x: float");
  TF_OpDefinitionBuilderAddInput(b, "more: N * int32");
  TF_OpDefinitionBuilderAddOutput(b, "report: string");
  define(b, status);
  TF_KernelBuilder* k = TF_NewKernelBuilder(PREFIX "Facts", "CPU", NULL, compute_facts, NULL);
  TF_KernelBuilder_HostMemory(k, "more");
  TF_RegisterKernelBuilder("facts", k, status);
}

static void register_all(void) {
  static int done;
  if (done) return;
  done = 1;
  TF_Status* status = TF_NewStatus();
  define_scale(status);
  define_reports(status);
  define_simple(PREFIX "Join", "parts: string", "joined: string", compute_join, status);
  define_simple(PREFIX "Fail", "code: int32", "y: float", compute_fail, status);
  define_simple(PREFIX "Wrong", "which: int32", "y: bool", compute_wrong, status);
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder(PREFIX "Square");
  TF_OpDefinitionBuilderAddInput(b, "x: float");
  TF_OpDefinitionBuilderAddOutput(b, "y: float");
  define(b, status);
  TF_RegisterKernelBuilder("square", TF_NewAsyncKernelBuilder(PREFIX "Square", "CPU", NULL, compute_square, NULL),
                           status);
  TF_DeleteStatus(status);
}

__attribute__((constructor)) static void on_load(void) { register_all(); }

void TF_InitKernel(void) { register_all(); }

/* Kernel objects of the scale that were made and not deleted. */
int host_test_alive(void) { return __atomic_load_n(&alive_scales, __ATOMIC_SEQ_CST); }

/* OplinkAffineC: y = x * scale + shift, clipped to bounds where mode is 'clip'. */
#include <stdlib.h>
#include <string.h>

#include "example.h"

typedef struct Affine {
  float scale;
  int64_t shift;
  bool clip;
  float bounds[2];
} Affine;

/* Whether the attr `mode` is "clip". */
static bool reads_clip(TF_OpKernelConstruction* node, TF_Status* status) {
  char mode[8] = {0};
  int32_t elements, bytes;
  TF_OpKernelConstruction_GetAttrSize(node, "mode", &elements, &bytes, status);
  if (!ok(status) || bytes != 4) return false;
  TF_OpKernelConstruction_GetAttrString(node, "mode", mode, 4, status);
  return memcmp(mode, "clip", 4) == 0;
}

static void read_attrs(TF_OpKernelConstruction* node, Affine* affine, TF_Status* status) {
  int32_t elements, bytes;
  TF_OpKernelConstruction_GetAttrFloat(node, "scale", &affine->scale, status);
  if (ok(status)) TF_OpKernelConstruction_GetAttrInt64(node, "shift", &affine->shift, status);
  if (ok(status)) affine->clip = reads_clip(node, status);
  if (!ok(status) || !affine->clip) return;
  TF_OpKernelConstruction_GetAttrSize(node, "bounds", &elements, &bytes, status);
  if (!ok(status)) return;
  if (elements != 2) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "mode 'clip' needs 2 bounds");
    return;
  }
  TF_OpKernelConstruction_GetAttrFloatList(node, "bounds", affine->bounds, 2, status);
}

static void* affine_create(TF_OpKernelConstruction* node) {
  TF_Status* status = TF_NewStatus();
  Affine* affine = calloc(1, sizeof *affine);
  if (affine == NULL) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "no memory for a kernel");
  } else {
    read_attrs(node, affine, status);
  }
  if (!ok(status)) {
    TF_OpKernelConstruction_Failure(node, status);
    free(affine);
    affine = NULL;
  }
  TF_DeleteStatus(status);
  return affine;
}

/* Computes every element in the tensor's own type. */
#define DEFINE_ELEMENTS(type)                                                                \
  static void elements_##type(const Affine* affine, const TF_Tensor* x, TF_Tensor* y) {      \
    const type* from = TF_TensorData(x);                                                     \
    type* to = TF_TensorData(y);                                                             \
    type scale = affine->scale, shift = (type)affine->shift;                                 \
    type low = affine->bounds[0], high = affine->bounds[1];                                  \
    for (int64_t i = 0, count = TF_TensorElementCount(x); i < count; i++) {                  \
      type value = from[i] * scale + shift;                                                  \
      if (affine->clip && value < low) value = low;                                          \
      if (affine->clip && value > high) value = high;                                        \
      to[i] = value;                                                                         \
    }                                                                                        \
  }
DEFINE_ELEMENTS(float)
DEFINE_ELEMENTS(double)

static void affine_compute(void* kernel, TF_OpKernelContext* ctx) {
  TF_Status* status = TF_NewStatus();
  TF_Tensor *x = NULL, *y = NULL;
  int64_t dims[MAX_RANK];
  TF_GetInput(ctx, 0, &x, status);
  if (ok(status) && get_dims(x, dims, status)) {
    y = TF_AllocateOutput(ctx, 0, TF_TensorType(x), dims, TF_NumDims(x), TF_TensorByteSize(x), status);
  }
  if (ok(status)) {
    (TF_TensorType(x) == TF_FLOAT ? &elements_float : &elements_double)(kernel, x, y);
  } else {
    TF_OpKernelContext_Failure(ctx, status);
  }
  if (y != NULL) TF_DeleteTensor(y);
  if (x != NULL) TF_DeleteTensor(x);
  TF_DeleteStatus(status);
}

/* The output has the shape of the input. */
static void affine_shape(TF_ShapeInferenceContext* ctx, TF_Status* status) {
  TF_ShapeHandle* shape = TF_NewShapeHandle();
  TF_ShapeInferenceContextGetInput(ctx, 0, shape, status);
  if (ok(status)) TF_ShapeInferenceContextSetOutput(ctx, 0, shape, status);
  TF_DeleteShapeHandle(shape);
}

static bool register_affine_kernel(const char* name, TF_DataType dtype) {
  TF_Status* status = TF_NewStatus();
  TF_KernelBuilder* kernel = TF_NewKernelBuilder("OplinkAffineC", "CPU", &affine_create, &affine_compute, &free);
  TF_KernelBuilder_TypeConstraint(kernel, "T", dtype, status);
  bool registered = finish_kernel(kernel, name, status);
  TF_DeleteStatus(status);
  return registered;
}

bool register_affine(void) {
  TF_OpDefinitionBuilder* op = TF_NewOpDefinitionBuilder("OplinkAffineC");
  TF_OpDefinitionBuilderAddInput(op, "x: T");
  TF_OpDefinitionBuilderAddOutput(op, "y: T");
  TF_OpDefinitionBuilderAddAttr(op, "scale: float = 1.0");
  TF_OpDefinitionBuilderAddAttr(op, "shift: int = 0");
  TF_OpDefinitionBuilderAddAttr(op, "mode: {'plain', 'clip'} = 'plain'");
  TF_OpDefinitionBuilderAddAttr(op, "bounds: list(float) = []");
  TF_OpDefinitionBuilderAddAttr(op, "T: {float, double}");
  TF_OpDefinitionBuilderSetShapeInferenceFunction(op, &affine_shape);
  return finish_op(op, "OplinkAffineC") && register_affine_kernel("OplinkAffineC:CPU:float", TF_FLOAT) &&
         register_affine_kernel("OplinkAffineC:CPU:double", TF_DOUBLE);
}

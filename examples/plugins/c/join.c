/* OplinkJoinC: joins strings of equal positions, with a separator between them. */
#include <stdlib.h>

#include "example.h"
#include "oplink/c/tf_tstring.h"

typedef struct Join {
  char* separator;
  size_t length;
} Join;

static void join_delete(void* kernel) {
  Join* join = kernel;
  if (join != NULL) free(join->separator);
  free(join);
}

static void read_separator(TF_OpKernelConstruction* node, Join* join, TF_Status* status) {
  int32_t elements, bytes;
  TF_OpKernelConstruction_GetAttrSize(node, "separator", &elements, &bytes, status);
  if (!ok(status)) return;
  join->length = (size_t)bytes;
  join->separator = malloc(join->length + 1);
  if (join->separator == NULL) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "no memory for the separator");
    return;
  }
  TF_OpKernelConstruction_GetAttrString(node, "separator", join->separator, join->length, status);
}

static void* join_create(TF_OpKernelConstruction* node) {
  TF_Status* status = TF_NewStatus();
  Join* join = calloc(1, sizeof *join);
  if (join == NULL) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "no memory for a kernel");
  } else {
    read_separator(node, join, status);
  }
  if (!ok(status)) {
    TF_OpKernelConstruction_Failure(node, status);
    join_delete(join);
    join = NULL;
  }
  TF_DeleteStatus(status);
  return join;
}

static bool same_shape(const TF_Tensor* a, const TF_Tensor* b) {
  if (TF_NumDims(a) != TF_NumDims(b)) return false;
  for (int i = 0; i < TF_NumDims(a); i++) {
    if (TF_Dim(a, i) != TF_Dim(b, i)) return false;
  }
  return true;
}

/* Appends one part to every element of the output, after the separator where it is not the first. */
static void append_part(const Join* join, bool first, const TF_Tensor* part, TF_Tensor* joined) {
  const TF_TString* from = TF_TensorData(part);
  TF_TString* to = TF_TensorData(joined);
  int64_t count = TF_TensorElementCount(part);
  for (int64_t i = 0; i < count; i++) {
    if (!first) TF_TString_AppendN(&to[i], join->separator, join->length);
    TF_TString_Append(&to[i], &from[i]);
  }
}

/* Takes part `i` into the output, which is made for the first one. */
static void join_part(const Join* join, TF_OpKernelContext* ctx, int i, TF_Tensor** joined, TF_Status* status) {
  TF_Tensor* part = NULL;
  int64_t dims[MAX_RANK];
  TF_GetInput(ctx, i, &part, status);
  if (!ok(status)) return;
  if (*joined == NULL && get_dims(part, dims, status)) {
    size_t bytes = (size_t)TF_TensorElementCount(part) * sizeof(TF_TString);
    *joined = TF_AllocateOutput(ctx, 0, TF_STRING, dims, TF_NumDims(part), bytes, status);
  }
  if (ok(status) && !same_shape(part, *joined)) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "all parts must have the shape of the first");
  }
  if (ok(status)) append_part(join, i == 0, part, *joined);
  TF_DeleteTensor(part);
}

static void join_compute(void* kernel, TF_OpKernelContext* ctx) {
  TF_Status* status = TF_NewStatus();
  TF_Tensor* joined = NULL;
  for (int i = 0; i < TF_NumInputs(ctx) && ok(status); i++) join_part(kernel, ctx, i, &joined, status);
  if (!ok(status)) TF_OpKernelContext_Failure(ctx, status);
  if (joined != NULL) TF_DeleteTensor(joined);
  TF_DeleteStatus(status);
}

/* Dimension `i` of a shape; -1 where it is unknown. */
static int64_t dimension(TF_ShapeInferenceContext* ctx, TF_ShapeHandle* shape, int64_t i) {
  TF_DimensionHandle* handle = TF_NewDimensionHandle();
  TF_ShapeInferenceContextDim(ctx, shape, i, handle);
  int64_t value = TF_DimensionHandleValueKnown(handle) ? TF_DimensionHandleValue(handle) : -1;
  TF_DeleteDimensionHandle(handle);
  return value;
}

/* Appends dimension `i` of whichever shape knows it to `merged`; fails where the two contradict. */
static void merge_dimension(TF_ShapeInferenceContext* ctx, TF_ShapeHandle* a, TF_ShapeHandle* b, int64_t i,
                            TF_ShapeHandle* merged, TF_Status* status) {
  int64_t of_a = dimension(ctx, a, i), of_b = dimension(ctx, b, i);
  if (of_a >= 0 && of_b >= 0 && of_a != of_b) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "parts have different shapes");
    return;
  }
  TF_ShapeHandle* part = TF_NewShapeHandle();
  TF_ShapeInferenceContextSubshape(ctx, of_a >= 0 ? a : b, i, i + 1, part, status);
  if (ok(status)) TF_ShapeInferenceContextConcatenateShapes(ctx, merged, part, merged, status);
  TF_DeleteShapeHandle(part);
}

/* Puts what both shapes say together into `a`. */
static void merge(TF_ShapeInferenceContext* ctx, TF_ShapeHandle* a, TF_ShapeHandle* b, TF_Status* status) {
  if (!TF_ShapeInferenceContextRankKnown(ctx, b)) return;
  int64_t rank = TF_ShapeInferenceContextRank(ctx, b);
  TF_ShapeInferenceContextWithRank(ctx, a, rank, a, status);
  TF_ShapeHandle* merged = TF_ShapeInferenceContextScalar(ctx);
  for (int64_t i = 0; i < rank && ok(status); i++) merge_dimension(ctx, a, b, i, merged, status);
  if (ok(status)) TF_ShapeInferenceContextWithRank(ctx, merged, rank, a, status);
  TF_DeleteShapeHandle(merged);
}

/* The output has the one shape of all the parts: what is known of any of them. */
static void join_shape(TF_ShapeInferenceContext* ctx, TF_Status* status) {
  TF_ShapeHandle *joined = TF_NewShapeHandle(), *part = TF_NewShapeHandle();
  for (int i = 0; i < TF_ShapeInferenceContextNumInputs(ctx) && ok(status); i++) {
    TF_ShapeInferenceContextGetInput(ctx, i, i == 0 ? joined : part, status);
    if (i > 0 && ok(status)) merge(ctx, joined, part, status);
  }
  if (ok(status)) TF_ShapeInferenceContextSetOutput(ctx, 0, joined, status);
  TF_DeleteShapeHandle(part);
  TF_DeleteShapeHandle(joined);
}

bool register_join(void) {
  TF_OpDefinitionBuilder* op = TF_NewOpDefinitionBuilder("OplinkJoinC");
  TF_OpDefinitionBuilderAddInput(op, "parts: N * string");
  TF_OpDefinitionBuilderAddOutput(op, "joined: string");
  TF_OpDefinitionBuilderAddAttr(op, "N: int >= 1");
  TF_OpDefinitionBuilderAddAttr(op, "separator: string = ''");
  TF_OpDefinitionBuilderSetShapeInferenceFunction(op, &join_shape);
  if (!finish_op(op, "OplinkJoinC")) return false;
  TF_Status* status = TF_NewStatus();
  TF_KernelBuilder* kernel = TF_NewKernelBuilder("OplinkJoinC", "CPU", &join_create, &join_compute, &join_delete);
  bool registered = finish_kernel(kernel, "OplinkJoinC:CPU", status);
  TF_DeleteStatus(status);
  return registered;
}

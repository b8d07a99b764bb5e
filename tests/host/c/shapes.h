/* A shape function that goes through all of the shape inference functions, and leaves what they said for a kernel. */
#ifndef OPLINK_TEST_SHAPES_H
#define OPLINK_TEST_SHAPES_H

#include "report.h"

static Report shapes_said;

static void say_shape(Report* r, TF_ShapeInferenceContext* c, const char* what, TF_ShapeHandle* shape, TF_Status* s) {
  TF_DimensionHandle* dim = TF_NewDimensionHandle();
  int64_t rank = TF_ShapeInferenceContextRank(c, shape);
  say(r, "%s: code %d rank %lld known %d [", what, TF_GetCode(s), (long long)rank,
      TF_ShapeInferenceContextRankKnown(c, shape));
  for (int64_t i = 0; i < rank; ++i) {
    TF_ShapeInferenceContextDim(c, shape, i, dim);
    say(r, "%lld%s ", (long long)TF_DimensionHandleValue(dim), TF_DimensionHandleValueKnown(dim) ? "" : "?");
  }
  say(r, "]\n");
  TF_DeleteDimensionHandle(dim);
}

static void infer_shapes(TF_ShapeInferenceContext* c, TF_Status* status) {
  Report* r = &shapes_said;
  TF_Status* s = TF_NewStatus();
  TF_ShapeHandle *input = TF_NewShapeHandle(), *made = TF_NewShapeHandle();
  TF_DimensionHandle* last = TF_NewDimensionHandle();
  TF_DataType type = 77;
  memset(r, 0, sizeof *r);
  say(r, "inputs %lld\n", (long long)TF_ShapeInferenceContextNumInputs(c));
  TF_ShapeInferenceContextGetInput(c, 0, input, s);
  say_shape(r, c, "input", input, s);
  TF_ShapeInferenceContextGetInput(c, 5, made, s);
  say(r, "input 5: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextGetInput(c, -1, made, s);
  say(r, "input -1: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextWithRank(c, input, 3, made, s);
  say_shape(r, c, "with rank 3", made, s);
  TF_ShapeInferenceContextWithRank(c, input, 1, made, s);
  say(r, "with rank 1: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextWithRankAtLeast(c, input, 2, made, s);
  say_shape(r, c, "at least 2", made, s);
  TF_ShapeInferenceContextWithRankAtLeast(c, input, 4, made, s);
  say(r, "at least 4: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextWithRankAtMost(c, input, 3, made, s);
  say_shape(r, c, "at most 3", made, s);
  TF_ShapeInferenceContextWithRankAtMost(c, input, 1, made, s);
  say(r, "at most 1: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextSubshape(c, input, 1, 3, made, s);
  say_shape(r, c, "1..3", made, s);
  TF_ShapeInferenceContextSubshape(c, input, -2, INT64_MAX, made, s);
  say_shape(r, c, "-2..", made, s);
  TF_ShapeInferenceContextSubshape(c, input, 2, 1, made, s);
  say(r, "2..1: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextSubshape(c, input, -9, 1, made, s);
  say(r, "-9..1: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextDim(c, input, -1, last);
  say(r, "last: %lld\n", (long long)TF_DimensionHandleValue(last));
  TF_ShapeHandle* scalar = TF_ShapeInferenceContextScalar(c);
  TF_ShapeHandle* vector = TF_ShapeInferenceContextVectorFromSize(c, 7);
  say_shape(r, c, "scalar", scalar, s);
  say_shape(r, c, "vector", vector, s);
  TF_ShapeInferenceContextConcatenateShapes(c, input, vector, made, s);
  say_shape(r, c, "input and vector", made, s);
  TF_ShapeInferenceContext_GetAttrType(c, "T", &type, s);
  say(r, "T: %d %d\n", TF_GetCode(s), type);
  TF_ShapeInferenceContext_GetAttrType(c, "none", &type, s);
  say(r, "none: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextSetOutput(c, 3, made, s);
  say(r, "output 3: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextSetUnknownShape(c, s);
  say(r, "unknown: %d\n", TF_GetCode(s));
  TF_ShapeInferenceContextSetOutput(c, 0, scalar, status);
  TF_ShapeInferenceContextSetOutput(c, 1, made, status);
  TF_DeleteShapeHandle(scalar);
  TF_DeleteShapeHandle(vector);
  TF_DeleteShapeHandle(input);
  TF_DeleteShapeHandle(made);
  TF_DeleteDimensionHandle(last);
  TF_DeleteStatus(s);
}

static void compute_shapes(void* kernel, TF_OpKernelContext* context) {
  (void)kernel;
  TF_Status* status = TF_NewStatus();
  /* What the shape function says of an input of [2,1,4] floats. */
  int64_t dims[4] = {2, 1, 4, 7};
  size_t bytes = 2 * 1 * 4 * 7 * sizeof(float);
  answer(context, 0, &shapes_said);
  TF_DeleteTensor(TF_AllocateOutput(context, 1, TF_ExpectedOutputDataType(context, 1), dims, 4, bytes, status));
  TF_DeleteStatus(status);
}

#endif

// The same by TensorFlow's C API, which plugins are made with.
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"

static void add(void*, TF_OpKernelContext* context) {
  TF_Status* status = TF_NewStatus();
  TF_Tensor *x = nullptr, *y = nullptr;
  TF_GetInput(context, 0, &x, status);
  TF_GetInput(context, 1, &y, status);
  int64_t dims[8], count = TF_TensorElementCount(x);
  const int rank = TF_NumDims(x);
  for (int axis = 0; axis < rank; axis++) dims[axis] = TF_Dim(x, axis);
  TF_Tensor* z = TF_AllocateOutput(context, 0, TF_FLOAT, dims, rank, count * sizeof(float), status);
  const float *from = static_cast<float*>(TF_TensorData(x)), *other = static_cast<float*>(TF_TensorData(y));
  float* to = static_cast<float*>(TF_TensorData(z));
  for (int64_t i = 0; i < count; i++) to[i] = from[i] + other[i];
  TF_DeleteTensor(x);
  TF_DeleteTensor(y);
  TF_DeleteTensor(z);
  TF_DeleteStatus(status);
}

static void shape(TF_ShapeInferenceContext* context, TF_Status* status) {
  TF_ShapeHandle* handle = TF_NewShapeHandle();
  TF_ShapeInferenceContextGetInput(context, 0, handle, status);
  TF_ShapeInferenceContextSetOutput(context, 0, handle, status);
  TF_DeleteShapeHandle(handle);
}

__attribute__((constructor)) static void load() {
  TF_Status* status = TF_NewStatus();
  TF_OpDefinitionBuilder* op = TF_NewOpDefinitionBuilder("CApiAdd");
  TF_OpDefinitionBuilderAddInput(op, "x: T");
  TF_OpDefinitionBuilderAddInput(op, "y: T");
  TF_OpDefinitionBuilderAddOutput(op, "z: T");
  TF_OpDefinitionBuilderAddAttr(op, "T: {half, bfloat16, float, double, int8, int32, int64, uint8, complex64}");
  TF_OpDefinitionBuilderSetShapeInferenceFunction(op, shape);
  TF_RegisterOpDefinition(op, status);
  TF_KernelBuilder* kernel = TF_NewKernelBuilder("CApiAdd", "CPU", nullptr, add, nullptr);
  TF_KernelBuilder_TypeConstraint(kernel, "T", TF_FLOAT, status);
  TF_RegisterKernelBuilder("CApiAdd", kernel, status);
  TF_DeleteStatus(status);
}

/* What the programs here share. */
#ifndef OPLINK_TESTS_SANITIZED_CLIENT_H_
#define OPLINK_TESTS_SANITIZED_CLIENT_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oplink/c/c_api.h"
#include "oplink/c/c_api_experimental.h"
#include "oplink/c/eager/c_api.h"
#include "oplink/c/env.h"
#include "oplink/c/kernels.h"
#include "oplink/c/ops.h"

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);           \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

static inline void ok(TF_Status* status) {
  if (TF_GetCode(status) != TF_OK) {
    fprintf(stderr, "%s\n", TF_Message(status));
    exit(1);
  }
}

static inline TF_Tensor* floats(const int64_t* dims, int rank, const float* values) {
  int64_t count = 1;
  for (int i = 0; i < rank; i++) count *= dims[i];
  TF_Tensor* tensor = TF_AllocateTensor(TF_FLOAT, dims, rank, (size_t)count * sizeof(float));
  memcpy(TF_TensorData(tensor), values, (size_t)count * sizeof(float));
  return tensor;
}

static inline TF_Operation* placeholder(TF_Graph* graph, const char* name, TF_Status* status) {
  TF_OperationDescription* desc = TF_NewOperation(graph, "Placeholder", name);
  TF_SetAttrType(desc, "dtype", TF_FLOAT);
  TF_Operation* oper = TF_FinishOperation(desc, status);
  ok(status);
  return oper;
}

static inline TF_Operation* binary(TF_Graph* graph, const char* op, const char* name, TF_Operation* x, TF_Operation* y,
                                   TF_Status* status) {
  TF_OperationDescription* desc = TF_NewOperation(graph, op, name);
  TF_AddInput(desc, (TF_Output){x, 0});
  TF_AddInput(desc, (TF_Output){y, 0});
  TF_Operation* oper = TF_FinishOperation(desc, status);
  ok(status);
  return oper;
}

#endif

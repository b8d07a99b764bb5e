/* A client that includes headers by TensorFlow's names: it adds two numbers, and sees that functions of each part of the
 * API are there. */
#include <tensorflow/c/c_api.h>
#include <tensorflow/c/c_api_experimental.h>
#include <tensorflow/c/eager/c_api.h>
#include <tensorflow/c/eager/c_api_experimental.h>
#include <tensorflow/c/eager/c_api_unified_experimental.h>
#include <tensorflow/c/kernels.h>
#include <tensorflow/c/ops.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static TF_Output constant(TF_Graph* graph, const char* name, float value, TF_Status* status) {
  TF_Tensor* tensor = TF_AllocateTensor(TF_FLOAT, NULL, 0, sizeof(float));
  memcpy(TF_TensorData(tensor), &value, sizeof(float));
  TF_OperationDescription* description = TF_NewOperation(graph, "Const", name);
  TF_SetAttrType(description, "dtype", TF_FLOAT);
  TF_SetAttrTensor(description, "value", tensor, status);
  TF_Output output;
  output.oper = TF_FinishOperation(description, status);
  output.index = 0;
  TF_DeleteTensor(tensor);
  return output;
}

int main(void) {
  TF_Status* status = TF_NewStatus();
  TF_Graph* graph = TF_NewGraph();
  TF_OperationDescription* description = TF_NewOperation(graph, "AddV2", "sum");
  TF_AddInput(description, constant(graph, "x", 2.0f, status));
  TF_AddInput(description, constant(graph, "y", 3.5f, status));
  TF_Output sum;
  sum.oper = TF_FinishOperation(description, status);
  sum.index = 0;
  TF_SessionOptions* options = TF_NewSessionOptions();
  TF_Session* session = TF_NewSession(graph, options, status);
  TF_Tensor* result = NULL;
  if (TF_GetCode(status) == TF_OK) {
    TF_SessionRun(session, NULL, NULL, NULL, 0, &sum, &result, 1, NULL, 0, NULL, status);
  }
  if (TF_GetCode(status) != TF_OK) {
    fprintf(stderr, "%s\n", TF_Message(status));
    return EXIT_FAILURE;
  }
  printf("%s %.1f %d\n", TF_Version(), *(float*)TF_TensorData(result), TF_OpIsStateful("AddV2", status));
  TFE_MonitoringCounter0* counter = TFE_MonitoringNewCounter0("calls", status, "of this program");
  TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringGetCellCounter0(counter), 3);
  printf("%d\n", (int)TFE_MonitoringCounterCellValue(TFE_MonitoringGetCellCounter0(counter)));
  TFE_MonitoringDeleteCounter0(counter);
  TF_DeleteTensor(result);
  TF_DeleteSession(session, status);
  TF_DeleteSessionOptions(options);
  TF_DeleteGraph(graph);
  TF_DeleteStatus(status);
  return EXIT_SUCCESS;
}

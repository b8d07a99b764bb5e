/* Loads a plugin of the two example ops through the C API and runs them: in_c PLUGIN SUFFIX. Prints a line a check; the
 * exit code is not 0 where one failed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oplink/c/c_api.h"
#include "oplink/c/eager/c_api.h"
#include "oplink/c/tf_tstring.h"

static const char* plugin;
static const char* suffix;
static int failures;

static void row(const char* check, int good, TF_Status* status) {
  const char* message = TF_GetCode(status) == TF_OK ? "another value" : TF_Message(status);
  printf("liboplink from C | %s | %s | %s%s\n", plugin, check, good ? "ok" : "FAILED: ", good ? "" : message);
  failures += !good;
}

static void no_deallocator(void* data, size_t length, void* argument) { (void)data, (void)length, (void)argument; }

static TF_Tensor* floats(const float* values, int64_t count) {
  TF_Tensor* tensor = TF_AllocateTensor(TF_FLOAT, &count, 1, (size_t)count * sizeof(float));
  memcpy(TF_TensorData(tensor), values, (size_t)count * sizeof(float));
  return tensor;
}

static int same_floats(const TF_Tensor* tensor, const float* values, int64_t count) {
  return tensor != NULL && TF_TensorType(tensor) == TF_FLOAT && TF_TensorElementCount(tensor) == count &&
         memcmp(TF_TensorData(tensor), values, (size_t)count * sizeof(float)) == 0;
}

static const char* op_name(const char* stem) {
  static char name[64];
  snprintf(name, sizeof name, "%s%s", stem, suffix);
  return name;
}

/* Runs `y` of the graph on `x`; null where that fails. */
static TF_Tensor* run(TF_Graph* graph, TF_Operation* x, TF_Operation* y, TF_Tensor* value, TF_Status* status) {
  TF_SessionOptions* options = TF_NewSessionOptions();
  TF_Session* session = TF_NewSession(graph, options, status);
  TF_DeleteSessionOptions(options);
  if (session == NULL) return NULL;
  TF_Output feed = {x, 0}, fetch = {y, 0};
  TF_Tensor* result = NULL;
  TF_SessionRun(session, NULL, &feed, &value, 1, &fetch, &result, 1, NULL, 0, NULL, status);
  TF_Status* closing = TF_NewStatus();
  TF_CloseSession(session, closing);
  TF_DeleteSession(session, closing);
  TF_DeleteStatus(closing);
  return result;
}

static TF_Operation* placeholder(TF_Graph* graph, TF_DataType type, TF_Status* status) {
  const int64_t dims[] = {-1};
  TF_OperationDescription* description = TF_NewOperation(graph, "Placeholder", "x");
  TF_SetAttrType(description, "dtype", type);
  TF_SetAttrShape(description, "shape", dims, 1);
  return TF_FinishOperation(description, status);
}

static TF_Operation* affine(TF_Graph* graph, TF_Operation* x, const float* bounds, int num_bounds, TF_Status* status) {
  TF_OperationDescription* description = TF_NewOperation(graph, op_name("OplinkAffine"), "y");
  TF_AddInput(description, (TF_Output){x, 0});
  TF_SetAttrFloat(description, "scale", 2.0F);
  TF_SetAttrInt(description, "shift", 1);
  if (bounds != NULL) {
    TF_SetAttrString(description, "mode", "clip", 4);
    TF_SetAttrFloatList(description, "bounds", bounds, num_bounds);
  }
  return TF_FinishOperation(description, status);
}

static void graph_and_session(TF_Status* status) {
  const float values[] = {1, -2, 3}, expected[] = {3, -3, 7};
  TF_Graph* graph = TF_NewGraph();
  TF_Operation* x = placeholder(graph, TF_FLOAT, status);
  TF_Operation* y = affine(graph, x, NULL, 0, status);
  TF_Tensor* value = floats(values, 3);
  TF_Tensor* result = y == NULL ? NULL : run(graph, x, y, value, status);
  row("graph and session", same_floats(result, expected, 3), status);
  int rank = y == NULL ? -2 : TF_GraphGetTensorNumDims(graph, (TF_Output){y, 0}, status);
  row("shape function", rank == 1, status);
  if (result != NULL) TF_DeleteTensor(result);
  TF_DeleteTensor(value);
  TF_DeleteGraph(graph);
}

static void list_attrs(TF_Status* status) {
  const float values[] = {1, -2, 3}, bounds[] = {-1, 4}, expected[] = {3, -1, 4};
  TF_Graph* graph = TF_NewGraph();
  TF_Operation* x = placeholder(graph, TF_FLOAT, status);
  TF_Operation* y = affine(graph, x, bounds, 2, status);
  TF_Tensor* value = floats(values, 3);
  TF_Tensor* result = y == NULL ? NULL : run(graph, x, y, value, status);
  row("attrs of kind string and list", same_floats(result, expected, 3), status);
  if (result != NULL) TF_DeleteTensor(result);
  TF_DeleteTensor(value);
  TF_DeleteGraph(graph);
}

static void construction_error(TF_Status* status) {
  const float values[] = {1}, bounds[] = {1};
  TF_Graph* graph = TF_NewGraph();
  TF_Operation* x = placeholder(graph, TF_FLOAT, status);
  TF_Operation* y = affine(graph, x, bounds, 1, status);
  TF_Tensor* value = floats(values, 1);
  TF_Tensor* result = y == NULL ? NULL : run(graph, x, y, value, status);
  int good = result == NULL && TF_GetCode(status) == TF_INVALID_ARGUMENT && strstr(TF_Message(status), "bounds") != NULL;
  row("construction errors", good, status);
  if (result != NULL) TF_DeleteTensor(result);
  TF_DeleteTensor(value);
  TF_DeleteGraph(graph);
  TF_SetStatus(status, TF_OK, "");
}

static TF_Tensor* strings(const char* const* texts, int64_t count) {
  TF_Tensor* tensor = TF_AllocateTensor(TF_STRING, &count, 1, (size_t)count * sizeof(TF_TString));
  TF_TString* elements = TF_TensorData(tensor);
  for (int64_t i = 0; i < count; ++i) {
    TF_StringInit(&elements[i]);
    TF_StringCopy(&elements[i], texts[i], strlen(texts[i]));
  }
  return tensor;
}

/* Calls OplinkJoin eagerly on two tensors; null where that fails. */
static TF_Tensor* join(TFE_Context* context, TF_Tensor* parts[2], TF_Status* status) {
  TFE_Op* op = TFE_NewOp(context, op_name("OplinkJoin"), status);
  if (op == NULL) return NULL;
  TFE_TensorHandle *handles[2], *result = NULL;
  for (int i = 0; i < 2; ++i) handles[i] = TFE_NewTensorHandle(parts[i], status);
  TFE_OpAddInputList(op, handles, 2, status);
  TFE_OpSetAttrString(op, "separator", "-", 1);
  int count = 1;
  if (TF_GetCode(status) == TF_OK) TFE_Execute(op, &result, &count, status);
  TF_Tensor* value = result == NULL ? NULL : TFE_TensorHandleResolve(result, status);
  if (result != NULL) TFE_DeleteTensorHandle(result);
  for (int i = 0; i < 2; ++i) TFE_DeleteTensorHandle(handles[i]);
  TFE_DeleteOp(op);
  return value;
}

static int has_text(TF_Tensor* tensor, int at, const char* text) {
  const TF_TString* element = (const TF_TString*)TF_TensorData(tensor) + at;
  return TF_StringGetSize(element) == strlen(text) && memcmp(TF_StringGetDataPointer(element), text, strlen(text)) == 0;
}

static void eager_strings(TF_Status* status) {
  TFE_ContextOptions* options = TFE_NewContextOptions();
  TFE_Context* context = TFE_NewContext(options, status);
  TFE_DeleteContextOptions(options);
  if (context == NULL) {
    row("eager, string tensors", 0, status);
    return;
  }
  const char* first[] = {"", "x"};
  const char* second[] = {"y", "a string that does not fit into the string itself"};
  TF_Tensor* parts[] = {strings(first, 2), strings(second, 2)};
  TF_Tensor* joined = join(context, parts, status);
  int good = joined != NULL && TF_TensorElementCount(joined) == 2 && has_text(joined, 0, "-y") &&
             has_text(joined, 1, "x-a string that does not fit into the string itself");
  row("eager, string tensors", good, status);
  if (joined != NULL) TF_DeleteTensor(joined);
  TF_DeleteTensor(parts[1]);
  parts[1] = strings(first, 1);
  joined = join(context, parts, status);
  good = joined == NULL && TF_GetCode(status) == TF_INVALID_ARGUMENT && strstr(TF_Message(status), "OplinkJoin") != NULL;
  row("kernel errors", good, status);
  if (joined != NULL) TF_DeleteTensor(joined);
  TF_DeleteTensor(parts[0]);
  TF_DeleteTensor(parts[1]);
  TFE_DeleteContext(context);
  TF_SetStatus(status, TF_OK, "");
}

static void client_memory(TF_Status* status) {
  _Alignas(64) static float values[] = {0, 0.5F};
  const int64_t dims[] = {2};
  const float expected[] = {1, 2};
  TF_Graph* graph = TF_NewGraph();
  TF_Operation* x = placeholder(graph, TF_FLOAT, status);
  TF_Operation* y = affine(graph, x, NULL, 0, status);
  TF_Tensor* value = TF_NewTensor(TF_FLOAT, dims, 1, values, sizeof values, no_deallocator, NULL);
  TF_Tensor* result = y == NULL ? NULL : run(graph, x, y, value, status);
  row("memory of the client is left as it was", same_floats(result, expected, 2) && values[1] == 0.5F, status);
  if (result != NULL) TF_DeleteTensor(result);
  TF_DeleteTensor(value);
  TF_DeleteGraph(graph);
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: in_c PLUGIN [SUFFIX]\n");
    return 2;
  }
  suffix = argc > 2 ? argv[2] : "";
  plugin = strrchr(argv[1], '/') == NULL ? argv[1] : strrchr(argv[1], '/') + 1;
  TF_Status* status = TF_NewStatus();
  TF_Library* library = TF_LoadLibrary(argv[1], status);
  row("load", library != NULL, status);
  if (library != NULL) {
    TF_Buffer ops = TF_GetOpList(library);
    row("the library tells its ops", ops.length > 0, status);
    graph_and_session(status);
    list_attrs(status);
    construction_error(status);
    eager_strings(status);
    client_memory(status);
    TF_DeleteLibraryHandle(library);
  }
  TF_DeleteStatus(status);
  return failures != 0;
}

/* Makes, uses and deletes objects of every kind: run under AddressSanitizer, nothing is read after its end, freed twice or
 * left behind. With an argument it makes that mistake, so that a test can see that the sanitizer notices it. */
#include "client.h"

#include "oplink/c/eager/c_api_unified_experimental.h"
#include "oplink/c/eager/monitoring.h"
#include "oplink/c/grappler.h"

static int deallocated = 0;

static void deallocate(void* data, size_t length, void* argument) {
  (void)length;
  CHECK(argument == &deallocated);
  deallocated++;
  free(data);
}

static void tensors(TF_Status* status) {
  const int64_t dims[] = {16, 16};
  float* data = aligned_alloc(64, 1024);
  memset(data, 0, 1024);
  TF_Tensor* given = TF_NewTensor(TF_FLOAT, dims, 2, data, 1024, deallocate, &deallocated);
  TFE_TensorHandle* handle = TFE_NewTensorHandle(given, status);
  ok(status);
  TF_DeleteTensor(given);
  CHECK(deallocated == 0);
  TFE_DeleteTensorHandle(handle);
  CHECK(deallocated == 1);
  CHECK(TF_NewTensor(TF_FLOAT, dims, -1, malloc(4), 4, deallocate, &deallocated) == NULL && deallocated == 2);
  const int64_t three[] = {3};
  TF_Tensor* words = TF_AllocateTensor(TF_STRING, three, 1, 3 * sizeof(TF_TString));
  TF_TString* elements = TF_TensorData(words);
  TF_TString_Copy(&elements[0], "short", 5);
  TF_TString_Copy(&elements[1], "long enough to lie in a block of its own, outside of the element", 64);
  TF_StringCopy(&elements[2], "by the library, and long enough for a block of its own", 54);
  TF_TString_Dealloc(&elements[1]);
  TF_DeleteTensor(words);
  TF_Buffer* buffer = TF_NewBufferFromString("abc", 3);
  TF_DeleteBuffer(buffer);
  TF_SetStatus(status, TF_INTERNAL, "a message");
  TF_SetPayload(status, "key", "value");
  TF_SetStatus(status, TF_OK, "");
}

static TF_Function* square(TF_Status* status) {
  TF_Graph* graph = TF_NewGraph();
  TF_Operation* x = placeholder(graph, "x", status);
  TF_Operation* y = binary(graph, "Mul", "y", x, x, status);
  TF_Output in = {x, 0}, out = {y, 0};
  TF_Function* function =
      TF_GraphToFunction(graph, "square", 0, -1, NULL, 1, &in, 1, &out, NULL, NULL, NULL, status);
  ok(status);
  TF_DeleteGraph(graph);
  return function;
}

static void graphs(TF_Status* status) {
  const int64_t two[] = {2};
  const float values[] = {3, 4};
  TF_Graph* graph = TF_NewGraph();
  TF_Operation* x = placeholder(graph, "x", status);
  TF_Function* function = square(status);
  TF_GraphCopyFunction(graph, function, NULL, status);
  ok(status);
  TF_DeleteFunction(function);
  TF_OperationDescription* desc = TF_NewOperation(graph, "square", "y");
  TF_AddInput(desc, (TF_Output){x, 0});
  TF_Operation* y = TF_FinishOperation(desc, status);
  ok(status);
  CHECK(TF_FinishOperation(TF_NewOperation(graph, "NoSuchOp", "z"), status) == NULL && TF_GetCode(status) != TF_OK);
  TF_Buffer* message = TF_NewBuffer();
  TF_GraphToGraphDef(graph, message, status);
  ok(status);
  TF_Graph* copy = TF_NewGraph();
  TF_ImportGraphDefOptions* options = TF_NewImportGraphDefOptions();
  TF_ImportGraphDefOptionsSetPrefix(options, "in");
  TF_ImportGraphDefOptionsAddReturnOutput(options, "y", 0);
  TF_ImportGraphDefResults* results = TF_GraphImportGraphDefWithResults(copy, message, options, status);
  ok(status);
  int count;
  TF_Output* outputs;
  TF_ImportGraphDefResultsReturnOutputs(results, &count, &outputs);
  CHECK(count == 1 && strcmp(TF_OperationName(outputs[0].oper), "in/y") == 0);
  TF_DeleteImportGraphDefResults(results);
  TF_DeleteImportGraphDefOptions(options);
  TF_DeleteBuffer(message);
  TF_DeleteGraph(copy);

  TF_SessionOptions* session_options = TF_NewSessionOptions();
  TF_Session* session = TF_NewSession(graph, session_options, status);
  ok(status);
  TF_DeleteSessionOptions(session_options);
  TF_DeleteGraph(graph); /* the session keeps what it needs */
  TF_Output in = {x, 0}, out = {y, 0};
  TF_Tensor* fed = floats(two, 1, values);
  TF_Tensor* fetched = NULL;
  TF_Buffer* metadata = TF_NewBuffer();
  for (int i = 0; i < 3; i++) {
    TF_SessionRun(session, NULL, &in, &fed, 1, &out, &fetched, 1, NULL, 0, i == 0 ? metadata : NULL, status);
    ok(status);
    CHECK(((float*)TF_TensorData(fetched))[1] == 16);
    TF_DeleteTensor(fetched);
  }
  TF_DeleteBuffer(metadata);
  TF_SessionRun(session, NULL, NULL, NULL, 0, &out, &fetched, 1, NULL, 0, NULL, status);
  CHECK(TF_GetCode(status) != TF_OK);
  TF_DeleteTensor(fed);
  TF_DeviceList* devices = TF_SessionListDevices(session, status);
  ok(status);
  TF_DeleteDeviceList(devices);
  const char* handle = NULL;
  TF_SessionPRunSetup(session, &in, 1, &out, 1, NULL, 0, &handle, status);
  ok(status);
  TF_DeletePRunHandle(handle);
  TF_CloseSession(session, status);
  TF_DeleteSession(session, status);
  ok(status);
}

static void* create(TF_OpKernelConstruction* ctx) {
  (void)ctx;
  return malloc(8);
}

static void compute(void* kernel, TF_OpKernelContext* ctx) {
  memset(kernel, 1, 8);
  TF_Status* status = TF_NewStatus();
  TF_Tensor *x = NULL, *again = NULL;
  TF_GetInput(ctx, 0, &x, status);
  TF_GetInput(ctx, 0, &again, status);
  TF_Tensor* y = TF_AllocateOutput(ctx, 0, TF_FLOAT, NULL, 0, sizeof(float), status);
  ok(status);
  *(float*)TF_TensorData(y) = *(float*)TF_TensorData(x) + *(float*)TF_TensorData(again);
  TF_DeleteTensor(again);
  TF_DeleteTensor(x);
  TF_SetOutput(ctx, 0, y, status);
  ok(status);
  TF_DeleteTensor(y);
  TF_DeleteStatus(status);
}

static void eager(TF_Status* status) {
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder("Doubled");
  TF_OpDefinitionBuilderAddInput(b, "x: float");
  TF_OpDefinitionBuilderAddOutput(b, "y: float");
  TF_RegisterOpDefinition(b, status);
  ok(status);
  TF_RegisterKernelBuilder("doubled", TF_NewKernelBuilder("Doubled", "CPU", create, compute, free), status);
  ok(status);
  TFE_ContextOptions* options = TFE_NewContextOptions();
  TFE_Context* context = TFE_NewContext(options, status);
  ok(status);
  TFE_DeleteContextOptions(options);
  TF_Function* function = square(status);
  TFE_ContextAddFunction(context, function, status);
  ok(status);
  TF_DeleteFunction(function);
  const float value = 3;
  TF_Tensor* tensor = floats(NULL, 0, &value);
  TFE_TensorHandle* x = TFE_NewTensorHandle(tensor, status);
  TF_DeleteTensor(tensor);
  const char* const ops[] = {"Doubled", "square", "Neg"};
  const float expected[] = {6, 9, -3};
  for (int i = 0; i < 3; i++) {
    TFE_Op* op = TFE_NewOp(context, ops[i], status);
    ok(status);
    TFE_OpAddInput(op, x, status);
    TFE_TensorHandle* y = NULL;
    int count = 1;
    TFE_Execute(op, &y, &count, status);
    ok(status);
    TF_Tensor* result = TFE_TensorHandleResolve(y, status);
    ok(status);
    CHECK(*(float*)TF_TensorData(result) == expected[i]);
    TF_DeleteTensor(result);
    TFE_DeleteTensorHandle(y);
    TFE_DeleteOp(op);
  }
  TFE_ContextRemoveFunction(context, "square", status);
  ok(status);
  TFE_DeleteTensorHandle(x);
  TFE_DeleteContext(context);
}

/* A call of an op of a context with one or two inputs, and its output. */
static TF_AbstractTensor* called(TF_ExecutionContext* context, const char* type, TF_AbstractTensor* x,
                                 TF_AbstractTensor* y, TF_Status* status) {
  TF_AbstractTensor* inputs[] = {x, y};
  TF_AbstractOp* op = TF_NewAbstractOp(context);
  TF_AbstractOpSetOpType(op, type, status);
  TF_OutputList* outputs = TF_NewOutputList();
  TF_OutputListSetNumOutputs(outputs, 1, status);
  TF_ExecuteOperation(op, y == NULL ? 1 : 2, inputs, outputs, status);
  ok(status);
  TF_AbstractTensor* result = TF_OutputListGet(outputs, 0);
  TF_DeleteOutputList(outputs);
  TF_DeleteAbstractOp(op);
  return result;
}

static void unified(TF_Status* status) {
  TFE_ContextOptions* options = TFE_NewContextOptions();
  TF_ExecutionContext* context = TF_NewEagerExecutionContext(options, status);
  TFE_DeleteContextOptions(options);
  TF_ExecutionContext* tracing = TF_CreateFunction("double_it", status);
  int64_t dims[] = {-1};
  TF_AbstractTensor* x = TF_AddFunctionParameter(tracing, TF_FLOAT, (TF_Shape){1, dims}, status);
  TF_AbstractTensor* sum = called(tracing, "AddV2", x, x, status);
  TF_OutputList* returned = TF_NewOutputList();
  TF_OutputListPushBack(returned, sum, status);
  TF_AbstractFunction* function = TF_FinalizeFunction(tracing, returned, status);
  TF_ExecutionContextRegisterFunction(context, function, status);
  ok(status);
  TF_DeleteAbstractFunction(function);
  TF_DeleteOutputList(returned);
  TF_DeleteAbstractTensor(x);
  TF_DeleteAbstractTensor(sum);
  const int64_t two[] = {2};
  const float values[] = {1.5f, -2.0f};
  TF_Tensor* tensor = floats(two, 1, values);
  TF_AbstractTensor* given = TF_CreateAbstractTensorFromEagerTensor(TFE_NewTensorHandle(tensor, status), status);
  TF_DeleteTensor(tensor);
  TF_AbstractTensor* result = called(context, "double_it", given, NULL, status);
  TF_DeleteExecutionContext(context);
  tensor = TFE_TensorHandleResolve(TF_AbstractTensorGetEagerTensor(result, status), status);
  ok(status);
  CHECK(((float*)TF_TensorData(tensor))[1] == -4.0f);
  TF_DeleteTensor(tensor);
  TF_DeleteAbstractTensor(given);
  TF_DeleteAbstractTensor(result);
}

static void metrics(TF_Status* status) {
  TFE_MonitoringStringGauge2* gauge = TFE_MonitoringNewStringGauge2("names", status, "of things", "kind", "place");
  TFE_MonitoringStringGaugeCell* cell = TFE_MonitoringGetCellStringGauge2(gauge, "a", "b");
  TFE_MonitoringStringGaugeCellSet(cell, "a value that takes a block of its own");
  TF_Buffer* buffer = TF_NewBuffer();
  for (int i = 0; i < 2; i++) TFE_MonitoringStringGaugeCellValue(cell, buffer);
  CHECK(buffer->length == 37);
  TFE_MonitoringBuckets* buckets = TFE_MonitoringNewExponentialBuckets(1, 2, 4);
  TFE_MonitoringSampler1* sampler = TFE_MonitoringNewSampler1("times", buckets, status, "of calls", "op");
  TFE_MonitoringDeleteBuckets(buckets);
  TFE_MonitoringSamplerCellAdd(TFE_MonitoringGetCellSampler1(sampler, "x"), 3);
  TFE_MonitoringSamplerCellValue(TFE_MonitoringGetCellSampler1(sampler, "x"), buffer);
  CHECK(buffer->length > 80);
  TF_DeleteBuffer(buffer);
  TFE_MonitoringDeleteSampler1(sampler);
  TFE_MonitoringDeleteStringGauge2(gauge);
}

static void experimental(TF_Status* status) {
  TF_Graph* graph = TF_NewGraph();
  TF_Operation* x = placeholder(graph, "x", status);
  TF_Buffer* value = TF_NewBufferFromString("\x12\x01h", 3);
  for (int i = 0; i < 3; i++) TF_SetAttr(graph, x, "_note", value, status);
  TF_ClearAttr(graph, x, "_note", status);
  ok(status);
  TF_DeleteBuffer(value);
  size_t length = 0;
  char* text = (char*)TF_GraphDebugString(graph, &length);
  CHECK(strlen(text) == length && length > 0);
  free(text);
  TF_Buffer* message = TF_NewBuffer();
  TF_GraphToGraphDef(graph, message, status);
  TF_FunctionLibraryDefinition* library = TF_NewFunctionLibraryDefinition(message, status);
  TF_LookUpOpDef(library, "AddV2", message, status);
  ok(status);
  TF_DeleteFunctionLibraryDefinition(library);
  TF_DeleteBuffer(message);
  TF_DeleteGraph(graph);
  const int64_t dims[] = {2, -1};
  TF_ShapeAndTypeList* list = TF_NewShapeAndTypeList(2);
  for (int i = 0; i < 2; i++) TF_ShapeAndTypeListSetShape(list, i, dims, 2 - i);
  TF_ShapeAndTypeListSetUnknownShape(list, 0);
  TF_DeleteShapeAndTypeList(list);
  TF_AttrBuilder* attrs = TF_NewAttrBuilder("AddV2");
  TF_AttrBuilderSetType(attrs, "T", TF_FLOAT);
  TF_AttrBuilderCheckCanRunOnDevice(attrs, "CPU", status);
  ok(status);
  TF_DeleteAttrBuilder(attrs);
  TF_DeleteBuffer(TF_CreateConfig(1, 1, 2));
}

static int mistake(const char* which) {
  const int64_t dims[] = {4096};
  TF_Tensor* tensor = TF_AllocateTensor(TF_FLOAT, dims, 1, 4096 * sizeof(float));
  volatile float* data = TF_TensorData(tensor);
  if (strcmp(which, "overrun") == 0) return data[4096] != 0;
  if (strcmp(which, "leak") == 0) {
    tensor = NULL;
    return 0;
  }
  TF_DeleteTensor(tensor);
  return data[17] != 0; /* use-after-free */
}

int main(int argc, char** argv) {
  if (argc > 1) return mistake(argv[1]);
  TF_Status* status = TF_NewStatus();
  for (int i = 0; i < 3; i++) {
    deallocated = 0;
    tensors(status);
    graphs(status);
  }
  eager(status);
  unified(status);
  metrics(status);
  experimental(status);
  TF_DeleteStatus(status);
  puts("ownership: every object ended as it should");
  return 0;
}

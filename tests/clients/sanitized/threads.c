/* One session, one graph, one variable, one model and one eager context in the hands of 16 threads; every result is checked.
 * usage: threads MODEL [ROUNDS [race]]   MODEL: digits.pb; race: the threads also write a number that nothing guards */
#include <pthread.h>
#include <stdatomic.h>

#include "client.h"

enum { THREADS = 16 };

static TF_Graph* graph;
static TF_Session* session;
static TFE_Context* context;
static TF_Operation *x, *y, *count, *counted;
static TF_Graph* digits;
static TF_Session* reader;
static int64_t labels[THREADS];
static int rounds = 200;
static int racing, unguarded;
static atomic_int done;

/* The sum of x and itself. */
static void run(int thread, int round, TF_Status* status) {
  const int64_t dims[] = {64};
  float values[64];
  for (int i = 0; i < 64; i++) values[i] = (float)(thread * 1000 + round + i);
  TF_Output in = {x, 0}, out = {y, 0};
  TF_Tensor *fed = floats(dims, 1, values), *fetched = NULL;
  TF_SessionRun(session, NULL, &in, &fed, 1, &out, &fetched, 1, NULL, 0, NULL, status);
  ok(status);
  for (int i = 0; i < 64; i++) CHECK(((float*)TF_TensorData(fetched))[i] == 2 * values[i]);
  TF_DeleteTensor(fetched);
  TF_DeleteTensor(fed);
}

static void call(int thread, int round, TF_Status* status) {
  const float value = (float)(thread * 1000 + round);
  TF_Tensor* tensor = floats(NULL, 0, &value);
  TFE_TensorHandle *handle = TFE_NewTensorHandle(tensor, status), *result = NULL;
  TF_DeleteTensor(tensor);
  TFE_Op* op = TFE_NewOp(context, "AddV2", status);
  TFE_OpAddInput(op, handle, status);
  TFE_OpAddInput(op, handle, status);
  int count = 1;
  TFE_Execute(op, &result, &count, status);
  ok(status);
  tensor = TFE_TensorHandleResolve(result, status);
  CHECK(*(float*)TF_TensorData(tensor) == 2 * value);
  TF_DeleteTensor(tensor);
  TFE_DeleteTensorHandle(result);
  TFE_DeleteTensorHandle(handle);
  TFE_DeleteOp(op);
}

/* Grows the graph under the session, and runs what is new. */
static void grow(int thread, int round, TF_Status* status) {
  char name[64];
  snprintf(name, sizeof name, "z_%d_%d", thread, round);
  TF_Operation* z = binary(graph, "Mul", name, x, x, status);
  CHECK(TF_GraphOperationByName(graph, name) == z);
  const int64_t dims[] = {1};
  const float value = (float)round;
  TF_Output in = {x, 0}, out = {z, 0};
  TF_Tensor *fed = floats(dims, 1, &value), *fetched = NULL;
  TF_SessionRun(session, NULL, &in, &fed, 1, &out, &fetched, 1, NULL, 0, NULL, status);
  ok(status);
  CHECK(*(float*)TF_TensorData(fetched) == value * value);
  TF_DeleteTensor(fetched);
  TF_DeleteTensor(fed);
}

/* A variable of the session's graph: its handle, and what sets it to 0, adds 1 and reads it. */
static TF_Operation* variable(const char* op, const char* name, TF_Operation* handle, TF_Operation* value, TF_Status* status) {
  TF_OperationDescription* desc = TF_NewOperation(graph, op, name);
  if (handle != NULL) TF_AddInput(desc, (TF_Output){handle, 0});
  if (value != NULL) TF_AddInput(desc, (TF_Output){value, 0});
  TF_SetAttrType(desc, "dtype", TF_FLOAT);
  if (handle == NULL) TF_SetAttrShape(desc, "shape", NULL, 0);
  TF_Operation* oper = TF_FinishOperation(desc, status);
  ok(status);
  return oper;
}

static TF_Operation* number(const char* name, float value, TF_Status* status) {
  TF_OperationDescription* desc = TF_NewOperation(graph, "Const", name);
  TF_Tensor* tensor = floats(NULL, 0, &value);
  TF_SetAttrTensor(desc, "value", tensor, status);
  TF_SetAttrType(desc, "dtype", TF_FLOAT);
  TF_Operation* oper = TF_FinishOperation(desc, status);
  ok(status);
  TF_DeleteTensor(tensor);
  return oper;
}

static void counter(TF_Status* status) {
  TF_Operation* handle = variable("VarHandleOp", "counter", NULL, NULL, status);
  const TF_Operation* zero = variable("AssignVariableOp", "zero", handle, number("none", 0, status), status);
  count = variable("AssignAddVariableOp", "count", handle, number("one", 1, status), status);
  counted = variable("ReadVariableOp", "counted", handle, NULL, status);
  TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &zero, 1, NULL, status);
  ok(status);
}

static void count_one(TF_Status* status) {
  const TF_Operation* target = count;
  TF_SessionRun(session, NULL, NULL, NULL, 0, NULL, NULL, 0, &target, 1, NULL, status);
  ok(status);
}

/* The label of a batch of pictures, each pixel of which is the thread's; all pictures have the same. */
static int64_t label(int thread, TF_Status* status) {
  const int64_t dims[] = {32, 28, 28, 1};
  TF_Tensor *image = TF_AllocateTensor(TF_UINT8, dims, 4, 32 * 28 * 28), *fetched = NULL;
  memset(TF_TensorData(image), 16 * thread, 32 * 28 * 28);
  TF_Output in = {TF_GraphOperationByName(digits, "image"), 0}, out = {TF_GraphOperationByName(digits, "label"), 0};
  TF_SessionRun(reader, NULL, &in, &image, 1, &out, &fetched, 1, NULL, 0, NULL, status);
  ok(status);
  const int64_t* found = TF_TensorData(fetched);
  for (int i = 1; i < 32; i++) CHECK(found[i] == found[0]);
  const int64_t first = found[0];
  TF_DeleteTensor(fetched);
  TF_DeleteTensor(image);
  return first;
}

static void model(const char* path, TF_Status* status) {
  FILE* file = fopen(path, "rb");
  CHECK(file != NULL);
  static char bytes[1 << 20];
  TF_Buffer* buffer = TF_NewBufferFromString(bytes, fread(bytes, 1, sizeof bytes, file));
  fclose(file);
  digits = TF_NewGraph();
  TF_ImportGraphDefOptions* options = TF_NewImportGraphDefOptions();
  TF_GraphImportGraphDef(digits, buffer, options, status);
  ok(status);
  TF_DeleteImportGraphDefOptions(options);
  TF_DeleteBuffer(buffer);
  TF_SessionOptions* session_options = TF_NewSessionOptions();
  reader = TF_NewSession(digits, session_options, status);
  ok(status);
  TF_DeleteSessionOptions(session_options);
  for (int i = 0; i < THREADS; i++) labels[i] = label(i, status);
}

static void* work(void* argument) {
  const int thread = (int)(size_t)argument;
  TF_Status* status = TF_NewStatus();
  for (int round = 0; round < rounds; round++) {
    run(thread, round, status);
    call(thread, round, status);
    count_one(status);
    if (round % 10 == thread % 10) CHECK(label(thread, status) == labels[thread]);
    if (round % 20 == thread) grow(thread, round, status);
    if (racing) unguarded++;
  }
  TF_DeleteStatus(status);
  atomic_fetch_add(&done, 1);
  return NULL;
}

int main(int argc, char** argv) {
  CHECK(argc > 1);
  if (argc > 2) rounds = atoi(argv[2]);
  racing = argc > 3 && strcmp(argv[3], "race") == 0;
  TF_Status* status = TF_NewStatus();
  model(argv[1], status);
  graph = TF_NewGraph();
  x = placeholder(graph, "x", status);
  y = binary(graph, "AddV2", "y", x, x, status);
  TF_SessionOptions* options = TF_NewSessionOptions();
  session = TF_NewSession(graph, options, status);
  ok(status);
  TF_DeleteSessionOptions(options);
  counter(status);
  TFE_ContextOptions* context_options = TFE_NewContextOptions();
  context = TFE_NewContext(context_options, status);
  ok(status);
  TFE_DeleteContextOptions(context_options);
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, (void*)i) == 0);
  for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK(atomic_load(&done) == THREADS);
  TF_Output out = {counted, 0};
  TF_Tensor* total = NULL;
  TF_SessionRun(session, NULL, NULL, NULL, 0, &out, &total, 1, NULL, 0, NULL, status);
  ok(status);
  CHECK(*(float*)TF_TensorData(total) == (float)(THREADS * rounds));
  TF_DeleteTensor(total);
  TF_DeleteSession(reader, status);
  TF_DeleteGraph(digits);
  TF_DeleteSession(session, status);
  TF_DeleteGraph(graph);
  TFE_DeleteContext(context);
  TF_DeleteStatus(status);
  printf("threads: %d threads, %d rounds each, every result right\n", THREADS, rounds);
  return 0;
}

/* One session, one graph and one eager context in the hands of 16 threads; every result is checked.
 * usage: threads [ROUNDS] */
#include <pthread.h>
#include <stdatomic.h>

#include "client.h"

enum { THREADS = 16 };

static TF_Graph* graph;
static TF_Session* session;
static TFE_Context* context;
static TF_Operation *x, *y;
static int rounds = 200;
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

static void* work(void* argument) {
  const int thread = (int)(size_t)argument;
  TF_Status* status = TF_NewStatus();
  for (int round = 0; round < rounds; round++) {
    run(thread, round, status);
    call(thread, round, status);
    if (round % 20 == thread) grow(thread, round, status);
  }
  TF_DeleteStatus(status);
  atomic_fetch_add(&done, 1);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) rounds = atoi(argv[1]);
  TF_Status* status = TF_NewStatus();
  graph = TF_NewGraph();
  x = placeholder(graph, "x", status);
  y = binary(graph, "AddV2", "y", x, x, status);
  TF_SessionOptions* options = TF_NewSessionOptions();
  session = TF_NewSession(graph, options, status);
  ok(status);
  TF_DeleteSessionOptions(options);
  TFE_ContextOptions* context_options = TFE_NewContextOptions();
  context = TFE_NewContext(context_options, status);
  ok(status);
  TFE_DeleteContextOptions(context_options);
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, (void*)i) == 0);
  for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  CHECK(atomic_load(&done) == THREADS);
  TF_DeleteSession(session, status);
  TF_DeleteGraph(graph);
  TFE_DeleteContext(context);
  TF_DeleteStatus(status);
  printf("threads: %d threads, %d rounds each, every result right\n", THREADS, rounds);
  return 0;
}

/* Queued calls, executors, cancellation, and a device of this program's own: run under AddressSanitizer, also where calls
 * fail, are ended early, or are still queued when their executor or context is deleted. */
#include <pthread.h>

#include "client.h"
#include "oplink/c/eager/c_api_experimental.h"

static const char* const NAME = "/job:localhost/replica:0/task:0/device:CUSTOM:0";

static TFE_Context* new_context(int is_async, TF_Status* status) {
  TFE_ContextOptions* options = TFE_NewContextOptions();
  TFE_ContextOptionsSetAsync(options, (unsigned char)is_async);
  TFE_Context* context = TFE_NewContext(options, status);
  ok(status);
  TFE_DeleteContextOptions(options);
  return context;
}

static TFE_TensorHandle* vector(int64_t length, float value, TF_Status* status) {
  float values[8];
  for (int i = 0; i < 8; i++) values[i] = value;
  TF_Tensor* tensor = floats(&length, 1, values);
  TFE_TensorHandle* handle = TFE_NewTensorHandle(tensor, status);
  ok(status);
  TF_DeleteTensor(tensor);
  return handle;
}

/* The sum of two handles, which are deleted; null and an error in the status where it is refused. */
static TFE_TensorHandle* sum(TFE_Context* context, TFE_TensorHandle* a, TFE_TensorHandle* b, const char* device,
                             TF_Status* status) {
  TFE_Op* op = TFE_NewOp(context, "AddV2", status);
  TFE_OpSetDevice(op, device, status);
  TFE_OpAddInput(op, a, status);
  TFE_OpAddInput(op, b, status);
  ok(status);
  TFE_DeleteTensorHandle(a);
  TFE_DeleteTensorHandle(b);
  TFE_TensorHandle* result = NULL;
  int count = 1;
  TFE_Execute(op, &result, &count, status);
  TFE_DeleteOp(op);
  return result;
}

static float first(TFE_TensorHandle* handle, TF_Status* status) {
  TF_Tensor* tensor = TFE_TensorHandleResolve(handle, status);
  const float value = tensor == NULL ? -1 : *(float*)TF_TensorData(tensor);
  if (tensor != NULL) TF_DeleteTensor(tensor);
  TFE_DeleteTensorHandle(handle);
  return value;
}

static void queues(TF_Status* status) {
  TFE_Context* context = new_context(1, status);
  TFE_TensorHandle* chain = vector(2, 0, status);
  for (int i = 0; i < 100; i++) chain = sum(context, chain, vector(2, 1, status), "", status);
  ok(status);
  for (int i = 0; i < 20; i++) TFE_DeleteTensorHandle(sum(context, vector(2, 1, status), vector(2, 1, status), "", status));
  ok(status);
  TFE_TensorHandle* failing = sum(context, vector(2, 1, status), vector(3, 1, status), "", status);
  ok(status);
  for (int i = 0; i < 20; i++) {
    TFE_TensorHandle* behind = sum(context, vector(2, 1, status), vector(2, 1, status), "", status);
    if (behind != NULL) TFE_DeleteTensorHandle(behind);
  }
  CHECK(first(failing, status) == -1 && TF_GetCode(status) == TF_INVALID_ARGUMENT);
  TFE_DeleteContext(context);
  CHECK(first(chain, status) == 100);
}

static void* on_a_thread(void* argument) {
  TFE_Context* context = argument;
  TF_Status* status = TF_NewStatus();
  TFE_Executor* executor = TFE_NewExecutor(true, true, 3);
  TFE_ContextSetExecutorForThread(context, executor);
  TFE_TensorHandle* chain = vector(2, 0, status);
  for (int i = 0; i < 50; i++) chain = sum(context, chain, vector(2, 1, status), "", status);
  TFE_DeleteExecutor(executor);
  CHECK(first(chain, status) == 50);
  TF_DeleteStatus(status);
  return NULL;
}

static void executors(TF_Status* status) {
  TFE_Context* context = new_context(0, status);
  pthread_t threads[8];
  for (int i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, on_a_thread, context) == 0);
  for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
  TFE_DeleteContext(context);
}

static void count(void* at) { ++*(int*)at; }

/* A call that waits for a queue in which nothing is, ended by the end of its manager. */
static void cancellation(TF_Status* status) {
  TFE_Context* context = new_context(1, status);
  const TF_DataType types[] = {TF_FLOAT};
  TFE_Op* op = TFE_NewOp(context, "FIFOQueueV2", status);
  TFE_OpSetAttrTypeList(op, "component_types", types, 1);
  TFE_TensorHandle* queue = NULL;
  int one = 1;
  TFE_Execute(op, &queue, &one, status);
  ok(status);
  int called = 0;
  const TFE_CancelCallback callback = {count, &called};
  TFE_CancellationManager* manager = TFE_NewCancellationManager();
  CHECK(TFE_CancellationManagerRegisterCallback(manager, TFE_CancellationManagerGetToken(manager), &callback, "count"));
  TFE_OpReset(op, "QueueDequeueV2", NULL, status);
  TFE_OpSetAttrTypeList(op, "component_types", types, 1);
  TFE_OpAddInput(op, queue, status);
  TFE_OpSetCancellationManager(op, manager, status);
  TFE_TensorHandle* taken = NULL;
  TFE_Execute(op, &taken, &one, status);
  ok(status);
  TFE_DeleteOp(op);
  TFE_DeleteCancellationManager(manager);
  CHECK(called == 1);
  CHECK(first(taken, status) == -1 && TF_GetCode(status) == TF_CANCELLED);
  TFE_DeleteTensorHandle(queue);
  TFE_DeleteContext(context);
}

static int num_dims(void* data, TF_Status* status) { return TFE_TensorHandleNumDims(data, status); }
static int64_t dim(void* data, int index, TF_Status* status) { return TFE_TensorHandleDim(data, index, status); }
static void deallocate(void* data) { TFE_DeleteTensorHandle(data); }

/* A handle of the device, which takes over the host's. */
static TFE_TensorHandle* wrap(TFE_Context* context, TFE_TensorHandle* inside, TF_Status* status) {
  const TFE_CustomDeviceTensorHandle methods = {TFE_CUSTOM_DEVICE_VERSION, num_dims, dim, deallocate, NULL};
  return TFE_NewCustomDeviceTensorHandle(context, NAME, TFE_TensorHandleDataType(inside), inside, methods, status);
}

static TFE_TensorHandle* copy_to(TFE_Context* context, TFE_TensorHandle* handle, TF_Status* status, void* info) {
  (void)info;
  return wrap(context, TFE_TensorHandleCopySharingTensor(handle, status), status);
}

static TFE_TensorHandle* copy_from(TFE_Context* context, TFE_TensorHandle* handle, const char* target, TF_Status* status,
                                   void* info) {
  (void)context, (void)target, (void)info;
  return TFE_TensorHandleCopySharingTensor(TFE_TensorHandleDevicePointer(handle, status), status);
}

static void execute(const TFE_Op* op, int* num_outputs, TFE_TensorHandle** outputs, TF_Status* status, void* info) {
  (void)info;
  TFE_Context* context = TFE_OpGetContext(op, status);
  TFE_Op* inside = TFE_NewOp(context, TFE_OpGetName(op, status), status);
  TFE_OpAddAttrs(inside, TFE_OpGetAttrs(op));
  for (int i = 0; i < TFE_OpGetFlatInputCount(op, status); i++) {
    TFE_TensorHandle* input = TFE_OpGetFlatInput(op, i, status);
    const int is_here = strcmp(TFE_TensorHandleDeviceName(input, status), NAME) == 0;
    TFE_OpAddInput(inside, is_here ? TFE_TensorHandleDevicePointer(input, status) : input, status);
  }
  TFE_Execute(inside, outputs, num_outputs, status);
  TFE_DeleteOp(inside);
  if (TF_GetCode(status) == TF_OK) outputs[0] = wrap(context, outputs[0], status);
}

static void devices(TF_Status* status) {
  TFE_Context* context = new_context(1, status);
  const TFE_CustomDevice device = {TFE_CUSTOM_DEVICE_VERSION, copy_to, copy_from, execute, count, NULL, NULL};
  int ended = 0;
  TFE_RegisterCustomDevice(context, device, NAME, &ended, status);
  ok(status);
  TFE_RegisterCustomDevice(context, device, NAME, &ended, status);
  CHECK(TF_GetCode(status) == TF_ALREADY_EXISTS && ended == 1);
  TFE_TensorHandle* here = vector(2, 1, status);
  TFE_TensorHandle* there = TFE_TensorHandleCopyToDevice(here, context, NAME, status);
  ok(status);
  TFE_TensorHandle* both = sum(context, there, here, "", status);
  ok(status);
  CHECK(strcmp(TFE_TensorHandleDeviceName(both, status), NAME) == 0);
  TFE_TensorHandle* back = sum(context, both, vector(2, 5, status), "/device:CPU:0", status);
  ok(status);
  CHECK(first(back, status) == 7);
  TFE_TensorHandle* failing = sum(context, vector(2, 1, status), vector(3, 1, status), NAME, status);
  ok(status);
  CHECK(first(failing, status) == -1 && TF_GetCode(status) == TF_INVALID_ARGUMENT);
  TFE_TensorHandle* left = TFE_TensorHandleCopyToDevice(here = vector(2, 1, status), context, NAME, status);
  TFE_DeleteTensorHandle(here);
  TFE_DeleteContext(context);
  CHECK(ended == 2);
  TFE_DeleteTensorHandle(left);
}

int main(void) {
  TF_Status* status = TF_NewStatus();
  for (int i = 0; i < 3; i++) {
    queues(status);
    executors(status);
    cancellation(status);
    devices(status);
  }
  TF_DeleteStatus(status);
  puts("queued: every call ended and every object with it");
  return 0;
}

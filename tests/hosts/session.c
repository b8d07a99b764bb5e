// A session of ONNX Runtime in C, with a plugin's ops: `session LIBONNXRUNTIME PLUGIN MODEL`. The model has the input x, of
// float and any shape, and the output y. Two threads run it on a matrix of 2 rows and 3 columns; then it is run on a vector,
// which its first op refuses. The wheel has no header: what is used of the C API is declared here.
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { const void* functions[101]; } Api;
typedef struct { const Api* (*get_api)(uint32_t); } Base;
typedef void* Status;

static const Api* api;
static void *session, *memory;

#define CALL(at, signature) ((Status (*) signature)api->functions[at])

static const char* message(Status status) { return ((const char* (*)(Status))api->functions[2])(status); }

static void release(int at, void* object) { ((void (*)(void*))api->functions[at])(object); }

static void demand(Status status, const char* what) {
  if (status == NULL) return;
  printf("%s: %s\n", what, message(status));
  exit(1);
}

// Runs the model; prints y, or what was refused.
static void run(const int64_t* shape, size_t rank) {
  float numbers[] = {1, 2, 3, 4, 5, 6};
  const char *input = "x", *output = "y";
  void *x = NULL, *y = NULL, *info = NULL;
  demand(CALL(49, (const void*, void*, size_t, const int64_t*, size_t, int, void**))(memory, numbers, sizeof numbers, shape,
                                                                                    rank, 1, &x), "the input");
  Status status = CALL(9, (void*, const void*, const char* const*, const void* const*, size_t, const char* const*, size_t,
                           void**))(session, NULL, &input, (const void* const*)&x, 1, &output, 1, &y);
  if (status != NULL) {
    printf("refused: %s\n", message(status));
    release(93, status);
  } else {
    size_t count = 0;
    float* values = NULL;
    demand(CALL(65, (const void*, void**))(y, &info), "the output's shape");
    demand(CALL(64, (const void*, size_t*))(info, &count), "the number of elements");
    demand(CALL(51, (void*, void**))(y, (void**)&values), "the output's elements");
    flockfile(stdout);
    printf("y:");
    for (size_t at = 0; at < count; at++) printf(" %g", values[at]);
    printf("\n");
    funlockfile(stdout);
    release(99, info);
    release(96, y);
  }
  release(96, x);
}

static void* matrix(void* unused) {
  const int64_t shape[] = {2, 3};
  for (int round = 0; round < 50; round++) run(shape, 2);
  return unused;
}

int main(int count, char** arguments) {
  if (count != 4) return 2;
  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("%s\n", dlerror());
    return 1;
  }
  const Base* (*base)(void) = (const Base* (*)(void))dlsym(library, "OrtGetApiBase");
  api = base()->get_api(17);
  void *env = NULL, *options = NULL, *handle = NULL;
  demand(CALL(3, (int, const char*, void**))(4, "session", &env), "the environment");
  demand(CALL(10, (void**))(&options), "options");
  demand(CALL(29, (void*, const char*, void**))(options, arguments[2], &handle), "the plugin");
  demand(CALL(7, (const void*, const char*, const void*, void**))(env, arguments[3], options, &session), "the session");
  demand(CALL(69, (int, int, void**))(0, 0, &memory), "memory");
  pthread_t threads[2];
  for (int at = 0; at < 2; at++) pthread_create(&threads[at], NULL, matrix, NULL);
  for (int at = 0; at < 2; at++) pthread_join(threads[at], NULL);
  const int64_t vector[] = {6};
  run(vector, 1);
  release(94, memory);
  release(95, session);
  release(100, options);
  release(92, env);
  return 0;
}

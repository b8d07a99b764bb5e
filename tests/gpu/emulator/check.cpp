// What the emulator promises: kernels compute as the language says, and what a GPU may refuse is refused. `check` runs all;
// `check NAME` one, in a process that a failure may end.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "emulator.hpp"
#include "include/cuda_bf16.h"
#include "include/cuda_fp16.h"

using emulator::Address;
using emulator::Result;
using Handle = void*;

extern "C" {
Result cuInit(unsigned);
Result cuDeviceGet(int*, int);
Result cuDevicePrimaryCtxRetain(Handle*, int);
Result cuDevicePrimaryCtxRelease_v2(int);
Result cuCtxSetCurrent(Handle);
Result cuCtxSynchronize();
Result cuMemAlloc_v2(Address*, std::size_t);
Result cuMemFree_v2(Address);
Result cuMemHostAlloc(void**, std::size_t, unsigned);
Result cuMemFreeHost(void*);
Result cuMemcpyHtoDAsync_v2(Address, const void*, std::size_t, Handle);
Result cuMemcpyDtoHAsync_v2(void*, Address, std::size_t, Handle);
Result cuMemAllocAsync(Address*, std::size_t, Handle);
Result cuMemFreeAsync(Address, Handle);
Result cuMemcpyDtoDAsync_v2(Address, Address, std::size_t, Handle);
Result cuStreamGetCtx(Handle, Handle*);
Result cuStreamCreate(Handle*, unsigned);
Result cuStreamSynchronize(Handle);
Result cuStreamWaitEvent(Handle, Handle, unsigned);
Result cuStreamBeginCapture_v2(Handle, int);
Result cuStreamEndCapture(Handle, Handle*);
Result cuGraphInstantiateWithFlags(Handle*, Handle, unsigned long long);
Result cuGraphLaunch(Handle, Handle);
Result cuGraphExecDestroy(Handle);
Result cuGraphDestroy(Handle);
Result cuMemsetD8Async(Address, unsigned char, std::size_t, Handle);
Result cuLaunchHostFunc(Handle, void (*)(void*), void*);
Result cuEventCreate(Handle*, unsigned);
Result cuEventDestroy_v2(Handle);
Result cuEventRecord(Handle, Handle);
Result cuEventQuery(Handle);
Result cuEventElapsedTime_v2(float*, Handle, Handle);
Result cuModuleLoadData(Handle*, const void*);
Result cuModuleGetFunction(Handle*, Handle, const char*);
Result cuLaunchKernel(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**, void**);
int nvrtcCreateProgram(Handle*, const char*, const char*, int, const char* const*, const char* const*);
int nvrtcCompileProgram(Handle, int, const char* const*);
int nvrtcGetCUBINSize(Handle, std::size_t*);
int nvrtcGetCUBIN(Handle, char*);
int nvrtcGetProgramLogSize(Handle, std::size_t*);
int nvrtcGetProgramLog(Handle, char*);
}

namespace {

#define EXPECT(condition)                                                        \
  do {                                                                           \
    if (!(condition)) {                                                          \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (false)

// The GPU with its context current, and a stream.
struct Gpu {
  Handle context = nullptr, stream = nullptr;

  Gpu() {
    int device;
    EXPECT(cuInit(0) == 0 && cuDeviceGet(&device, 0) == 0 && cuDevicePrimaryCtxRetain(&context, device) == 0);
    EXPECT(cuCtxSetCurrent(context) == 0 && cuStreamCreate(&stream, 1) == 0);
  }
  Address Allocate(std::size_t bytes) {
    Address address = 0;
    EXPECT(cuMemAlloc_v2(&address, bytes) == 0 && address % 256 == 0);
    return address;
  }
  template <class T>
  Address Upload(const std::vector<T>& values) {
    const Address address = Allocate(values.size() * sizeof(T));
    EXPECT(cuMemcpyHtoDAsync_v2(address, values.data(), values.size() * sizeof(T), stream) == 0);
    return address;
  }
  template <class T>
  std::vector<T> Download(Address address, std::size_t count) {
    std::vector<T> values(count);
    EXPECT(cuMemcpyDtoHAsync_v2(values.data(), address, count * sizeof(T), stream) == 0);
    return values;
  }
  Handle Compile(const std::string& text, const std::string& architecture = "sm_90") {
    Handle program, module, function;
    const std::string option = "--gpu-architecture=" + architecture;
    const char* const options[] = {option.c_str()};
    EXPECT(nvrtcCreateProgram(&program, text.c_str(), "text", 0, nullptr, nullptr) == 0);
    EXPECT(nvrtcCompileProgram(program, 1, options) == 0);
    std::size_t size;
    EXPECT(nvrtcGetCUBINSize(program, &size) == 0);
    std::vector<char> code(size);
    EXPECT(nvrtcGetCUBIN(program, code.data()) == 0);
    if (cuModuleLoadData(&module, code.data()) != 0) return nullptr;
    EXPECT(cuModuleGetFunction(&function, module, "kernel") == 0);
    return function;
  }
  Result Launch(Handle function, unsigned grid, unsigned block, std::vector<void*> values) {
    return cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream, values.data(), nullptr);
  }
  // What the work gives that runs `text` in one block.
  Result Run(const std::string& text, unsigned block, Address address) {
    const Handle function = Compile("extern \"C\" __global__ void kernel(float* x) {\n" + text + "\n}\n");
    EXPECT(Launch(function, 1, block, {&address}) == 0);
    return cuStreamSynchronize(stream);
  }
};

void Sums() {
  Gpu gpu;
  const Handle function = gpu.Compile(
      "extern \"C\" __global__ void __launch_bounds__(256) kernel(const float* x, float* sums, unsigned count) {\n"
      "  __shared__ float parts[8];\n"
      "  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  float sum = at < count ? x[at] : 0.0f;\n"
      "  for (int k = 16; k > 0; k >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, k);\n"
      "  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0) {\n"
      "    sum = 0.0f;\n"
      "    for (int k = 0; k < 8; k++) sum += parts[k];\n"
      "    sums[blockIdx.x] = sum;\n"
      "  }\n"
      "}\n");
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); i++) values[i] = static_cast<float>(i);
  Address x = gpu.Upload(values), sums = gpu.Allocate(16);
  unsigned count = 1000;
  EXPECT(gpu.Launch(function, 4, 256, {&x, &sums, &count}) == 0);
  const std::vector<float> expected = {255 * 128, 256 * 256 + 255 * 128, 512 * 256 + 255 * 128, 768 * 232 + 231 * 116};
  EXPECT(gpu.Download<float>(sums, 4) == expected);
  EXPECT(gpu.Launch(function, 4, 257, {&x, &sums, &count}) == emulator::kLaunchOutOfResources);
}

void Halves() {
  const std::pair<double, unsigned> halves[] = {
      {1.0, 0x3c00}, {-2.0, 0xc000}, {65504.0, 0x7bff}, {65519.996, 0x7bff}, {65520.0, 0x7c00}, {1.00048828125, 0x3c00},
      {1.00146484375, 0x3c02}, {5.9604644775390625e-8, 1}, {2.98023223876953125e-8, 0}, {2.9802322387695316e-8, 1},
      {6.103515625e-5, 0x0400}, {6.097555160522461e-5, 0x03ff}, {-0.0, 0x8000}, {1e300, 0x7c00}, {INFINITY, 0x7c00},
      {NAN, 0x7fff}, {2049.0, 0x6800}, {2051.0, 0x6802}, {1.0004882812500002, 0x3c01}};
  for (const auto& [value, bits] : halves) EXPECT(__double2half(value).bits == bits);
  for (unsigned bits = 0; bits < 0x10000; bits++) {
    const __half half = {static_cast<unsigned short>(bits)};
    const __nv_bfloat16 brain = {static_cast<unsigned short>(bits)};
    const float single = __bfloat162float(brain);
    const unsigned high = bits << 16;
    float same;
    std::memcpy(&same, &high, 4);
    EXPECT(std::isnan(same) ? std::isnan(single) : std::memcmp(&single, &same, 4) == 0);
    if (std::isnan(__half2float(half)) || std::isnan(single)) continue;
    EXPECT(__float2half(__half2float(half)).bits == bits && __float2bfloat16(single).bits == bits);
  }
  EXPECT((__float2half(1.0f) + __float2half(0.00048828125f)).bits == 0x3c00);
}

void Waits() {
  Gpu gpu;
  Handle other, event, timed[2];
  EXPECT(cuStreamCreate(&other, 1) == 0 && cuEventCreate(&event, 2) == 0);
  void* pages;
  EXPECT(cuMemHostAlloc(&pages, 4096, 0) == 0);
  const Address x = gpu.Allocate(4096);
  for (int i = 0; i < 50; i++) {
    std::memset(pages, i, 4096);
    EXPECT(cuMemcpyHtoDAsync_v2(x, pages, 4096, gpu.stream) == 0 && cuEventRecord(event, gpu.stream) == 0);
    EXPECT(cuStreamWaitEvent(other, event, 0) == 0);
    char back[4096];
    EXPECT(cuMemcpyDtoHAsync_v2(back, x, 4096, other) == 0 && back[0] == i && back[4095] == i);
  }
  EXPECT(cuEventQuery(event) == 0 && cuEventCreate(&timed[0], 0) == 0 && cuEventCreate(&timed[1], 0) == 0);
  EXPECT(cuEventRecord(timed[0], gpu.stream) == 0 && cuEventRecord(timed[1], gpu.stream) == 0);
  EXPECT(cuStreamSynchronize(gpu.stream) == 0);
  float time = -1;
  EXPECT(cuEventElapsedTime_v2(&time, timed[0], timed[1]) == 0 && time >= 0);
  EXPECT(cuEventElapsedTime_v2(&time, timed[0], event) == emulator::kInvalidHandle);
}

// What a stream records is done when the graph is launched, also what a stream does that waited for it.
void Graphs() {
  Gpu gpu;
  Handle other, events[3], graph, executable;
  EXPECT(cuStreamCreate(&other, 1) == 0);
  for (Handle& event : events) EXPECT(cuEventCreate(&event, 2) == 0);
  const Address x = gpu.Allocate(16);
  char host[16];
  const auto first = [&] {
    EXPECT(cuMemcpyDtoHAsync_v2(host, x, 16, gpu.stream) == 0);
    return host[0];
  };
  EXPECT(cuMemsetD8Async(x, 1, 16, gpu.stream) == 0 && cuStreamBeginCapture_v2(gpu.stream, 2) == 0);
  EXPECT(cuMemsetD8Async(x, 2, 16, gpu.stream) == 0 && cuEventRecord(events[0], gpu.stream) == 0);
  EXPECT(cuStreamWaitEvent(other, events[0], 0) == 0 && cuMemsetD8Async(x, 3, 16, other) == 0);
  EXPECT(cuEventRecord(events[1], other) == 0 && cuStreamWaitEvent(gpu.stream, events[1], 0) == 0);
  EXPECT(cuStreamEndCapture(gpu.stream, &graph) == 0 && first() == 1);
  EXPECT(cuGraphInstantiateWithFlags(&executable, graph, 0) == 0 && first() == 1);
  EXPECT(cuGraphLaunch(executable, gpu.stream) == 0 && first() == 3);
  EXPECT(cuMemsetD8Async(x, 1, 16, gpu.stream) == 0 && cuGraphLaunch(executable, gpu.stream) == 0 && first() == 3);
  EXPECT(cuGraphExecDestroy(executable) == 0 && cuGraphDestroy(graph) == 0);
  EXPECT(cuGraphLaunch(executable, gpu.stream) == emulator::kInvalidHandle);
  // Waiting spoils a record, and so does an event of other work.
  EXPECT(cuEventRecord(events[2], gpu.stream) == 0);
  for (const int way : {0, 1, 2}) {
    EXPECT(cuStreamBeginCapture_v2(gpu.stream, 2) == 0);
    if (way == 0) EXPECT(cuStreamSynchronize(gpu.stream) == emulator::kCaptureUnsupported);
    if (way == 1) EXPECT(cuStreamWaitEvent(gpu.stream, events[2], 0) == emulator::kCaptureIsolation);
    if (way == 2) {
      EXPECT(cuEventRecord(events[0], gpu.stream) == 0 && cuEventQuery(events[0]) == emulator::kCapturedEvent);
    }
    EXPECT(cuStreamEndCapture(gpu.stream, &graph) == emulator::kCaptureInvalidated);
    EXPECT(cuStreamSynchronize(gpu.stream) == 0);
  }
}

// Pages are read when the copy runs: who writes them before sees it.
void PagesAreReadLate() {
  setenv("OPLINK_EMULATOR_DELAY", "20000", 1);
  Gpu gpu;
  void* pages;
  EXPECT(cuMemHostAlloc(&pages, 64, 0) == 0);
  const Address x = gpu.Allocate(64);
  int changed = 0;
  for (int i = 0; i < 10; i++) {
    std::memset(pages, 1, 64);
    EXPECT(cuMemcpyHtoDAsync_v2(x, pages, 64, gpu.stream) == 0);
    std::memset(pages, 2, 64);
    changed += gpu.Download<char>(x, 1)[0] == 2 ? 1 : 0;
  }
  EXPECT(changed > 5);
}

void TouchOnTheHost() {
  Gpu gpu;
  const Address x = gpu.Allocate(64);
  std::exit(*reinterpret_cast<volatile char*>(x));
}

void TouchFreedPages() {
  Gpu gpu;
  void* pages;
  EXPECT(cuMemHostAlloc(&pages, 64, 0) == 0 && cuMemFreeHost(pages) == 0);
  std::exit(*static_cast<volatile char*>(pages));
}

void Refusals() {
  EXPECT(cuCtxSynchronize() == emulator::kNotInitialized && cuInit(0) == 0);
  EXPECT(cuCtxSynchronize() == emulator::kInvalidContext);
  Gpu gpu;
  const Address x = gpu.Allocate(64);
  char host[64] = {};
  EXPECT(cuMemcpyHtoDAsync_v2(x, host, 65, gpu.stream) == emulator::kInvalidValue);
  EXPECT(cuMemcpyHtoDAsync_v2(x, reinterpret_cast<void*>(x), 8, gpu.stream) == emulator::kInvalidValue);
  EXPECT(cuMemcpyHtoDAsync_v2(x, host, 64, host) == emulator::kInvalidHandle);
  EXPECT(cuMemFree_v2(x + 8) == emulator::kInvalidValue);
  EXPECT(cuMemFree_v2(x) == 0 && cuMemFree_v2(x) == emulator::kInvalidValue);
  Address large;
  EXPECT(cuMemAlloc_v2(&large, std::size_t{1} << 40) == emulator::kOutOfMemory);
  EXPECT(cuMemAlloc_v2(&large, 0) == emulator::kInvalidValue);
  Handle event;
  EXPECT(cuEventCreate(&event, 2) == 0 && cuEventDestroy_v2(event) == 0);
  EXPECT(cuEventQuery(event) == emulator::kInvalidHandle);
  static Result in_callback;
  const auto callback = [](void*) { in_callback = cuCtxSynchronize(); };
  EXPECT(cuLaunchHostFunc(gpu.stream, callback, nullptr) == 0 && cuStreamSynchronize(gpu.stream) == 0);
  EXPECT(in_callback == emulator::kNotPermitted);
  const Handle function = gpu.Compile("extern \"C\" __global__ void kernel() {}");
  EXPECT(cuLaunchKernel(function, 1, 65536, 1, 1, 1, 1, 0, gpu.stream, nullptr, nullptr) == emulator::kInvalidValue);
  EXPECT(gpu.Launch(function, 1, 1025, {}) == emulator::kInvalidValue);
  EXPECT(gpu.Launch(function, 0, 32, {}) == emulator::kInvalidValue);
  EXPECT(gpu.Compile("extern \"C\" __global__ void kernel() {}", "sm_80") == nullptr);
  EXPECT(cuDevicePrimaryCtxRelease_v2(0) == 0 && cuCtxSynchronize() == emulator::kContextIsDestroyed);
}

void Complaints() {
  Handle program;
  const char* const option[] = {"--gpu-architecture=sm_10"};
  const char* const text = "extern \"C\" __global__ void kernel(float* y) {\n  y[0] = absent;\n}\n";
  EXPECT(nvrtcCreateProgram(&program, text, "given", 0, nullptr, nullptr) == 0);
  EXPECT(nvrtcCompileProgram(program, 1, option) == 5 && nvrtcCompileProgram(program, 0, nullptr) == 6);
  std::size_t size;
  EXPECT(nvrtcGetProgramLogSize(program, &size) == 0);
  std::string log(size, ' ');
  EXPECT(nvrtcGetProgramLog(program, log.data()) == 0);
  EXPECT(log.find("given:2") != std::string::npos && log.find("absent") != std::string::npos);
}

// Kernels that are wrong: their text, threads, and what comes of it; the context is lost then.
struct Wrong {
  const char* text;
  unsigned block;
  Result result;
};
const std::map<std::string, Wrong> kWrong = {
    {"behind-the-end", {"x[8192] = 1.0f;", 1, emulator::kIllegalAddress}},
    {"null", {"*(float*)0 = 1.0f;", 1, emulator::kIllegalAddress}},
    {"not-aligned", {"struct alignas(16) Four { float f[4]; }; ((Four*)(x + 1))->f[0] = 1.0f;", 1, emulator::kMisalignedAddress}},
    {"own-array", {"float own[4]; own[threadIdx.x] = 1.0f; x[0] = own[1];", 5, emulator::kLaunchFailed}},
    {"shared-array", {"__shared__ float all[4]; all[threadIdx.x] = 1.0f;", 5, emulator::kLaunchFailed}},
    {"barrier-of-some", {"if (threadIdx.x < 8) __syncthreads();", 16, emulator::kLaunchFailed}},
    {"two-barriers", {"if (threadIdx.x < 8) {\n __syncthreads();\n } else {\n __syncthreads(); }", 16, emulator::kLaunchFailed}},
    {"lanes-that-ended", {"if (threadIdx.x < 8) x[0] = __shfl_xor_sync(0xffffffffu, 1.0f, 1);", 32, emulator::kLaunchFailed}},
    {"lanes-of-a-part", {"x[0] = __shfl_xor_sync(0xffffffffu, 1.0f, 1);", 16, emulator::kLaunchFailed}},
    {"endless-stack", {"struct Deep { static float Sum(volatile float* y, int n) { volatile float z[256]; z[n & 255] = y[0];"
                       " return n < 0 ? 0.0f : z[0] + Sum(z, n + 1); } }; x[0] = Deep::Sum(x, 0); __syncthreads();",
                       1, emulator::kIllegalAddress}},
};

void RunWrong(const Wrong& wrong) {
  Gpu gpu;
  const Address x = gpu.Allocate(4096);
  EXPECT(gpu.Run(wrong.text, wrong.block, x) == wrong.result);
  Address more;
  EXPECT(cuMemAlloc_v2(&more, 64) == wrong.result && cuStreamSynchronize(gpu.stream) == wrong.result);
}

// A read that does not wait for the write of another thread finds what the block shares unwritten in one order or the other.
void OrderOfThreads() {
  Gpu gpu;
  const Handle function = gpu.Compile(
      "extern \"C\" __global__ void kernel(float* x) {\n"
      "  __shared__ float all[32];\n"
      "  all[threadIdx.x] = 1.0f;\n"
      "  x[blockIdx.x * 32 + threadIdx.x] = all[31 - threadIdx.x];\n"
      "  __syncthreads();\n"
      "}\n");
  Address x = gpu.Allocate(2 * 32 * 4);
  EXPECT(gpu.Launch(function, 2, 32, {&x}) == 0);
  int missing = 0;
  for (const float value : gpu.Download<float>(x, 64)) missing += std::isnan(value) ? 1 : 0;
  EXPECT(missing == 32);
}

void FreedUnderWork() {
  setenv("OPLINK_EMULATOR_DELAY", "50000", 1);
  Gpu gpu;
  Address x = gpu.Allocate(64);
  const Handle function = gpu.Compile("extern \"C\" __global__ void kernel(float* x) { x[0] = 1.0f; }");
  Result result = emulator::kSuccess;
  for (int i = 0; i < 10 && result == emulator::kSuccess; i++) {
    EXPECT(gpu.Launch(function, 1, 1, {&x}) == 0 && cuMemFree_v2(x) == 0);
    result = cuStreamSynchronize(gpu.stream);
    if (result == emulator::kSuccess) x = gpu.Allocate(64);
  }
  EXPECT(result == emulator::kIllegalAddress);
}

// Memory in a stream's order: it goes after the work that the stream was given, and no sooner.
void PooledMemory() {
  setenv("OPLINK_EMULATOR_DELAY", "20000", 1);
  Gpu gpu;
  const Handle function = gpu.Compile("extern \"C\" __global__ void kernel(float* x) { x[0] = 2.0f; }");
  Address x = 0, kept = gpu.Allocate(4);
  EXPECT(cuMemAllocAsync(&x, 4, gpu.stream) == 0 && cuMemAllocAsync(&x, 0, gpu.stream) != 0);
  EXPECT(gpu.Launch(function, 1, 1, {&x}) == 0 && cuMemcpyDtoDAsync_v2(kept, x, 4, gpu.stream) == 0);
  EXPECT(cuMemFreeAsync(x, gpu.stream) == 0 && gpu.Download<float>(kept, 1)[0] == 2.0f);
  EXPECT(cuMemFreeAsync(x, gpu.stream) != 0);
}

// The default stream is one of the current context; other streams tell theirs.
void DefaultStream() {
  Gpu gpu;
  Handle context = nullptr, own = gpu.stream;
  EXPECT(cuStreamGetCtx(own, &context) == 0 && context == gpu.context);
  gpu.stream = nullptr;
  Address x = gpu.Upload(std::vector<float>{1, 2});
  EXPECT(gpu.Download<float>(x, 2)[1] == 2.0f && cuStreamSynchronize(nullptr) == 0);
  EXPECT(cuCtxSetCurrent(nullptr) == 0 && cuStreamGetCtx(own, &context) == 0 && context == gpu.context);
  EXPECT(cuStreamGetCtx(nullptr, &context) != 0);
}

struct Check {
  std::function<void()> run;
  int signal = 0;  // that ends the process
};

std::map<std::string, Check> Checks() {
  std::map<std::string, Check> checks = {
      {"sums", {Sums}},
      {"halves", {Halves}},
      {"waits", {Waits}},
      {"graphs", {Graphs}},
      {"pages-are-read-late", {PagesAreReadLate}},
      {"touch-on-the-host", {TouchOnTheHost, SIGSEGV}},
      {"touch-freed-pages", {TouchFreedPages, SIGSEGV}},
      {"refusals", {Refusals}},
      {"complaints", {Complaints}},
      {"order-of-threads", {OrderOfThreads}},
      {"freed-under-work", {FreedUnderWork}},
      {"pooled-memory", {PooledMemory}},
      {"default-stream", {DefaultStream}},
  };
  for (const auto& [name, wrong] : kWrong) checks["kernel-" + name] = {[&wrong = wrong] { RunWrong(wrong); }};
  return checks;
}

bool Passes(const char* self, const std::string& name, const Check& check) {
  const pid_t process = fork();
  if (process == 0) {
    execl(self, self, name.c_str(), nullptr);
    std::_Exit(127);
  }
  int status = 0;
  waitpid(process, &status, 0);
  const bool passes = check.signal == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 0
                                        : WIFSIGNALED(status) && WTERMSIG(status) == check.signal;
  if (!passes) std::fprintf(stderr, "%s: status %#x\n", name.c_str(), static_cast<unsigned>(status));
  return passes;
}

}  // namespace

int main(int count, char** arguments) {
  const std::map<std::string, Check> checks = Checks();
  if (count > 1) {
    checks.at(arguments[1]).run();
    return 0;
  }
  bool all = true;
  for (const auto& [name, check] : checks) all = Passes("/proc/self/exe", name, check) && all;
  std::printf("%zu checks of the emulator %s\n", checks.size(), all ? "pass" : "were made, not all pass");
  return all ? 0 : 1;
}

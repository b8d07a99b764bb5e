// What the emulated libraries of CUDA share. libcuda.so.1 (driver.cpp, graphs.cpp, memory.cpp, streams.cpp, launch.cpp) has it; the
// others (cublaslt.cpp and so on, one file a library) are linked against it: `g++ -shared … -L. -l:libcuda.so.1`, see `build`.
//
// Memory of the emulated GPU has two addresses. The one that hosts get cannot be read or written: a host that does ends at
// once, as on a GPU. Kernels and copies reach the bytes at another, which `Reach` gives. Reach memory when work runs, not
// when it is enqueued: memory that was freed meanwhile is then a failure, as it should be.
#ifndef OPLINK_TESTS_EMULATOR_EMULATOR_HPP_
#define OPLINK_TESTS_EMULATOR_EMULATOR_HPP_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#define EMULATED_API __attribute__((visibility("default")))

namespace emulator {

using Address = std::uint64_t;  // CUdeviceptr

// CUresult, as far as it is given.
enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kContextIsDestroyed = 709,
  kMisalignedAddress = 716,
  kLaunchFailed = 719,
  kNotPermitted = 800,
  kCaptureUnsupported = 900,
  kCaptureInvalidated = 901,
  kCaptureUnjoined = 904,
  kCaptureIsolation = 905,
  kCapturedEvent = 907,
};

// Where kernels find `bytes` bytes of the GPU's memory; null where they are not all of one allocation that lives.
EMULATED_API std::byte* Reach(Address address, std::size_t bytes);

// Adds work to a stream (a CUstream) of the context that is current on this thread. It runs later, on another thread; what
// it needs of the host's it has to keep. What is not kSuccess was told by `Complain`, or is an earlier failure.
EMULATED_API Result Enqueue(void* stream, const std::string& what, std::function<void()> work);

// For work that runs: it went wrong. From now on every call in its context gives `result`.
EMULATED_API void Fail(Result result, const std::string& what);

// Tells a mistake of the host on standard error, and in the file that OPLINK_EMULATOR_LOG names.
EMULATED_API void Complain(const std::string& what);

// `Complain`, and the result that the call gives.
template <class T>
T Refuse(T result, const std::string& what) {
  Complain(what);
  return result;
}

}  // namespace emulator

#endif

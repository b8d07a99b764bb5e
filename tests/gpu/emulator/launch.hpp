// Compiled programs, and how a grid of blocks runs.
#ifndef OPLINK_TESTS_EMULATOR_LAUNCH_HPP_
#define OPLINK_TESTS_EMULATOR_LAUNCH_HPP_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "emulator.hpp"
#include "program.hpp"

namespace emulator {

// The emulated GPU's compute capability.
constexpr int kMajor = 9;
constexpr int kMinor = 0;

// A library of entries.
class Module {
 public:
  // Opens the code that NVRTC gave; null and a result where it is none, or for another GPU.
  static std::shared_ptr<Module> Load(const void* code, Result* result);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const Program& program() const { return *program_; }
  // For one grid at a time.
  std::mutex& mutex() { return mutex_; }

 private:
  Module(void* library, const Program* program) : library_(library), program_(program) {}

  void* const library_;
  const Program* const program_;
  std::mutex mutex_;
};

// The values of a launch's parameters, one after the other, each where an unsigned long long may begin.
class Arguments {
 public:
  Arguments(const Entry& entry, void* const* values);
  // Where the values are; pointers as kernels take them now.
  std::vector<void*> Reached();

 private:
  const Entry& entry_;
  std::vector<std::vector<std::uint64_t>> values_;
};

// Runs all blocks on this thread, which is a stream's. What goes wrong is told by `Fail`.
void RunGrid(Module& module, const Entry& entry, dim3 grid, dim3 block, Arguments arguments);

}  // namespace emulator

#endif

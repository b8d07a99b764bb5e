// Programs are libraries in the form of CUDA's code: an ELF file whose machine is that of NVIDIA's GPUs and whose flags are
// an architecture. What goes wrong in a kernel comes as a signal, or from the checks that were compiled into it.
#include "launch.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "fibers.hpp"
#include "memory.hpp"

namespace emulator {
namespace {

constexpr unsigned kEmCuda = 190;

// The kernel of this thread, where it ends early.
struct Running {
  sigjmp_buf end;
  Result result;
  std::string what;
};
thread_local Running* running = nullptr;

struct sigaction previous[NSIG];

const char* NameOf(int signal) {
  switch (signal) {
    case SIGFPE: return "an integer was divided by zero";
    case SIGILL: return "an instruction that there is not";
    default: return "memory that is not the kernel's";
  }
}

void HandleSignal(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (running != nullptr) {
    char what[160];
    std::snprintf(what, sizeof what, "%s%s (address %#llx)", NameOf(signal),
                  IsOfHosts(address) ? ", an address of the host's for the GPU's memory" : "",
                  static_cast<unsigned long long>(address));
    EndKernel(signal == SIGSEGV || signal == SIGBUS ? kIllegalAddress : kLaunchFailed, what);
  }
  if (IsOfHosts(address) || IsOfKernels(address)) {
    constexpr char kText[] = "emulated CUDA: the host touches the GPU's memory\n";
    (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
  }
  // The instruction is done again, and ends in what was there before.
  sigaction(signal, &previous[signal], nullptr);
}

void CatchSignals() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) {
      struct sigaction action = {};
      action.sa_sigaction = HandleSignal;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK;
      sigaction(signal, &action, &previous[signal]);
    }
  });
  // A stack for signals: that of a kernel's thread may be the one that is full.
  thread_local bool has_stack = false;
  if (!has_stack) {
    stack_t stack = {};
    stack.ss_size = 64 << 10;
    stack.ss_sp = std::malloc(stack.ss_size);
    sigaltstack(&stack, nullptr);
    has_stack = true;
  }
}

// The length of an ELF file whose sections stand at its end, as linkers write them.
std::size_t LengthOf(const Elf64_Ehdr& header) {
  return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

void* OpenLibrary(const std::string& code) {
  char path[] = "/tmp/oplink-emulated-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return nullptr;
  const bool is_written = write(file, code.data(), code.size()) == static_cast<ssize_t>(code.size());
  close(file);
  void* const library = is_written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) Complain(std::string("a program was not opened: ") + (is_written ? dlerror() : path));
  unlink(path);
  return library;
}

void RunBlocks(const Program& program, const Entry& entry, dim3 grid, dim3 block, void* const* parameters) {
  static std::atomic<unsigned> launches{0};
  const bool is_forwards = launches++ % 2 == 0;
  const std::uint64_t count = std::uint64_t{grid.x} * grid.y * grid.z;
  *program.block_size = block;
  *program.grid_size = grid;
  *program.machine = &kMachine;
  for (std::uint64_t i = 0; i < count; i++) {
    const std::uint64_t at = is_forwards ? i : count - 1 - i;
    *program.block = {static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x % grid.y),
                      static_cast<unsigned>(at / grid.x / grid.y)};
    std::memset(program.shared, 0xff, static_cast<std::size_t>(program.shared_end - program.shared));
    if (entry.is_cooperative) {
      RunTogether(program, entry, block, parameters);
    } else {
      entry.run_block(parameters);
    }
  }
}

}  // namespace

void EndKernel(Result result, const std::string& what) {
  running->result = result;
  running->what = what;
  siglongjmp(running->end, 1);
}

std::shared_ptr<Module> Module::Load(const void* code, Result* result) {
  Elf64_Ehdr header;
  std::memcpy(&header, code, sizeof header);
  *result = kInvalidImage;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != kEmCuda) {
    Complain("cuModuleLoadData: not the code of a GPU");
    return nullptr;
  }
  if (header.e_flags / 10 != kMajor || header.e_flags % 10 > kMinor) {
    *result = Refuse(kNoBinaryForGpu, "cuModuleLoadData: code for sm_" + std::to_string(header.e_flags));
    return nullptr;
  }
  std::string library(static_cast<const char*>(code), LengthOf(header));
  header.e_machine = EM_X86_64;
  header.e_flags = 0;
  std::memcpy(library.data(), &header, sizeof header);
  void* const opened = OpenLibrary(library);
  if (opened == nullptr) return nullptr;
  *result = kSuccess;
  return std::shared_ptr<Module>(new Module(opened, static_cast<const Program*>(dlsym(opened, "emulated_program"))));
}

Module::~Module() { dlclose(library_); }

Arguments::Arguments(const Entry& entry, void* const* values) : entry_(entry) {
  for (unsigned i = 0; i < entry.num_parameters; i++) {
    const unsigned bytes = entry.parameters[i].bytes;
    values_.emplace_back((bytes + 7) / 8);
    std::memcpy(values_.back().data(), values[i], bytes);
  }
}

std::vector<void*> Arguments::Reached() {
  std::vector<void*> places;
  for (unsigned i = 0; i < entry_.num_parameters; i++) {
    if (entry_.parameters[i].is_pointer) values_[i][0] = ReachPointer(values_[i][0]);
    places.push_back(values_[i].data());
  }
  return places;
}

void RunGrid(Module& module, const Entry& entry, dim3 grid, dim3 block, Arguments arguments) {
  CatchSignals();
  const std::lock_guard<std::mutex> lock(module.mutex());
  const std::vector<void*> parameters = arguments.Reached();
  Running kernel = {};
  running = &kernel;
  if (sigsetjmp(kernel.end, 1) == 0) {
    RunBlocks(module.program(), entry, grid, block, parameters.data());
  } else {
    DropStacks();
  }
  running = nullptr;
  if (kernel.result != kSuccess) {
    const uint3 at = *module.program().block, thread = *module.program().thread;
    Fail(kernel.result, "block " + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) +
                            ", thread " + std::to_string(thread.x) + "," + std::to_string(thread.y) + "," +
                            std::to_string(thread.z) + ": " + kernel.what);
  }
}

}  // namespace emulator

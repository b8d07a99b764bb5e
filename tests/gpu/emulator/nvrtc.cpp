// libnvrtc.so.13: compiles texts by g++, each with device.hpp before it and a table of its entries behind it. What it gives
// as the code of a GPU is a library in the form that launch.cpp takes.
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#define NVRTC_API extern "C" __attribute__((visibility("default")))

extern char** environ;

namespace {

enum Result : int {
  kSuccess = 0,
  kInvalidInput = 3,
  kInvalidProgram = 4,
  kInvalidOption = 5,
  kCompilation = 6,
  kBuiltinOperationFailure = 7,
};

struct Program {
  std::string text, name, log, code;
};

struct Options {
  int architecture = 75;
  std::vector<std::string> folders;
};

// The options that are known; others are refused as they are by NVRTC.
bool Read(int count, const char* const* given, Options* options) {
  static const std::regex kArchitecture("(?:--gpu-architecture|-arch)=(?:sm|compute)_(75|80|86|87|88|89|90|100|103|110|120|121)");
  static const std::regex kFolder("(?:--include-path=|-I)(.+)");
  for (int i = 0; i < count; i++) {
    const std::string option = given[i];
    std::smatch match;
    if (std::regex_match(option, match, kArchitecture)) {
      options->architecture = std::stoi(match[1]);
    } else if (std::regex_match(option, match, kFolder)) {
      options->folders.push_back(match[1]);
    } else if (option != "-default-device" && option != "--device-as-default-execution-space") {
      return false;
    }
  }
  return true;
}

// What stands behind the text: a row for each entry.
std::string Entries(const std::string& text) {
  static const std::regex kEntry("__global__\\s+void\\s+(?:__launch_bounds__\\((\\d+)\\)\\s*)?(\\w+)\\s*\\(");
  const bool is_cooperative = std::regex_search(text, std::regex("__sync|__shfl"));
  std::string rows;
  for (std::sregex_iterator entry(text.begin(), text.end(), kEntry), end; entry != end; ++entry) {
    const std::string threads = (*entry)[1].matched ? (*entry)[1].str() : "1024";
    rows += "EMULATED_ENTRY(" + (*entry)[2].str() + ", " + threads + (is_cooperative ? ", true), " : ", false), ");
  }
  return "\n#line 1 \"entries\"\nEMULATED_PROGRAM(" + rows + ")\n";
}

// The folder of this library, beside which the headers are.
std::string Folder() {
  Dl_info info;
  dladdr(reinterpret_cast<const void*>(&Folder), &info);
  const std::string path = info.dli_fname;
  return path.substr(0, path.find_last_of('/'));
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Runs g++ with its errors in a file; whether it succeeds.
bool RunCompiler(const std::vector<std::string>& arguments, const std::string& log) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  // The compiler is not to find the libraries of the emulator.
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; variable++) {
    if (std::strncmp(*variable, "LD_", 3) != 0) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  pid_t process;
  const int failed = posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    std::ofstream(log) << "g++ was not started: " << std::strerror(failed) << "\n";
    return false;
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Multiplies and adds in one step where the processor can, as code for GPUs does unless it is told otherwise.
std::vector<std::string> Contraction() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("fma")) return {};
  return {"-mfma", "-ffp-contract=fast"};
#else
  return {"-ffp-contract=fast"};
#endif
}

Result Compile(Program* program, const Options& options) {
  char work[] = "/tmp/oplink-nvrtc-XXXXXX";
  if (mkdtemp(work) == nullptr) return kBuiltinOperationFailure;
  const std::string folder = work, source = folder + "/text.cpp", library = folder + "/code", log = folder + "/log";
  const std::string own = Folder() + "/../emulator";
  std::ofstream(source) << "#line 1 \"" << program->name << "\"\n" << program->text << Entries(program->text);
  std::vector<std::string> arguments = {
      "g++", "-std=c++17", "-O1", "-fPIC", "-shared", "-nostdlib", "-fvisibility=hidden", "-fno-math-errno", "-w",
      "-fsanitize=alignment,bounds,shift-exponent,signed-integer-overflow,float-cast-overflow", "-fno-sanitize-recover=all",
      "-I" + own, "-include", own + "/device.hpp", "-o", library, source};
  for (std::string& argument : Contraction()) arguments.push_back(std::move(argument));
  for (const std::string& path : options.folders) arguments.push_back("-I" + path);
  arguments.push_back("-lm");
  const bool is_compiled = RunCompiler(arguments, log);
  program->log = ReadFile(log);
  program->code = is_compiled ? ReadFile(library) : "";
  for (const std::string& path : {source, library, log}) unlink(path.c_str());
  rmdir(work);
  if (!is_compiled) return kCompilation;
  Elf64_Ehdr header;
  std::memcpy(&header, program->code.data(), sizeof header);
  header.e_machine = 190;
  header.e_flags = static_cast<Elf64_Word>(options.architecture);
  std::memcpy(program->code.data(), &header, sizeof header);
  return kSuccess;
}

}  // namespace

NVRTC_API Result nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return kSuccess;
}

NVRTC_API Result nvrtcCreateProgram(Program** program, const char* text, const char* name, int num_headers,
                                    const char* const*, const char* const*) {
  if (program == nullptr || text == nullptr || num_headers != 0) return kInvalidInput;
  *program = new Program{text, name == nullptr ? "default_program" : name, "", ""};
  return kSuccess;
}

NVRTC_API Result nvrtcDestroyProgram(Program** program) {
  if (program == nullptr || *program == nullptr) return kInvalidProgram;
  delete *program;
  *program = nullptr;
  return kSuccess;
}

NVRTC_API Result nvrtcCompileProgram(Program* program, int count, const char* const* given) {
  if (program == nullptr) return kInvalidProgram;
  Options options;
  if (!Read(count, given, &options)) return kInvalidOption;
  return Compile(program, options);
}

NVRTC_API Result nvrtcGetCUBINSize(Program* program, std::size_t* size) {
  if (program == nullptr || program->code.empty()) return kInvalidProgram;
  *size = program->code.size();
  return kSuccess;
}

NVRTC_API Result nvrtcGetCUBIN(Program* program, char* code) {
  if (program == nullptr || program->code.empty()) return kInvalidProgram;
  std::memcpy(code, program->code.data(), program->code.size());
  return kSuccess;
}

NVRTC_API Result nvrtcGetProgramLogSize(Program* program, std::size_t* size) {
  if (program == nullptr) return kInvalidProgram;
  *size = program->log.size() + 1;
  return kSuccess;
}

NVRTC_API Result nvrtcGetProgramLog(Program* program, char* log) {
  if (program == nullptr) return kInvalidProgram;
  std::memcpy(log, program->log.c_str(), program->log.size() + 1);
  return kSuccess;
}

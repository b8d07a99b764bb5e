// What a compiled text and the driver know of each other. A text is compiled with device.hpp before it and the table of its
// entries behind it; the driver opens the library that comes of it and finds `emulated_program` there.
//
// A library serves one block at a time: where a thread of the block stands, and what the block shares, are its variables.
#ifndef OPLINK_TESTS_EMULATOR_PROGRAM_HPP_
#define OPLINK_TESTS_EMULATOR_PROGRAM_HPP_

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

namespace emulator {

// What the driver does for threads. `line` is where in the text.
struct Machine {
  // The kernel ends: it is wrong.
  void (*mistake)(const char* what, int line);
  void (*barrier)(int line);
  // Gives `bits` to the lanes of `mask` and returns those of the lane `source`.
  unsigned long long (*exchange)(unsigned mask, unsigned long long bits, int source, int line);
};

struct Parameter {
  unsigned bytes;
  bool is_pointer;
};

struct Entry {
  const char* name;
  unsigned most_threads;  // of a block
  bool is_cooperative;    // Threads wait for each other: each needs a stack.
  unsigned num_parameters;
  const Parameter* parameters;
  void (*run_thread)(void* const* parameters);
  void (*run_block)(void* const* parameters);  // all threads, one after the other
};

struct Program {
  const Entry* entries;
  unsigned num_entries;
  uint3* thread;
  uint3* block;
  dim3* block_size;
  dim3* grid_size;
  const Machine** machine;
  char* shared;  // what a block shares: from here on,
  char* shared_end;
};

}  // namespace emulator

#endif

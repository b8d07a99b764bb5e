// Threads of a block that wait for each other: each has a stack, and they take turns on one thread of the system.
#ifndef OPLINK_TESTS_EMULATOR_FIBERS_HPP_
#define OPLINK_TESTS_EMULATOR_FIBERS_HPP_

#include "launch.hpp"

namespace emulator {

// What programs get.
extern const Machine kMachine;

// Runs one block. Who reaches a barrier first changes from part to part. Mistakes of barriers end the kernel by `EndKernel`.
void RunTogether(const Program& program, const Entry& entry, dim3 block, void* const* parameters);

// After a kernel ended in the middle: its stacks are not used again.
void DropStacks();

// Ends the kernel that runs on this thread.
[[noreturn]] void EndKernel(Result result, const std::string& what);

}  // namespace emulator

#endif

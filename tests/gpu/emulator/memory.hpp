// The emulated GPU's memory, and pages of the host that copies need no help for.
#ifndef OPLINK_TESTS_EMULATOR_MEMORY_HPP_
#define OPLINK_TESTS_EMULATOR_MEMORY_HPP_

#include "emulator.hpp"

namespace emulator {

// Bytes of the GPU's memory.
constexpr std::size_t kMemory = std::size_t{4} << 30;

// A new allocation, a multiple of 256 but of no larger number, so that nobody counts on more; 0 where there is no room. Its
// bytes are all ones: NaN, -1, a bool that is neither.
Address AllocateMemory(std::size_t bytes);
// False where no allocation starts there.
bool FreeMemory(Address address);

void* AllocatePages(std::size_t bytes);
bool FreePages(void* start);
// Whether the bytes are all of one allocation of pages.
bool ArePages(const void* start, std::size_t bytes);
// Whether some of the bytes are.
bool TouchPages(const void* start, std::size_t bytes);

// All that is allocated goes; how many allocations that were.
std::size_t FreeAll();

// What a kernel gets for a pointer that the host gave: where the bytes are; of anything but memory of the GPU and pages, an
// address that cannot be touched.
std::uint64_t ReachPointer(std::uint64_t pointer);

// Whether an address is one that hosts get for the GPU's memory, or one where kernels find it.
bool IsOfHosts(std::uint64_t address);
bool IsOfKernels(std::uint64_t address);

}  // namespace emulator

#endif

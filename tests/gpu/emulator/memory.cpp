// Memory in two ranges of addresses of one length: one that is never mapped, for hosts, and one for kernels. Between
// allocations there are pages that nobody can touch.
#include "memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

namespace emulator {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kStart = 256;  // of an allocation in its first page
constexpr std::size_t kRange = 4 * kMemory;

std::size_t RoundUp(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

std::byte* Reserve(std::size_t bytes) {
  void* range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    std::perror("emulated CUDA: no addresses for the GPU's memory");
    std::abort();
  }
  return static_cast<std::byte*>(range);
}

struct Allocation {
  std::size_t bytes;
  std::size_t pages;  // bytes of them, with the one that nobody can touch
};

// Never taken down: threads of streams may outlive the end of the host's main function.
struct Memory {
  std::mutex mutex;
  std::byte* const hosts = Reserve(kRange);
  std::byte* const kernels = Reserve(kRange);
  std::map<std::size_t, Allocation> allocations;  // by the offset of the first page
  std::size_t allocated = 0;
  std::size_t next = 0;
  std::map<std::uintptr_t, std::size_t> pages;  // of the host, with their bytes

  // The first place behind `from` that is free.
  bool Find(std::size_t from, std::size_t pages_needed, std::size_t* place) const {
    std::size_t start = from;
    auto found = allocations.lower_bound(from);
    if (found != allocations.begin()) {
      const auto before = std::prev(found);
      start = std::max(start, before->first + before->second.pages);
    }
    for (; found != allocations.end() && found->first - start < pages_needed; ++found) {
      start = found->first + found->second.pages;
    }
    *place = start;
    return start + pages_needed <= kRange;
  }
};

Memory& memory() {
  static auto* const all = new Memory;
  return *all;
}

void Unmap(std::byte* start, std::size_t bytes) {
  // A new mapping without pages in the place of the old one.
  mmap(start, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

}  // namespace

Address AllocateMemory(std::size_t bytes) {
  Memory& all = memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (bytes > kMemory - all.allocated) return 0;
  const std::size_t mapped = RoundUp(kStart + bytes);
  std::size_t place;
  // Places are used again as late as possible, so that an old address is seldom a new one too.
  if (!all.Find(all.next, mapped + kPage, &place) && !all.Find(0, mapped + kPage, &place)) return 0;
  if (mprotect(all.kernels + place, mapped, PROT_READ | PROT_WRITE) != 0) return 0;
  std::memset(all.kernels + place, 0xff, mapped);
  all.allocations[place] = {bytes, mapped + kPage};
  all.allocated += bytes;
  all.next = place + mapped + kPage;
  return reinterpret_cast<Address>(all.hosts + place + kStart);
}

bool FreeMemory(Address address) {
  Memory& all = memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.allocations.find(address - reinterpret_cast<Address>(all.hosts) - kStart);
  if (found == all.allocations.end()) return false;
  Unmap(all.kernels + found->first, found->second.pages);
  all.allocated -= found->second.bytes;
  all.allocations.erase(found);
  return true;
}

std::byte* Reach(Address address, std::size_t bytes) {
  Memory& all = memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const std::size_t offset = address - reinterpret_cast<Address>(all.hosts);
  auto found = all.allocations.upper_bound(offset);
  if (offset >= kRange || found == all.allocations.begin()) return nullptr;
  --found;
  const std::size_t start = found->first + kStart;
  if (offset < start || offset - start > found->second.bytes) return nullptr;
  return bytes <= found->second.bytes - (offset - start) ? all.kernels + offset : nullptr;
}

void* AllocatePages(std::size_t bytes) {
  Memory& all = memory();
  std::byte* const start = Reserve(RoundUp(bytes) + kPage);
  if (mprotect(start, RoundUp(bytes), PROT_READ | PROT_WRITE) != 0) return nullptr;
  std::memset(start, 0xff, bytes);
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.pages[reinterpret_cast<std::uintptr_t>(start)] = bytes;
  return start;
}

bool FreePages(void* start) {
  Memory& all = memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.pages.find(reinterpret_cast<std::uintptr_t>(start));
  if (found == all.pages.end()) return false;
  munmap(start, RoundUp(found->second) + kPage);
  all.pages.erase(found);
  return true;
}

bool ArePages(const void* start, std::size_t bytes) {
  Memory& all = memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  auto found = all.pages.upper_bound(address);
  if (found == all.pages.begin()) return false;
  --found;
  const std::size_t offset = address - found->first;
  return offset <= found->second && bytes <= found->second - offset;
}

bool TouchPages(const void* start, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(start);
  return bytes > 0 && (ArePages(first, 1) || ArePages(first + bytes - 1, 1));
}

std::size_t FreeAll() {
  Memory& all = memory();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const std::size_t count = all.allocations.size() + all.pages.size();
  for (const auto& [place, allocation] : all.allocations) Unmap(all.kernels + place, allocation.pages);
  for (const auto& [start, bytes] : all.pages) munmap(reinterpret_cast<void*>(start), RoundUp(bytes) + kPage);
  all.allocations.clear();
  all.pages.clear();
  all.allocated = 0;
  return count;
}

bool IsOfHosts(std::uint64_t address) { return address - reinterpret_cast<std::uint64_t>(memory().hosts) < kRange; }
bool IsOfKernels(std::uint64_t address) { return address - reinterpret_cast<std::uint64_t>(memory().kernels) < kRange; }

std::uint64_t ReachPointer(std::uint64_t pointer) {
  Memory& all = memory();
  const auto kernels = reinterpret_cast<std::uint64_t>(all.kernels);
  if (IsOfHosts(pointer)) return pointer - reinterpret_cast<std::uint64_t>(all.hosts) + kernels;
  if (pointer == 0 || ArePages(reinterpret_cast<const void*>(pointer), 1)) return pointer;
  // The last pages are never given out: there is less memory than addresses.
  return kernels + kRange - kPage + pointer % 256;
}

}  // namespace emulator

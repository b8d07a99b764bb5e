// Stacks are made once by ucontext, and changed by setjmp and longjmp, which need no call of the system.
#include "fibers.hpp"

#include <setjmp.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdlib>
#include <cstring>

namespace emulator {
namespace {

constexpr std::size_t kStack = 64 << 10;
constexpr std::size_t kGuard = 4 << 10;
constexpr unsigned kLanes = 32;

enum class State { kReady, kAtBarrier, kAmongLanes, kDone };

struct Block;

struct Fiber {
  Block* block;
  unsigned number;
  State state;
  int line;       // where it waits
  unsigned mask;  // of the lanes that it waits for
  unsigned exchanges;
  unsigned long long given[2];  // what it gave to other lanes, by the parity of exchanges
  jmp_buf place;
  ucontext_t start;
};

// What runs on this thread of the system.
struct Block {
  const Program* program;
  const Entry* entry;
  void* const* parameters;
  dim3 size;
  unsigned count;
  unsigned phase = 0;
  Fiber* running = nullptr;
  jmp_buf scheduler;
  ucontext_t maker;
  std::vector<Fiber*> fibers;
};

thread_local Block* current = nullptr;

void GiveTurn(Fiber* fiber) {
  if (_setjmp(fiber->place) == 0) _longjmp(fiber->block->scheduler, 1);
}

// A stack's whole life: one thread of a block after the other.
void Live(unsigned high, unsigned low) {
  auto* const fiber = reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low);
  if (_setjmp(fiber->place) == 0) setcontext(&fiber->block->maker);
  while (true) {
    fiber->block->entry->run_thread(fiber->block->parameters);
    fiber->state = State::kDone;
    GiveTurn(fiber);
  }
}

Fiber* MakeFiber(Block* block) {
  void* stack =
      mmap(nullptr, kStack + kGuard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED || mprotect(stack, kGuard, PROT_NONE) != 0) std::abort();
  auto* const fiber = new Fiber{};
  fiber->block = block;
  getcontext(&fiber->start);
  fiber->start.uc_stack.ss_sp = static_cast<char*>(stack) + kGuard;
  fiber->start.uc_stack.ss_size = kStack;
  fiber->start.uc_link = nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(fiber);
  makecontext(&fiber->start, reinterpret_cast<void (*)()>(Live), 2, static_cast<unsigned>(address >> 32),
              static_cast<unsigned>(address));
  swapcontext(&block->maker, &fiber->start);
  return fiber;
}

void SetThread(const Block& block, unsigned number) {
  const dim3 size = block.size;
  *block.program->thread = {number % size.x, number / size.x % size.y, number / size.x / size.y};
}

void Resume(Block* block, Fiber* fiber) {
  SetThread(*block, fiber->number);
  block->running = fiber;
  if (_setjmp(block->scheduler) == 0) _longjmp(fiber->place, 1);
}

std::string At(int line) { return "line " + std::to_string(line) + " of the text"; }

void Barrier(int line) {
  Fiber* const fiber = current->running;
  fiber->line = line;
  fiber->state = State::kAtBarrier;
  GiveTurn(fiber);
}

// Whether all lanes of the mask are at the same exchange.
bool AreTogether(const Block& block, const Fiber& fiber) {
  const unsigned first = fiber.number / kLanes * kLanes;
  for (unsigned lane = 0; lane < kLanes; lane++) {
    if ((fiber.mask >> lane & 1) == 0) continue;
    if (first + lane >= block.count) {
      EndKernel(kLaunchFailed, At(fiber.line) + ": lanes are asked for that the block does not have");
    }
    const Fiber& other = *block.fibers[first + lane];
    if (other.state == State::kDone) {
      EndKernel(kLaunchFailed, At(fiber.line) + ": lanes are asked for whose threads have ended");
    }
    if (other.state != State::kAmongLanes) return false;
    if (other.line != fiber.line || other.mask != fiber.mask) {
      EndKernel(kLaunchFailed, At(fiber.line) + ": other lanes are in " + At(other.line));
    }
  }
  return true;
}

unsigned long long Exchange(unsigned mask, unsigned long long bits, int source, int line) {
  Block* const block = current;
  Fiber* const fiber = block->running;
  const unsigned first = fiber->number / kLanes * kLanes, parity = fiber->exchanges++ % 2;
  if ((mask >> fiber->number % kLanes & 1) == 0 || source < 0 || (mask >> source % static_cast<int>(kLanes) & 1) == 0) {
    EndKernel(kLaunchFailed, At(line) + ": a lane that gives or takes is not of the mask");
  }
  fiber->given[parity] = bits;
  fiber->line = line;
  fiber->mask = mask;
  fiber->state = State::kAmongLanes;
  if (AreTogether(*block, *fiber)) {
    for (unsigned lane = 0; lane < kLanes; lane++) {
      if ((mask >> lane & 1) != 0) block->fibers[first + lane]->state = State::kReady;
    }
  } else {
    GiveTurn(fiber);
  }
  return block->fibers[first + static_cast<unsigned>(source)]->given[parity];
}

void Mistake(const char* what, int line) {
  const bool is_alignment = std::strstr(what, "aligned") != nullptr;
  EndKernel(is_alignment ? kMisalignedAddress : kLaunchFailed, At(line) + ": " + what);
}

// Lets all go on that are at a barrier, where all are.
bool PassBarrier(Block* block) {
  const Fiber& first = *block->fibers[0];
  for (unsigned i = 0; i < block->count; i++) {
    const Fiber& fiber = *block->fibers[i];
    if (fiber.state == State::kAmongLanes) {
      EndKernel(kLaunchFailed, At(fiber.line) + ": lanes wait for others that do not come");
    }
    if (fiber.state != first.state || fiber.line != first.line) {
      const Fiber& waits = fiber.state == State::kAtBarrier ? fiber : first;
      EndKernel(kLaunchFailed, At(waits.line) + ": not all threads of the block come to the barrier");
    }
  }
  if (first.state == State::kDone) return false;
  for (unsigned i = 0; i < block->count; i++) block->fibers[i]->state = State::kReady;
  return true;
}

}  // namespace

const Machine kMachine = {Mistake, Barrier, Exchange};

void RunTogether(const Program& program, const Entry& entry, dim3 size, void* const* parameters) {
  if (current == nullptr) current = new Block{};
  Block& block = *current;
  block.program = &program;
  block.entry = &entry;
  block.parameters = parameters;
  block.size = size;
  block.count = size.x * size.y * size.z;
  while (block.fibers.size() < block.count) block.fibers.push_back(MakeFiber(&block));
  for (unsigned i = 0; i < block.count; i++) {
    block.fibers[i]->number = i;
    block.fibers[i]->line = 0;
    block.fibers[i]->state = State::kReady;
  }
  do {
    // Forwards and backwards in turn: who counts on an order is wrong in one of them.
    const bool is_forwards = block.phase++ % 2 == 0;
    bool is_any_ready = true;
    while (is_any_ready) {
      is_any_ready = false;
      for (unsigned i = 0; i < block.count; i++) {
        Fiber* const fiber = block.fibers[is_forwards ? i : block.count - 1 - i];
        if (fiber->state != State::kReady) continue;
        Resume(&block, fiber);
        is_any_ready = true;
      }
    }
  } while (PassBarrier(&block));
}

void DropStacks() { current = nullptr; }

}  // namespace emulator

// libcuda.so.1: the functions of CUDA's driver that oplink and cudarc call, for one emulated GPU. Handles are numbers that
// are no addresses and are never given twice. What a driver may refuse is refused, and told by `Complain`.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "handles.hpp"
#include "memory.hpp"

namespace emulator {
namespace {

bool IsHostMemory(const void* start, std::size_t bytes) { return ArePages(start, bytes) || !TouchPages(start, bytes); }

// A copy between the host and the GPU. Pages are read and written when the copy runs; of other memory of the host the driver
// has a copy before it returns, or waits until it has written there.
Result Copy(Context& context, Handle stream_handle, Address device, void* host, std::size_t bytes, bool is_to_host) {
  const char* const name = is_to_host ? "cuMemcpyDtoHAsync" : "cuMemcpyHtoDAsync";
  const auto refuse = [name](Result result, const char* why) { return Refuse(result, std::string(name) + ": " + why); };
  const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
  if (stream == nullptr) return refuse(kInvalidHandle, "no such stream");
  if (Reach(device, bytes) == nullptr) return refuse(kInvalidValue, "not all of it is memory of the GPU");
  if (host == nullptr || IsOfHosts(reinterpret_cast<Address>(host)) || !IsHostMemory(host, bytes)) {
    return refuse(kInvalidValue, "not all of it is one piece of the host's memory");
  }
  const bool are_pages = ArePages(host, bytes);
  auto staged = std::make_shared<std::vector<std::byte>>();
  if (!are_pages && !is_to_host) {
    staged->assign(static_cast<const std::byte*>(host), static_cast<const std::byte*>(host) + bytes);
  }
  stream->Add(name, [=] {
    std::byte* const place = Reach(device, bytes);
    if (place == nullptr) return Fail(kIllegalAddress, "the GPU's memory was freed before the copy was done");
    if (are_pages && !ArePages(host, bytes)) {
      return Fail(kIllegalAddress, "the host's pages were freed before the copy was done");
    }
    if (is_to_host) {
      std::memcpy(host, place, bytes);
    } else {
      std::memcpy(place, are_pages ? static_cast<const std::byte*>(host) : staged->data(), bytes);
    }
  });
  if (is_to_host && !are_pages) {
    if (const auto record = stream->record(); record != nullptr) return Spoil(*record, kCaptureUnsupported, name);
    stream->Wait();
  }
  return FailureOf(context);
}

// A stream waits for an event of a record: it records too, and what it records comes after what is there. The end of one
// record and other work cannot wait for each other.
Result Join(Stream& stream, const Event& event) {
  const std::shared_ptr<Record> own = stream.record();
  if (event.record == nullptr) {
    if (event.mark == nullptr) return kSuccess;
    return Spoil(*own, kCaptureIsolation, "cuStreamWaitEvent for work that is not recorded");
  }
  if (own == event.record) return kSuccess;
  if (own != nullptr) return Spoil(*own, kCaptureIsolation, "cuStreamWaitEvent for another record");
  if (event.record->streams.empty()) return Refuse(kInvalidValue, "cuStreamWaitEvent for a record that has ended");
  event.record->streams.push_back(&stream);
  stream.SetRecord(event.record);
  return kSuccess;
}

// Why a launch is refused; empty where it is not.
std::string Mistake(const Entry& entry, const Program& program, dim3 grid, dim3 block, unsigned shared) {
  const auto is_empty = [](dim3 size) { return size.x == 0 || size.y == 0 || size.z == 0; };
  if (is_empty(grid) || is_empty(block)) return "an extent is 0";
  if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) return "the grid is too large";
  if (block.x > 1024 || block.y > 1024 || block.z > 64 || block.x * block.y * block.z > 1024) {
    return "the block is too large";
  }
  const auto bytes = static_cast<std::size_t>(program.shared_end - program.shared) + shared;
  if (bytes > 48 << 10) return "the block shares " + std::to_string(bytes) + " bytes, 49152 are the most";
  if (shared > 0 && entry.num_parameters > 0) return "memory that the launch adds to what blocks share is not emulated";
  return "";
}

Result Launch(Context& context, Handle function_handle, dim3 grid, dim3 block, unsigned shared, Handle stream_handle,
              void* const* values) {
  const std::shared_ptr<Function> function = context.functions.Find(function_handle);
  const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
  if (function == nullptr) return Refuse(kInvalidHandle, "cuLaunchKernel: no such function");
  const std::string name = std::string("kernel ") + function->entry->name;
  if (stream == nullptr) return Refuse(kInvalidHandle, name + ": no such stream");
  const Entry& entry = *function->entry;
  const std::string mistake = Mistake(entry, function->module->program(), grid, block, shared);
  if (!mistake.empty()) return Refuse(kInvalidValue, name + ": " + mistake);
  if (block.x * block.y * block.z > entry.most_threads) {
    return Refuse(kLaunchOutOfResources, name + ": the block has more threads than __launch_bounds__ says");
  }
  if (values == nullptr && entry.num_parameters > 0) return Refuse(kInvalidValue, name + ": no parameters");
  stream->Add(name, [module = function->module, &entry, grid, block, arguments = Arguments(entry, values)] {
    RunGrid(*module, entry, grid, block, arguments);
  });
  return kSuccess;
}

}  // namespace

Result Enqueue(void* stream_handle, const std::string& what, std::function<void()> work) {
  return InContext(what.c_str(), [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    if (stream == nullptr) return refuse(kInvalidHandle, "no such stream");
    stream->Add(what, std::move(work));
    return kSuccess;
  });
}

}  // namespace emulator

using emulator::InContext;
using emulator::Result;
using namespace emulator;

extern "C" {

EMULATED_API Result cuInit(unsigned flags) {
  if (flags != 0) return Refuse(kInvalidValue, "cuInit: flags");
  driver().is_initialized = true;
  return kSuccess;
}

EMULATED_API Result cuDriverGetVersion(int* version) { return Give(version, 13000) ? kSuccess : kInvalidValue; }

EMULATED_API Result cuDeviceGetCount(int* count) {
  if (const Result ready = Ready("cuDeviceGetCount"); ready != kSuccess) return ready;
  return Give(count, 1) ? kSuccess : kInvalidValue;
}

EMULATED_API Result cuDeviceGet(Device* device, int ordinal) {
  if (const Result ready = Ready("cuDeviceGet"); ready != kSuccess) return ready;
  if (ordinal != 0) return Refuse(kInvalidDevice, "cuDeviceGet: there is one GPU");
  return Give(device, 0) ? kSuccess : kInvalidValue;
}

EMULATED_API Result cuDeviceGetName(char* name, int length, Device device) {
  if (device != 0 || name == nullptr || length < 1) return Refuse(kInvalidValue, "cuDeviceGetName");
  std::strncpy(name, "emulated GPU", static_cast<std::size_t>(length));
  name[length - 1] = '\0';
  return kSuccess;
}

EMULATED_API Result cuDeviceTotalMem_v2(std::size_t* bytes, Device device) {
  if (device != 0) return Refuse(kInvalidDevice, "cuDeviceTotalMem");
  return Give(bytes, kMemory) ? kSuccess : kInvalidValue;
}

EMULATED_API Result cuDeviceGetAttribute(int* value, int attribute, Device device) {
  if (device != 0) return Refuse(kInvalidDevice, "cuDeviceGetAttribute");
  switch (attribute) {
    case 75: return Give(value, kMajor) ? kSuccess : kInvalidValue;
    case 76: return Give(value, kMinor) ? kSuccess : kInvalidValue;
    case 115: return Give(value, 1) ? kSuccess : kInvalidValue;   // pools of memory
    case 134: return Give(value, -1) ? kSuccess : kInvalidValue;  // no NUMA node
    default: return Refuse(kInvalidValue, "cuDeviceGetAttribute: not emulated: " + std::to_string(attribute));
  }
}

EMULATED_API Result cuDevicePrimaryCtxRetain(Handle* context, Device device) {
  if (const Result ready = Ready("cuDevicePrimaryCtxRetain"); ready != kSuccess) return ready;
  if (device != 0) return Refuse(kInvalidDevice, "cuDevicePrimaryCtxRetain");
  const std::lock_guard<std::mutex> lock(driver().mutex);
  if (driver().retained++ == 0) driver().primary = driver().contexts.Add(std::make_shared<Context>());
  return Give(context, driver().primary) ? kSuccess : kInvalidValue;
}

EMULATED_API Result cuDevicePrimaryCtxRelease_v2(Device device) {
  if (const Result ready = Ready("cuDevicePrimaryCtxRelease"); ready != kSuccess) return ready;
  if (device != 0) return Refuse(kInvalidDevice, "cuDevicePrimaryCtxRelease");
  const std::lock_guard<std::mutex> lock(driver().mutex);
  if (driver().retained == 0) return Refuse(kInvalidContext, "cuDevicePrimaryCtxRelease: it was not retained");
  if (--driver().retained > 0) return kSuccess;
  const std::shared_ptr<Context> context = driver().contexts.Take(driver().primary);
  for (const auto& stream : context->AllStreams()) stream->Wait();
  const std::size_t things =
      context->streams.All().size() + context->events.All().size() + context->modules.All().size() +
      context->graphs.All().size() + context->executables.All().size() + FreeAll();
  // After a failure nothing could be freed.
  if (things > 0 && context->failure->result == kSuccess) {
    Complain("the context was released with " + std::to_string(things) + " things that nobody freed");
  }
  return kSuccess;
}

EMULATED_API Result cuCtxSetCurrent(Handle context) {
  if (const Result ready = Ready("cuCtxSetCurrent"); ready != kSuccess) return ready;
  if (context != nullptr && driver().contexts.Find(context) == nullptr) {
    return Refuse(kInvalidContext, "cuCtxSetCurrent: no such context");
  }
  current = context;
  return kSuccess;
}

EMULATED_API Result cuCtxGetCurrent(Handle* context) {
  if (const Result ready = Ready("cuCtxGetCurrent"); ready != kSuccess) return ready;
  return Give(context, current) ? kSuccess : kInvalidValue;
}

EMULATED_API Result cuCtxGetDevice(Device* device) {
  return InContext("cuCtxGetDevice",
                   [&](Context&, auto) { return Give(device, 0) ? kSuccess : kInvalidValue; });
}

EMULATED_API Result cuCtxSynchronize() {
  return InContext("cuCtxSynchronize", [](Context& context, auto) {
    for (const auto& stream : context.AllStreams()) {
      if (const auto record = stream->record(); record != nullptr) {
        return Spoil(*record, kCaptureUnsupported, "cuCtxSynchronize");
      }
    }
    for (const auto& stream : context.AllStreams()) stream->Wait();
    return FailureOf(context);
  });
}

EMULATED_API Result cuMemAlloc_v2(Address* address, std::size_t bytes) {
  return InContext("cuMemAlloc", [&](Context&, auto refuse) {
    if (bytes == 0 || address == nullptr) return refuse(kInvalidValue, "0 bytes");
    *address = AllocateMemory(bytes);
    return *address == 0 ? kOutOfMemory : kSuccess;
  });
}

// A driver waits for all work first. Here work that still uses the memory fails: hosts are not to count on the wait.
EMULATED_API Result cuMemFree_v2(Address address) {
  return InContext("cuMemFree", [&](Context&, auto refuse) {
    if (address == 0 || FreeMemory(address)) return kSuccess;
    return refuse(kInvalidValue, "no allocation starts there");
  });
}

// The memory is there at once. It goes when the stream has come so far.
EMULATED_API Result cuMemAllocAsync(Address* address, std::size_t bytes, Handle stream_handle) {
  return InContext("cuMemAllocAsync", [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    if (stream == nullptr) return refuse(kInvalidHandle, "no such stream");
    if (bytes == 0 || address == nullptr) return refuse(kInvalidValue, "0 bytes");
    if (const auto record = stream->record(); record != nullptr) {
      return Spoil(*record, kCaptureUnsupported, "cuMemAllocAsync, which is not emulated");
    }
    *address = AllocateMemory(bytes);
    return *address == 0 ? kOutOfMemory : kSuccess;
  });
}

EMULATED_API Result cuMemFreeAsync(Address address, Handle stream_handle) {
  return InContext("cuMemFreeAsync", [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    if (stream == nullptr) return refuse(kInvalidHandle, "no such stream");
    if (Reach(address, 0) == nullptr) return refuse(kInvalidValue, "no allocation starts there");
    stream->Add("cuMemFreeAsync", [=] {
      if (!FreeMemory(address)) Fail(kIllegalAddress, "no allocation starts there");
    });
    return kSuccess;
  });
}

EMULATED_API Result cuMemHostAlloc(void** start, std::size_t bytes, unsigned flags) {
  return InContext("cuMemHostAlloc", [&](Context&, auto refuse) {
    if (start == nullptr || bytes == 0 || flags > 7) return refuse(kInvalidValue, "0 bytes, or flags");
    *start = AllocatePages(bytes);
    return *start == nullptr ? kOutOfMemory : kSuccess;
  });
}

EMULATED_API Result cuMemFreeHost(void* start) {
  return InContext("cuMemFreeHost", [&](Context&, auto refuse) {
    return FreePages(start) ? kSuccess : refuse(kInvalidValue, "no pages start there");
  });
}

EMULATED_API Result cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, Handle stream) {
  return InContext("cuMemcpyHtoDAsync", [&](Context& context, auto) {
    return Copy(context, stream, to, const_cast<void*>(from), bytes, false);
  });
}

EMULATED_API Result cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, Handle stream) {
  return InContext("cuMemcpyDtoHAsync",
                   [&](Context& context, auto) { return Copy(context, stream, from, to, bytes, true); });
}

EMULATED_API Result cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, Handle stream_handle) {
  return InContext("cuMemcpyDtoDAsync", [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    if (stream == nullptr) return refuse(kInvalidHandle, "no such stream");
    if (Reach(to, bytes) == nullptr || Reach(from, bytes) == nullptr) {
      return refuse(kInvalidValue, "not all of it is memory of the GPU");
    }
    if (to < from + bytes && from < to + bytes) return refuse(kInvalidValue, "the places overlap");
    stream->Add("cuMemcpyDtoDAsync", [=] {
      std::byte *const target = Reach(to, bytes), *const source = Reach(from, bytes);
      if (target == nullptr || source == nullptr) return Fail(kIllegalAddress, "memory was freed before the copy was done");
      std::memcpy(target, source, bytes);
    });
    return kSuccess;
  });
}

EMULATED_API Result cuMemsetD8Async(Address to, unsigned char value, std::size_t bytes, Handle stream_handle) {
  return InContext("cuMemsetD8Async", [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    if (stream == nullptr) return refuse(kInvalidHandle, "no such stream");
    if (Reach(to, bytes) == nullptr) return refuse(kInvalidValue, "not all of it is memory of the GPU");
    stream->Add("cuMemsetD8Async", [=] {
      std::byte* const target = Reach(to, bytes);
      if (target == nullptr) return Fail(kIllegalAddress, "the memory was freed before it was set");
      std::memset(target, value, bytes);
    });
    return kSuccess;
  });
}

EMULATED_API Result cuStreamCreate(Handle* stream, unsigned flags) {
  return InContext("cuStreamCreate", [&](Context& context, auto refuse) {
    if (stream == nullptr || flags != 1) return refuse(kInvalidValue, "streams that wait for the default stream are not emulated");
    *stream = context.streams.Add(std::make_shared<Stream>(context.failure));
    return kSuccess;
  });
}

EMULATED_API Result cuStreamGetCtx(Handle stream, Handle* context) {
  if (const Result ready = Ready("cuStreamGetCtx"); ready != kSuccess) return ready;
  const Handle owner = stream == nullptr ? current : driver().primary;
  const std::shared_ptr<Context> found = driver().contexts.Find(owner);
  if (found == nullptr || found->FindStream(stream) == nullptr) {
    return Refuse(kInvalidHandle, "cuStreamGetCtx: no such stream");
  }
  return Give(context, owner) ? kSuccess : kInvalidValue;
}

EMULATED_API Result cuStreamDestroy_v2(Handle stream) {
  return InContext("cuStreamDestroy", [&](Context& context, auto refuse) {
    return context.streams.Take(stream) == nullptr ? refuse(kInvalidHandle, "no such stream") : kSuccess;
  });
}

EMULATED_API Result cuStreamSynchronize(Handle stream_handle) {
  return InContext("cuStreamSynchronize", [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    if (stream == nullptr) return refuse(kInvalidHandle, "no such stream");
    if (const auto record = stream->record(); record != nullptr) {
      return Spoil(*record, kCaptureUnsupported, "cuStreamSynchronize");
    }
    stream->Wait();
    return FailureOf(context);
  });
}

EMULATED_API Result cuStreamWaitEvent(Handle stream_handle, Handle event_handle, unsigned flags) {
  return InContext("cuStreamWaitEvent", [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    const std::shared_ptr<Event> event = context.events.Find(event_handle);
    if (stream == nullptr || event == nullptr) return refuse(kInvalidHandle, "no such stream or event");
    if (flags != 0) return refuse(kInvalidValue, "flags");
    if (event->record != nullptr || stream->record() != nullptr) return Join(*stream, *event);
    if (event->mark != nullptr) stream->Add("cuStreamWaitEvent", [mark = event->mark] { mark->Wait(); });
    return kSuccess;
  });
}

EMULATED_API Result cuLaunchHostFunc(Handle stream, void (*function)(void*), void* argument) {
  return Enqueue(stream, "cuLaunchHostFunc", [=] {
    is_in_callback = true;
    function(argument);
    is_in_callback = false;
  });
}

EMULATED_API Result cuEventCreate(Handle* event, unsigned flags) {
  return InContext("cuEventCreate", [&](Context& context, auto refuse) {
    if (event == nullptr || flags > 3) return refuse(kInvalidValue, "flags");
    *event = context.events.Add(std::make_shared<Event>(Event{flags, nullptr}));
    return kSuccess;
  });
}

EMULATED_API Result cuEventDestroy_v2(Handle event) {
  return InContext("cuEventDestroy", [&](Context& context, auto refuse) {
    return context.events.Take(event) == nullptr ? refuse(kInvalidHandle, "no such event") : kSuccess;
  });
}

EMULATED_API Result cuEventRecord(Handle event_handle, Handle stream_handle) {
  return InContext("cuEventRecord", [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    const std::shared_ptr<Event> event = context.events.Find(event_handle);
    if (stream == nullptr || event == nullptr) return refuse(kInvalidHandle, "no such stream or event");
    event->record = stream->record();
    if (event->record != nullptr) return kSuccess;
    event->mark = std::make_shared<Mark>();
    stream->Add(event->mark);
    return kSuccess;
  });
}

EMULATED_API Result cuEventQuery(Handle event_handle) {
  return InContext("cuEventQuery", [&](Context& context, auto refuse) {
    const std::shared_ptr<Event> event = context.events.Find(event_handle);
    if (event == nullptr) return refuse(kInvalidHandle, "no such event");
    if (event->record != nullptr) return Spoil(*event->record, kCapturedEvent, "cuEventQuery");
    return event->mark == nullptr || event->mark->IsSet() ? FailureOf(context) : kNotReady;
  });
}

EMULATED_API Result cuEventSynchronize(Handle event_handle) {
  return InContext("cuEventSynchronize", [&](Context& context, auto refuse) {
    const std::shared_ptr<Event> event = context.events.Find(event_handle);
    if (event == nullptr) return refuse(kInvalidHandle, "no such event");
    if (event->record != nullptr) return Spoil(*event->record, kCapturedEvent, "cuEventSynchronize");
    if (event->mark != nullptr) event->mark->Wait();
    return FailureOf(context);
  });
}

EMULATED_API Result cuEventElapsedTime_v2(float* milliseconds, Handle start_handle, Handle end_handle) {
  return InContext("cuEventElapsedTime", [&](Context& context, auto refuse) {
    const std::shared_ptr<Event> start = context.events.Find(start_handle), end = context.events.Find(end_handle);
    if (start == nullptr || end == nullptr) return refuse(kInvalidHandle, "no such event");
    if (start->record != nullptr || end->record != nullptr) return refuse(kCapturedEvent, "an event was recorded");
    const bool have_time = ((start->flags | end->flags) & 2) == 0 && start->mark != nullptr && end->mark != nullptr;
    if (!have_time || milliseconds == nullptr) return refuse(kInvalidHandle, "an event has no time");
    if (!start->mark->IsSet() || !end->mark->IsSet()) return kNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(end->mark->time() - start->mark->time()).count();
    return kSuccess;
  });
}

EMULATED_API Result cuModuleLoadData(Handle* module, const void* code) {
  return InContext("cuModuleLoadData", [&](Context& context, auto refuse) {
    if (module == nullptr || code == nullptr) return refuse(kInvalidValue, "no code");
    Result result;
    std::shared_ptr<Module> loaded = Module::Load(code, &result);
    if (loaded != nullptr) *module = context.modules.Add(std::move(loaded));
    return result;
  });
}

EMULATED_API Result cuModuleUnload(Handle module) {
  return InContext("cuModuleUnload", [&](Context& context, auto refuse) {
    return context.modules.Take(module) == nullptr ? refuse(kInvalidHandle, "no such module") : kSuccess;
  });
}

EMULATED_API Result cuModuleGetFunction(Handle* function, Handle module_handle, const char* name) {
  return InContext("cuModuleGetFunction", [&](Context& context, auto refuse) {
    const std::shared_ptr<Module> module = context.modules.Find(module_handle);
    if (module == nullptr || function == nullptr || name == nullptr) return refuse(kInvalidHandle, "no such module");
    const Program& program = module->program();
    const Entry* const end = program.entries + program.num_entries;
    const Entry* const entry =
        std::find_if(program.entries, end, [name](const Entry& entry) { return std::strcmp(entry.name, name) == 0; });
    if (entry == end) return refuse(kNotFound, std::string("no entry ") + name);
    *function = context.functions.Add(std::make_shared<Function>(Function{module, entry}));
    return kSuccess;
  });
}

EMULATED_API Result cuLaunchKernel(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                   unsigned block_y, unsigned block_z, unsigned shared, Handle stream, void** values,
                                   void** extra) {
  return InContext("cuLaunchKernel", [&](Context& context, auto refuse) {
    if (extra != nullptr) return refuse(kInvalidValue, "parameters in a buffer are not emulated");
    return Launch(context, function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, values);
  });
}

}  // extern "C"

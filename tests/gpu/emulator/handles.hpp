// Handles of the emulated driver, and the checks that its functions begin with.
#ifndef OPLINK_TESTS_EMULATOR_HANDLES_HPP_
#define OPLINK_TESTS_EMULATOR_HANDLES_HPP_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "emulator.hpp"
#include "launch.hpp"
#include "streams.hpp"

namespace emulator {

using Handle = void*;
using Device = int;

struct Event {
  unsigned flags;
  std::shared_ptr<Mark> mark;  // null until it is recorded
  std::shared_ptr<Record> record = nullptr;  // where it was last set in a stream that records
};

struct Graph {
  std::vector<Task> tasks;
};

struct Function {
  std::shared_ptr<Module> module;
  const Entry* entry;
};

// Things by their handles.
template <class T>
class Table {
 public:
  explicit Table(std::uint64_t kind) : next_(kind << 40) {}
  Handle Add(std::shared_ptr<T> thing) {
    const std::lock_guard<std::mutex> lock(mutex_);
    next_ += 8;
    things_[next_] = std::move(thing);
    return reinterpret_cast<Handle>(next_);
  }
  std::shared_ptr<T> Find(Handle handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = things_.find(reinterpret_cast<std::uintptr_t>(handle));
    return found == things_.end() ? nullptr : found->second;
  }
  std::shared_ptr<T> Take(Handle handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = things_.find(reinterpret_cast<std::uintptr_t>(handle));
    if (found == things_.end()) return nullptr;
    std::shared_ptr<T> thing = std::move(found->second);
    things_.erase(found);
    return thing;
  }
  std::vector<std::shared_ptr<T>> All() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::shared_ptr<T>> all;
    for (const auto& [handle, thing] : things_) all.push_back(thing);
    return all;
  }

 private:
  std::mutex mutex_;
  std::uint64_t next_;
  std::map<std::uint64_t, std::shared_ptr<T>> things_;
};

// The primary context, from its first retain to its last release.
struct Context {
  const std::shared_ptr<Failure> failure = std::make_shared<Failure>();
  Table<Stream> streams{0x5};
  Table<Event> events{0xe};
  Table<Module> modules{0xd};
  Table<Function> functions{0xf};
  Table<Graph> graphs{0x6};
  Table<Graph> executables{0x7};

  // A stream by its handle; null is the default stream, which waits for no other one here.
  std::shared_ptr<Stream> FindStream(Handle handle) {
    if (handle != nullptr) return streams.Find(handle);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (default_stream_ == nullptr) default_stream_ = std::make_shared<Stream>(failure);
    return default_stream_;
  }
  std::vector<std::shared_ptr<Stream>> AllStreams() {
    std::vector<std::shared_ptr<Stream>> all = streams.All();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (default_stream_ != nullptr) all.push_back(default_stream_);
    return all;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<Stream> default_stream_;
};

// Never taken down: threads may call at the end of the process.
struct Driver {
  std::atomic<bool> is_initialized{false};
  std::mutex mutex;
  Table<Context> contexts{0xc};
  Handle primary = nullptr;
  int retained = 0;
};

inline Driver& driver() {
  static auto* const all = new Driver;
  return *all;
}

inline thread_local Handle current = nullptr;
inline thread_local bool is_in_callback = false;

inline Result Ready(const char* name) {
  if (is_in_callback) return Refuse(kNotPermitted, std::string(name) + " in a host function of a stream");
  if (!driver().is_initialized) return Refuse(kNotInitialized, std::string(name) + " before cuInit");
  return kSuccess;
}

// Calls `body` with the context of this thread, if that lives and no work of it has failed.
template <class Body>
Result InContext(const char* name, Body body) {
  if (const Result ready = Ready(name); ready != kSuccess) return ready;
  if (current == nullptr) return Refuse(kInvalidContext, std::string(name) + ": no context is current on this thread");
  const std::shared_ptr<Context> context = driver().contexts.Find(current);
  if (context == nullptr) return Refuse(kContextIsDestroyed, std::string(name) + ": the context was released");
  if (const int failed = context->failure->result; failed != kSuccess) return static_cast<Result>(failed);
  const auto refuse = [name](Result result, const std::string& why) {
    return Refuse(result, std::string(name) + ": " + why);
  };
  return body(*context, refuse);
}

// What waits for a stream, or for what it was given, cannot be recorded: the record is of no use any more.
inline Result Spoil(Record& record, Result result, const std::string& what) {
  record.is_spoilt = true;
  return Refuse(result, what + " while a stream records what it is given");
}

inline Result FailureOf(const Context& context) { return static_cast<Result>(context.failure->result.load()); }

template <class T>
bool Give(T* out, T value) {
  if (out != nullptr) *out = value;
  return out != nullptr;
}

}  // namespace emulator

#endif

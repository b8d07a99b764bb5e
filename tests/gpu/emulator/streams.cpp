// The threads of streams, with delays where OPLINK_EMULATOR_DELAY says how many microseconds there may be before a piece of
// work: a wait that is missing then shows as a wrong value.
#include "streams.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace emulator {
namespace {

// Of all marks. Never taken down: streams may still wait when the process ends.
struct Marks {
  std::mutex mutex;
  std::condition_variable changed;
};
Marks& marks() {
  static auto* const all = new Marks;
  return *all;
}

// What this thread works on.
struct Working {
  Failure* failure;
  const std::string* what;
};
thread_local Working working = {nullptr, nullptr};

unsigned LongestDelay() {
  static const unsigned microseconds = [] {
    const char* text = std::getenv("OPLINK_EMULATOR_DELAY");
    return text == nullptr ? 0u : static_cast<unsigned>(std::atoi(text));
  }();
  return microseconds;
}

}  // namespace

void Mark::Set() {
  const std::lock_guard<std::mutex> lock(marks().mutex);
  is_set_ = true;
  time_ = std::chrono::steady_clock::now();
  marks().changed.notify_all();
}

bool Mark::IsSet() const {
  const std::lock_guard<std::mutex> lock(marks().mutex);
  return is_set_;
}

void Mark::Wait() const {
  std::unique_lock<std::mutex> lock(marks().mutex);
  marks().changed.wait(lock, [this] { return is_set_; });
}

std::chrono::steady_clock::time_point Mark::time() const {
  const std::lock_guard<std::mutex> lock(marks().mutex);
  return time_;
}

Stream::Stream(std::shared_ptr<Failure> failure) : failure_(std::move(failure)) {
  static std::atomic<unsigned> number{0};
  random_.seed(++number);
  thread_ = std::thread([this] { Run(); });
}

Stream::~Stream() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void Stream::Add(std::string what, std::function<void()> work) { Push({std::move(what), std::move(work), nullptr}); }
void Stream::Add(std::shared_ptr<Mark> mark) { Push({"a mark", nullptr, std::move(mark)}); }

void Stream::Push(Task task) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (record_ != nullptr) {
    record_->tasks.push_back(std::move(task));
    return;
  }
  tasks_.push_back(std::move(task));
  changed_.notify_all();
}

std::shared_ptr<Record> Stream::record() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return record_;
}

void Stream::SetRecord(std::shared_ptr<Record> record) {
  const std::lock_guard<std::mutex> lock(mutex_);
  record_ = std::move(record);
}

void Stream::Wait() {
  const auto mark = std::make_shared<Mark>();
  Add(mark);
  mark->Wait();
}

bool Stream::IsIdle() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return tasks_.empty() && !is_busy_;
}

void Stream::Run() {
  while (true) {
    Task task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      is_busy_ = false;
      changed_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      is_busy_ = true;
    }
    if (task.mark != nullptr) {
      task.mark->Set();
    } else if (failure_->result == kSuccess) {
      Delay();
      working = {failure_.get(), &task.what};
      task.work();
      working = {nullptr, nullptr};
    }
  }
}

void Stream::Delay() {
  if (const unsigned longest = LongestDelay(); longest > 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(random_() % longest));
  }
}

bool IsOfStream() { return working.failure != nullptr; }

void Fail(Result result, const std::string& what) {
  int none = kSuccess;
  working.failure->result.compare_exchange_strong(none, result);
  Complain(*working.what + ": " + what);
}

void Complain(const std::string& what) {
  std::fprintf(stderr, "emulated CUDA: %s\n", what.c_str());
  if (const char* path = std::getenv("OPLINK_EMULATOR_LOG"); path != nullptr) {
    if (std::FILE* log = std::fopen(path, "a"); log != nullptr) {
      std::fprintf(log, "%s\n", what.c_str());
      std::fclose(log);
    }
  }
}

}  // namespace emulator

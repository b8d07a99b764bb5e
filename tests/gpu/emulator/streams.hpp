// Streams: a thread for each, which does what it is given in order. Marks are what events are made of.
#ifndef OPLINK_TESTS_EMULATOR_STREAMS_HPP_
#define OPLINK_TESTS_EMULATOR_STREAMS_HPP_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "emulator.hpp"

namespace emulator {

// The first failure of a context's work.
struct Failure {
  std::atomic<int> result{kSuccess};
};

// A point in a stream's work.
class Mark {
 public:
  void Set();
  bool IsSet() const;
  void Wait() const;
  // Once set.
  std::chrono::steady_clock::time_point time() const;

 private:
  bool is_set_ = false;
  std::chrono::steady_clock::time_point time_;
};

// A piece of a stream's work, or a mark between two.
struct Task {
  std::string what;
  std::function<void()> work;
  std::shared_ptr<Mark> mark;
};

class Stream;

// What streams record instead of doing it, in an order in which it may be done.
struct Record {
  std::vector<Task> tasks;
  std::vector<Stream*> streams;  // the first is the one whose record it is
  bool is_spoilt = false;
};

class Stream {
 public:
  explicit Stream(std::shared_ptr<Failure> failure);
  // Does all that was added first.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Work is left out after a failure; marks are set all the same.
  void Add(std::string what, std::function<void()> work);
  void Add(std::shared_ptr<Mark> mark);
  void Add(const Task& task) { Push(task); }
  void Wait();
  bool IsIdle();

  // What it records into; null where it works.
  std::shared_ptr<Record> record();
  void SetRecord(std::shared_ptr<Record> record);

 private:
  void Push(Task task);
  void Run();
  void Delay();

  const std::shared_ptr<Failure> failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  std::shared_ptr<Record> record_;
  bool is_busy_ = false;
  bool ends_ = false;
  std::minstd_rand random_;
  std::thread thread_;
};

// Whether this thread is a stream's.
bool IsOfStream();

}  // namespace emulator

#endif

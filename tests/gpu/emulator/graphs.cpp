// libcuda.so.1: work that a stream records, and graphs made of it, which are done as a whole: in the order in which the work
// was recorded.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "handles.hpp"

namespace emulator {
namespace {

// Streams that joined a record have to be waited for by the first before it ends. In which order is not looked at.
Result End(Record& record) {
  const bool is_spoilt = record.is_spoilt;
  for (Stream* const stream : record.streams) stream->SetRecord(nullptr);
  record.streams.clear();
  return is_spoilt ? kCaptureInvalidated : kSuccess;
}

}  // namespace
}  // namespace emulator

using namespace emulator;

extern "C" {

EMULATED_API Result cuStreamBeginCapture_v2(Handle stream_handle, int mode) {
  return InContext("cuStreamBeginCapture", [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    if (stream == nullptr) return refuse(kInvalidHandle, "no such stream");
    if (mode != 2) return refuse(kInvalidValue, "modes that refuse calls of other threads are not emulated");
    if (stream->record() != nullptr) return refuse(kInvalidValue, "it records already");
    const auto record = std::make_shared<Record>();
    record->streams.push_back(stream.get());
    stream->SetRecord(record);
    return kSuccess;
  });
}

EMULATED_API Result cuStreamEndCapture(Handle stream_handle, Handle* graph) {
  return InContext("cuStreamEndCapture", [&](Context& context, auto refuse) {
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    if (stream == nullptr || graph == nullptr) return refuse(kInvalidHandle, "no such stream");
    const std::shared_ptr<Record> record = stream->record();
    if (record == nullptr) return refuse(kInvalidValue, "it does not record");
    if (record->streams.front() != stream.get()) return refuse(kInvalidValue, "the record is another stream's");
    *graph = nullptr;
    if (const Result ended = End(*record); ended != kSuccess) return refuse(ended, "something was not to be recorded");
    *graph = context.graphs.Add(std::make_shared<Graph>(Graph{std::move(record->tasks)}));
    return kSuccess;
  });
}

EMULATED_API Result cuGraphInstantiateWithFlags(Handle* executable, Handle graph_handle, unsigned long long flags) {
  return InContext("cuGraphInstantiate", [&](Context& context, auto refuse) {
    const std::shared_ptr<Graph> graph = context.graphs.Find(graph_handle);
    if (graph == nullptr || executable == nullptr) return refuse(kInvalidHandle, "no such graph");
    if (flags != 0) return refuse(kInvalidValue, "flags are not emulated");
    *executable = context.executables.Add(std::make_shared<Graph>(*graph));
    return kSuccess;
  });
}

EMULATED_API Result cuGraphLaunch(Handle executable, Handle stream_handle) {
  return InContext("cuGraphLaunch", [&](Context& context, auto refuse) {
    const std::shared_ptr<Graph> graph = context.executables.Find(executable);
    const std::shared_ptr<Stream> stream = context.FindStream(stream_handle);
    if (graph == nullptr || stream == nullptr) return refuse(kInvalidHandle, "no such graph or stream");
    if (stream->record() != nullptr) return refuse(kInvalidValue, "graphs in graphs are not emulated");
    for (const Task& task : graph->tasks) stream->Add(task);
    return kSuccess;
  });
}

EMULATED_API Result cuGraphExecDestroy(Handle executable) {
  return InContext("cuGraphExecDestroy", [&](Context& context, auto refuse) {
    return context.executables.Take(executable) == nullptr ? refuse(kInvalidHandle, "no such graph") : kSuccess;
  });
}

EMULATED_API Result cuGraphDestroy(Handle graph) {
  return InContext("cuGraphDestroy", [&](Context& context, auto refuse) {
    return context.graphs.Take(graph) == nullptr ? refuse(kInvalidHandle, "no such graph") : kSuccess;
  });
}

}  // extern "C"

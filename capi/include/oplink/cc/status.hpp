// Status and Result: how everything in this API tells of failure.
//
// A function that can fail returns a Status, or a Result that holds a value or a Status. Both ways of going on work:
//
//   OPLINK_ASSIGN(auto x, context.Input(0));   // returns the Status from the enclosing function
//   auto x = context.Input(0).value();         // throws oplink::Error
//
// What is thrown in a kernel or shape function becomes a failure of the node; no exception reaches the host. Without
// exceptions (-fno-exceptions), value() of a failure ends the program, so use the macros.
#ifndef OPLINK_CC_STATUS_HPP_
#define OPLINK_CC_STATUS_HPP_

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "oplink/c/tf_status.h"

// Keeps what a plugin must not share with another one inside its own library.
#define OPLINK_LOCAL __attribute__((visibility("hidden")))

namespace oplink {

// A code and a message; OK without a message.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  Status(TF_Code code, std::string message) noexcept : code_(code), message_(std::move(message)) {}

  bool ok() const noexcept { return code_ == TF_OK; }
  TF_Code code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }

 private:
  TF_Code code_ = TF_OK;
  std::string message_;
};

// A Status with a message made of anything that can be written to a stream: InvalidArgument("rank ", rank, " of x").
template <class... Parts>
Status MakeStatus(TF_Code code, const Parts&... parts) {
  std::ostringstream message;
  (void)(message << ... << parts);
  return Status(code, message.str());
}
template <class... Parts>
Status InvalidArgument(const Parts&... parts) {
  return MakeStatus(TF_INVALID_ARGUMENT, parts...);
}
template <class... Parts>
Status NotFound(const Parts&... parts) {
  return MakeStatus(TF_NOT_FOUND, parts...);
}
template <class... Parts>
Status OutOfRange(const Parts&... parts) {
  return MakeStatus(TF_OUT_OF_RANGE, parts...);
}
template <class... Parts>
Status FailedPrecondition(const Parts&... parts) {
  return MakeStatus(TF_FAILED_PRECONDITION, parts...);
}
template <class... Parts>
Status ResourceExhausted(const Parts&... parts) {
  return MakeStatus(TF_RESOURCE_EXHAUSTED, parts...);
}
template <class... Parts>
Status Unimplemented(const Parts&... parts) {
  return MakeStatus(TF_UNIMPLEMENTED, parts...);
}
template <class... Parts>
Status Internal(const Parts&... parts) {
  return MakeStatus(TF_INTERNAL, parts...);
}

// What value() of a failed Result throws.
class Error : public std::exception {
 public:
  explicit Error(Status status) noexcept : status_(std::move(status)) {}
  const Status& status() const noexcept { return status_; }
  const char* what() const noexcept override { return status_.message().c_str(); }

 private:
  Status status_;
};

// Throws a failure as an Error; does nothing for OK.
inline void ThrowIfError(const Status& status) {
  if (status.ok()) return;
#ifdef __cpp_exceptions
  throw Error(status);
#else
  std::fprintf(stderr, "oplink: %s\n", status.message().c_str());
  std::abort();
#endif
}

// A value, or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: `return value;` is the point
  Result(Status error) : error_(std::move(error)) {
    if (error_.ok()) error_ = Status(TF_INTERNAL, "a Result was made of a Status that is OK");
  }

  bool ok() const noexcept { return value_.has_value(); }
  // OK where there is a value.
  const Status& status() const noexcept { return error_; }

  // The value; throws Error where there is none.
  T& value() & {
    ThrowIfError(error_);
    return *value_;
  }
  T value() && {
    ThrowIfError(error_);
    return std::move(*value_);
  }

  // The value, after ok() said that there is one.
  T& operator*() & { return *value_; }
  T operator*() && { return std::move(*value_); }
  T* operator->() { return &*value_; }

 private:
  std::optional<T> value_;
  Status error_;
};

namespace internal OPLINK_LOCAL {

// A TF_Status for one call into the host.
class StatusHandle {
 public:
  StatusHandle() : raw_(TF_NewStatus()) {}
  explicit StatusHandle(const Status& status) : StatusHandle() {
    TF_SetStatus(raw_, status.code(), status.message().c_str());
  }
  ~StatusHandle() { TF_DeleteStatus(raw_); }
  StatusHandle(const StatusHandle&) = delete;
  StatusHandle& operator=(const StatusHandle&) = delete;

  TF_Status* get() const { return raw_; }
  bool ok() const { return TF_GetCode(raw_) == TF_OK; }
  Status ToStatus() const { return ok() ? Status() : Status(TF_GetCode(raw_), TF_Message(raw_)); }

 private:
  TF_Status* raw_;
};

// Runs what returns a Status; whatever it throws becomes a Status too.
template <class Body>
Status Guard(Body&& body) noexcept {
#ifdef __cpp_exceptions
  try {
    try {
      return body();
    } catch (const Error& error) {
      return error.status();
    } catch (const std::bad_alloc&) {
      return Status(TF_RESOURCE_EXHAUSTED, "out of memory");
    } catch (const std::exception& error) {
      return Internal("exception: ", error.what());
    } catch (...) {
      return Internal("exception of a type that is no std::exception");
    }
  } catch (...) {  // making the message failed; this one needs no memory
    return Status(TF_RESOURCE_EXHAUSTED, "out of memory");
  }
#else
  return body();
#endif
}

}  // namespace internal
}  // namespace oplink

#define OPLINK_JOIN_(a, b) a##b
#define OPLINK_JOIN(a, b) OPLINK_JOIN_(a, b)

// Returns from the enclosing function where the Status is a failure.
#define OPLINK_TRY(expression)                                   \
  do {                                                           \
    ::oplink::Status oplink_status = (expression);               \
    if (!oplink_status.ok()) return oplink_status;               \
  } while (false)

// Assigns a Result's value, or returns its Status from the enclosing function.
#define OPLINK_ASSIGN(left, expression) OPLINK_ASSIGN_(OPLINK_JOIN(oplink_result_, __LINE__), left, expression)
#define OPLINK_ASSIGN_(result, left, expression) \
  auto result = (expression);                    \
  if (!result.ok()) return result.status();      \
  left = *std::move(result)

#endif

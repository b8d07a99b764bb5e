// Kernels: the base class, what a kernel sees while it is made, and what it sees while it computes.
#ifndef OPLINK_CC_KERNEL_HPP_
#define OPLINK_CC_KERNEL_HPP_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oplink/c/kernels.h"
#include "oplink/cc/attrs.hpp"
#include "oplink/cc/status.hpp"
#include "oplink/cc/tensor.hpp"

namespace oplink {

// The node that a kernel is made for. It lives during the constructor only.
class OpKernelConstruction {
 public:
  explicit OpKernelConstruction(TF_OpKernelConstruction* raw) : raw_(raw) {}
  OpKernelConstruction(const OpKernelConstruction&) = delete;
  OpKernelConstruction& operator=(const OpKernelConstruction&) = delete;
  TF_OpKernelConstruction* get() const { return raw_; }

  // The value of an attr. T is one of std::string, std::int32_t, std::int64_t, float, bool, TF_DataType, Tensor, or a
  // std::vector of these. Fails where the node has no such attr, it is of another kind, or it does not fit into T.
  template <class T>
  Result<T> Attr(const std::string& name) const {
    return internal::AttrReader<T>::Read(raw_, name.c_str());
  }

  bool HasAttr(const std::string& name) const {
    internal::StatusHandle status;
    const bool has = TF_OpKernelConstruction_HasAttr(raw_, name.c_str(), status.get());
    return has && status.ok();
  }

  // The node's name.
  std::string_view name() const {
    const TF_StringView view = TF_OpKernelConstruction_GetName(raw_);
    return {view.data, view.len};
  }

  // Says that no kernel can be made: for constructors where throwing is not possible. The first failure counts.
  void Fail(Status status) {
    if (failure_.ok()) failure_ = std::move(status);
  }
  const Status& failure() const { return failure_; }

 private:
  TF_OpKernelConstruction* raw_;
  Status failure_;
};

// One computation. It lives during Compute only.
class OpKernelContext {
 public:
  explicit OpKernelContext(TF_OpKernelContext* raw) : raw_(raw) {}
  OpKernelContext(const OpKernelContext&) = delete;
  OpKernelContext& operator=(const OpKernelContext&) = delete;
  TF_OpKernelContext* get() const { return raw_; }

  int num_inputs() const { return TF_NumInputs(raw_); }
  int num_outputs() const { return TF_NumOutputs(raw_); }

  // Input `i`, counted over all tensors.
  Result<Tensor> Input(int i) const {
    if (i < 0 || i >= num_inputs()) return OutOfRange("input ", i, " of a node that has ", num_inputs());
    TF_Tensor* tensor = nullptr;
    internal::StatusHandle status;
    TF_GetInput(raw_, i, &tensor, status.get());
    if (!status.ok()) return status.ToStatus();
    return Tensor(tensor);
  }

  // The tensors of a named input: one, or as many as `N * T` or a list of types stands for.
  Result<std::vector<Tensor>> Inputs(const std::string& name) const {
    internal::StatusHandle status;
    TF_InputRange_Args range = {};
    range.struct_size = TF_InputRange_Args_STRUCT_SIZE;
    range.status = status.get();
    TF_InputRange(raw_, name.c_str(), &range);
    if (!status.ok()) return status.ToStatus();
    std::vector<Tensor> tensors;
    for (int i = range.start; i < range.stop; i++) {
      OPLINK_ASSIGN(Tensor tensor, Input(i));
      tensors.push_back(std::move(tensor));
    }
    return tensors;
  }

  // Makes output `i`, of the dtype that the op gives it. Strings are empty, numbers are not set.
  Result<Tensor> AllocateOutput(int i, const Dims& dims) {
    OPLINK_TRY(CheckOutput(i));
    const TF_DataType dtype = TF_ExpectedOutputDataType(raw_, i);
    OPLINK_ASSIGN(const std::size_t bytes, internal::ByteSize(dtype, dims));
    internal::StatusHandle status;
    Tensor tensor(TF_AllocateOutput(raw_, i, dtype, dims.data(), Rank(dims), bytes, status.get()));
    return Checked(std::move(tensor), status, "output");
  }

  // Makes output `i` of the memory of one of the inputs that nobody else needs, or of fresh memory. `forwarded`, where
  // it is not null, is told which input, or -1.
  Result<Tensor> ForwardInputOrAllocateOutput(std::initializer_list<int> candidates, int i, const Dims& dims,
                                              int* forwarded = nullptr) {
    OPLINK_TRY(CheckOutput(i));
    OPLINK_TRY(NumElements(dims).status());
    internal::StatusHandle status;
    Tensor tensor(TF_ForwardInputOrAllocateOutput(raw_, candidates.begin(), static_cast<int>(candidates.size()), i,
                                                  dims.data(), Rank(dims), forwarded, status.get()));
    return Checked(std::move(tensor), status, "output");
  }

  // Makes a tensor for use during this computation, in the device's memory or the host's.
  Result<Tensor> AllocateTemp(TF_DataType dtype, const Dims& dims, bool on_host = true) {
    OPLINK_TRY(internal::ByteSize(dtype, dims).status());
    TF_AllocatorAttributes where = {};
    where.struct_size = TF_ALLOCATOR_ATTRIBUTES_STRUCT_SIZE;
    where.on_host = on_host;
    internal::StatusHandle status;
    Tensor tensor(TF_AllocateTemp(raw_, dtype, dims.data(), Rank(dims), &where, status.get()));
    return Checked(std::move(tensor), status, "temporary tensor");
  }

  // Makes a tensor output `i`; it must be of the dtype that the op gives it.
  Status SetOutput(int i, const Tensor& tensor) {
    OPLINK_TRY(CheckOutput(i));
    if (!tensor) return FailedPrecondition("output ", i, " was set to no tensor");
    internal::StatusHandle status;
    TF_SetOutput(raw_, i, tensor.get(), status.get());
    return status.ToStatus();
  }

  std::int64_t step_id() const { return TF_StepId(raw_); }
  // The node's name.
  std::string_view name() const {
    const TF_StringView view = TF_GetOpKernelName(raw_);
    return {view.data, view.len};
  }

  // The device's stream; fails on devices without streams.
  Result<SP_Stream> Stream() const {
    internal::StatusHandle status;
    SP_Stream stream = TF_GetStream(raw_, status.get());
    if (!status.ok()) return status.ToStatus();
    return stream;
  }

 private:
  static int Rank(const Dims& dims) { return static_cast<int>(dims.size()); }

  Status CheckOutput(int i) const {
    if (i >= 0 && i < num_outputs()) return Status();
    return OutOfRange("output ", i, " of a node that has ", num_outputs());
  }

  static Result<Tensor> Checked(Tensor tensor, const internal::StatusHandle& status, const char* what) {
    if (!status.ok()) return status.ToStatus();
    if (!tensor) return ResourceExhausted("the host made no ", what);
    return tensor;
  }

  TF_OpKernelContext* raw_;
};

// What kernels derive from. A kernel has a constructor from `OpKernelConstruction&`, which reads attrs and throws or
// calls Fail where no kernel can be made. One object serves one node; Compute runs on several threads at once.
class OpKernel {
 public:
  OpKernel() = default;
  virtual ~OpKernel() = default;
  OpKernel(const OpKernel&) = delete;
  OpKernel& operator=(const OpKernel&) = delete;

  // Computes every output; a failure, returned or thrown, becomes the node's.
  virtual Status Compute(OpKernelContext& context) = 0;
};

namespace internal OPLINK_LOCAL {

// The functions of the C API that stand for a kernel class. The host holds an OpKernel*, or null where there is none.
template <class Kernel>
void* CreateKernel(TF_OpKernelConstruction* raw) {
  OpKernelConstruction construction(raw);
  std::unique_ptr<OpKernel> kernel;
  const Status status = Guard([&] {
    kernel = std::make_unique<Kernel>(construction);
    return construction.failure();
  });
  if (status.ok()) return kernel.release();
  TF_OpKernelConstruction_Failure(raw, StatusHandle(status).get());
  return nullptr;
}

inline void ComputeKernel(void* kernel, TF_OpKernelContext* raw) {
  OpKernelContext context(raw);
  const Status status = Guard([&] {
    if (kernel == nullptr) return Internal("the kernel was never made");
    return static_cast<OpKernel*>(kernel)->Compute(context);
  });
  if (!status.ok()) TF_OpKernelContext_Failure(raw, StatusHandle(status).get());
}

inline void DeleteKernel(void* kernel) { delete static_cast<OpKernel*>(kernel); }

}  // namespace internal
}  // namespace oplink

#endif

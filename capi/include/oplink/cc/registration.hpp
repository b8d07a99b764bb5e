// Declaring ops and kernels, and the macros that register them when the plugin is loaded.
//
//   OPLINK_REGISTER_OP("Twice").Input("x: T").Output("y: T").Attr("T: {float, double}")
//       .SetShapeFn<&oplink::UnchangedShape>();
//   OPLINK_REGISTER_KERNEL("Twice", Twice<float>).Device("CPU").TypeConstraint<float>("T");
//   OPLINK_PLUGIN();   // once in a plugin
//
// Registration happens once, while the library is loaded, in whatever way it is loaded; a failure is written to stderr
// with its reason, and the host knows it too. OPLINK_PLUGIN exports TF_InitKernel, which hosts look for.
#ifndef OPLINK_CC_REGISTRATION_HPP_
#define OPLINK_CC_REGISTRATION_HPP_

#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "oplink/c/kernels.h"
#include "oplink/c/ops.h"
#include "oplink/cc/kernel.hpp"
#include "oplink/cc/shape.hpp"
#include "oplink/cc/status.hpp"

namespace oplink {
namespace internal OPLINK_LOCAL {

template <class ShapeFn>
void InferShapes(const ShapeFn& shape_fn, TF_ShapeInferenceContext* raw, TF_Status* out) {
  ShapeInferenceContext context(raw);
  const Status status = Guard([&]() -> Status { return shape_fn(context); });
  if (!status.ok()) TF_SetStatus(out, status.code(), status.message().c_str());
}

// Sets a lambda without captures as shape function. Its type stands for its value, so one copy serves every call.
template <class ShapeFn>
void SetShapeFn(TF_OpDefinitionBuilder* builder, const ShapeFn& shape_fn) {
  static const ShapeFn kept = shape_fn;
  TF_OpDefinitionBuilderSetShapeInferenceFunction(
      builder, [](TF_ShapeInferenceContext* raw, TF_Status* status) { InferShapes(kept, raw, status); });
}

}  // namespace internal

// An op's declaration; specs are in the op language ("x: T", "parts: N * string", "N: int >= 1 = 2").
class OpDefBuilder {
 public:
  explicit OpDefBuilder(std::string name) : name_(std::move(name)), raw_(TF_NewOpDefinitionBuilder(name_.c_str())) {}
  ~OpDefBuilder() {
    if (raw_ != nullptr) TF_DeleteOpDefinitionBuilder(raw_);
  }
  OpDefBuilder(const OpDefBuilder&) = delete;
  OpDefBuilder& operator=(const OpDefBuilder&) = delete;

  OpDefBuilder& Input(const std::string& spec) { return Told(&TF_OpDefinitionBuilderAddInput, spec.c_str()); }
  OpDefBuilder& Output(const std::string& spec) { return Told(&TF_OpDefinitionBuilderAddOutput, spec.c_str()); }
  OpDefBuilder& Attr(const std::string& spec) { return Told(&TF_OpDefinitionBuilderAddAttr, spec.c_str()); }
  OpDefBuilder& SetIsCommutative() { return Told(&TF_OpDefinitionBuilderSetIsCommutative, true); }
  OpDefBuilder& SetIsAggregate() { return Told(&TF_OpDefinitionBuilderSetIsAggregate, true); }
  OpDefBuilder& SetIsStateful() { return Told(&TF_OpDefinitionBuilderSetIsStateful, true); }
  OpDefBuilder& SetAllowsUninitializedInput() {
    return Told(&TF_OpDefinitionBuilderSetAllowsUninitializedInput, true);
  }
  // The GraphDef version from which on the op is deprecated, and what to use instead.
  OpDefBuilder& Deprecated(int version, const std::string& explanation) {
    TF_OpDefinitionBuilderDeprecated(raw_, version, explanation.c_str());
    return *this;
  }

  // The shape function: a lambda without captures, from ShapeInferenceContext& to Status.
  template <class ShapeFn>
  OpDefBuilder& SetShapeFn(ShapeFn shape_fn) {
    static_assert(std::is_class_v<ShapeFn> && std::is_empty_v<ShapeFn>,
                  "a shape function is a lambda without captures; a function is given as SetShapeFn<&function>()");
    internal::SetShapeFn(raw_, shape_fn);
    return *this;
  }

  // The same for a function: SetShapeFn<&UnchangedShape>().
  template <Status (*shape_fn)(ShapeInferenceContext&)>
  OpDefBuilder& SetShapeFn() {
    TF_OpDefinitionBuilderSetShapeInferenceFunction(
        raw_, [](TF_ShapeInferenceContext* raw, TF_Status* status) { internal::InferShapes(*shape_fn, raw, status); });
    return *this;
  }

  // Registers the op; the builder is spent afterwards.
  Status Register() {
    if (raw_ == nullptr) return FailedPrecondition("an op is registered once");
    internal::StatusHandle status;
    TF_RegisterOpDefinition(std::exchange(raw_, nullptr), status.get());
    return status.ToStatus();
  }

  std::string what() const { return "op '" + name_ + "'"; }

 private:
  template <class Value>
  OpDefBuilder& Told(void (*tell)(TF_OpDefinitionBuilder*, Value), Value value) {
    tell(raw_, value);
    return *this;
  }

  std::string name_;
  TF_OpDefinitionBuilder* raw_;
};

// What a kernel serves, until it is registered.
struct KernelSpec {
  std::string op;
  std::string device = "CPU";
  std::vector<std::pair<std::string, TF_DataType>> types;
  std::vector<std::string> host_memory;
  std::string label;
  std::int32_t priority = 0;
};

namespace internal OPLINK_LOCAL {

inline Status RegisterKernel(const KernelSpec& spec, void* (*create)(TF_OpKernelConstruction*)) {
  TF_KernelBuilder* builder =
      TF_NewKernelBuilder(spec.op.c_str(), spec.device.c_str(), create, &ComputeKernel, &DeleteKernel);
  StatusHandle status;
  std::string name = spec.op + ":" + spec.device;
  for (const auto& [attr, dtype] : spec.types) {
    name += ":" + DataTypeName(dtype);
    TF_KernelBuilder_TypeConstraint(builder, attr.c_str(), dtype, status.get());
    if (!status.ok()) {
      TF_DeleteKernelBuilder(builder);
      return status.ToStatus();
    }
  }
  for (const std::string& argument : spec.host_memory) TF_KernelBuilder_HostMemory(builder, argument.c_str());
  if (!spec.label.empty()) TF_KernelBuilder_Label(builder, spec.label.c_str());
  if (spec.priority != 0) TF_KernelBuilder_Priority(builder, spec.priority);
  TF_RegisterKernelBuilder(name.c_str(), builder, status.get());
  return status.ToStatus();
}

}  // namespace internal

// A kernel class offered for an op; on the device "CPU" where nothing else is said.
template <class Kernel>
class KernelBuilder {
  static_assert(std::is_base_of_v<OpKernel, Kernel>, "a kernel derives from oplink::OpKernel");
  static_assert(std::is_constructible_v<Kernel, OpKernelConstruction&>,
                "a kernel has a constructor from oplink::OpKernelConstruction&");

 public:
  explicit KernelBuilder(std::string op) { spec_.op = std::move(op); }

  KernelBuilder& Device(std::string device) {
    spec_.device = std::move(device);
    return *this;
  }
  // Serves only nodes whose type attr is T's dtype.
  template <class T>
  KernelBuilder& TypeConstraint(std::string attr) {
    return TypeConstraint(std::move(attr), DataTypeOf<T>::value);
  }
  KernelBuilder& TypeConstraint(std::string attr, TF_DataType dtype) {
    spec_.types.emplace_back(std::move(attr), dtype);
    return *this;
  }
  // The named input or output lies in the host's memory.
  KernelBuilder& HostMemory(std::string argument) {
    spec_.host_memory.push_back(std::move(argument));
    return *this;
  }
  // Of several kernels that fit, the highest priority serves.
  KernelBuilder& Priority(std::int32_t priority) {
    spec_.priority = priority;
    return *this;
  }
  // Serves only nodes that ask for the label.
  KernelBuilder& Label(std::string label) {
    spec_.label = std::move(label);
    return *this;
  }

  Status Register() { return internal::RegisterKernel(spec_, &internal::CreateKernel<Kernel>); }

  std::string what() const { return "kernel of '" + spec_.op + "' for " + spec_.device; }

 private:
  KernelSpec spec_;
};

namespace internal OPLINK_LOCAL {

// Registers what a builder was told, when the library is loaded.
struct Registration {
  template <class Builder>
  Registration(Builder&& builder) {  // NOLINT: the macros make it of a chain of calls
    const Status status = Guard([&] { return builder.Register(); });
    if (status.ok()) return;
    std::fprintf(stderr, "oplink: %s was not registered: %s\n", builder.what().c_str(), status.message().c_str());
  }
};

}  // namespace internal
}  // namespace oplink

#define OPLINK_REGISTRATION_ \
  [[maybe_unused]] static const ::oplink::internal::Registration OPLINK_JOIN(oplink_registration_, __COUNTER__)

// Declares an op: OPLINK_REGISTER_OP("Name").Input(...).Output(...).Attr(...).SetShapeFn(...);
#define OPLINK_REGISTER_OP(name) OPLINK_REGISTRATION_ = ::oplink::OpDefBuilder(name)

// Offers a kernel class: OPLINK_REGISTER_KERNEL("Name", Class<float>).Device("CPU").TypeConstraint<float>("T");
#define OPLINK_REGISTER_KERNEL(name, ...) OPLINK_REGISTRATION_ = ::oplink::KernelBuilder<__VA_ARGS__>(name)

// Exports what hosts look for in a plugin of ops and kernels. Everything is registered by then.
#define OPLINK_PLUGIN() extern "C" TF_CAPI_EXPORT void TF_InitKernel() {}

#endif

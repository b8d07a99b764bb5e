// OplinkAffineCc: y = x * scale + shift, clipped to bounds where mode is 'clip'.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "oplink/cc/plugin.hpp"

namespace {

template <class T>
class Affine final : public oplink::OpKernel {
 public:
  explicit Affine(oplink::OpKernelConstruction& node)
      : scale_(static_cast<T>(node.Attr<float>("scale").value())),
        shift_(static_cast<T>(node.Attr<std::int64_t>("shift").value())),
        clip_(node.Attr<std::string>("mode").value() == "clip"),
        bounds_(node.Attr<std::vector<float>>("bounds").value()) {
    if (clip_ && bounds_.size() != 2) {
      node.Fail(oplink::InvalidArgument("mode 'clip' needs 2 bounds, not ", bounds_.size()));
    }
  }

  oplink::Status Compute(oplink::OpKernelContext& context) override {
    OPLINK_ASSIGN(const oplink::Tensor x, context.Input(0));
    OPLINK_ASSIGN(oplink::Tensor y, context.AllocateOutput(0, x.dims()));
    OPLINK_ASSIGN(const auto from, x.Values<T>());
    OPLINK_ASSIGN(const auto to, y.MutableValues<T>());
    std::transform(from.begin(), from.end(), to.begin(), [this](T value) { return Apply(value); });
    return {};
  }

 private:
  T Apply(T x) const {
    const T y = x * scale_ + shift_;
    return clip_ ? std::min(std::max(y, static_cast<T>(bounds_[0])), static_cast<T>(bounds_[1])) : y;
  }

  const T scale_;
  const T shift_;
  const bool clip_;
  const std::vector<float> bounds_;
};

}  // namespace

OPLINK_REGISTER_OP("OplinkAffineCc")
    .Input("x: T")
    .Output("y: T")
    .Attr("scale: float = 1.0")
    .Attr("shift: int = 0")
    .Attr("mode: {'plain', 'clip'} = 'plain'")
    .Attr("bounds: list(float) = []")
    .Attr("T: {float, double}")
    .SetShapeFn<&oplink::UnchangedShape>();

OPLINK_REGISTER_KERNEL("OplinkAffineCc", Affine<float>).Device("CPU").TypeConstraint<float>("T");
OPLINK_REGISTER_KERNEL("OplinkAffineCc", Affine<double>).Device("CPU").TypeConstraint<double>("T");

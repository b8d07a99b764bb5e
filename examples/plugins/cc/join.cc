// OplinkJoinCc: joins strings of equal positions, with a separator between them.
#include <string>
#include <vector>

#include "oplink/cc/plugin.hpp"

namespace {

class Join final : public oplink::OpKernel {
 public:
  explicit Join(oplink::OpKernelConstruction& node) : separator_(node.Attr<std::string>("separator").value()) {}

  oplink::Status Compute(oplink::OpKernelContext& context) override {
    OPLINK_ASSIGN(const std::vector<oplink::Tensor> parts, context.Inputs("parts"));
    const oplink::Dims dims = parts[0].dims();
    OPLINK_ASSIGN(oplink::Tensor joined, context.AllocateOutput(0, dims));
    OPLINK_ASSIGN(const auto to, joined.MutableValues<oplink::TString>());
    for (std::size_t p = 0; p < parts.size(); p++) {
      if (parts[p].dims() != dims) return oplink::InvalidArgument("parts[", p, "] has another shape than parts[0]");
      OPLINK_ASSIGN(const auto from, parts[p].Values<oplink::TString>());
      for (std::size_t i = 0; i < from.size(); i++) {
        if (p > 0) OPLINK_TRY(to[i].Append(separator_));
        OPLINK_TRY(to[i].Append(from[i]));
      }
    }
    return {};
  }

 private:
  const std::string separator_;
};

// The output has the one shape of all the parts: what is known of any of them.
oplink::Status JoinShape(oplink::ShapeInferenceContext& context) {
  oplink::Shape joined = context.Unknown();
  for (int i = 0; i < context.num_inputs(); i++) {
    OPLINK_ASSIGN(const oplink::Shape part, context.Input(i));
    OPLINK_ASSIGN(joined, joined.MergeWith(part));
  }
  return context.SetOutput(0, joined);
}

}  // namespace

OPLINK_REGISTER_OP("OplinkJoinCc")
    .Input("parts: N * string")
    .Output("joined: string")
    .Attr("N: int >= 1")
    .Attr("separator: string = ''")
    .SetShapeFn<&JoinShape>();

OPLINK_REGISTER_KERNEL("OplinkJoinCc", Join);

OPLINK_PLUGIN();

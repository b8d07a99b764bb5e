// The same by PyTorch's stable ABI.
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

static torch::stable::Tensor add(const torch::stable::Tensor& x, const torch::stable::Tensor& y) {
  torch::stable::Tensor z = torch::stable::empty_like(x);
  const float *from = static_cast<const float*>(x.data_ptr()), *other = static_cast<const float*>(y.data_ptr());
  float* to = static_cast<float*>(z.data_ptr());
  for (int64_t i = 0; i < z.numel(); i++) to[i] = from[i] + other[i];
  return z;
}

STABLE_TORCH_LIBRARY(stable_ops, library) { library.def("add(Tensor x, Tensor y) -> Tensor"); }
STABLE_TORCH_LIBRARY_IMPL(stable_ops, CPU, library) { library.impl("add", TORCH_BOX(&add)); }

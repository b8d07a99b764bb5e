// An addition as a custom op of TensorFlow, by its C++ API.
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/shape_inference.h"

namespace tf = tensorflow;

REGISTER_OP("CppAdd").Input("x: T").Input("y: T").Output("z: T").Attr("T: {half, bfloat16, float, double, int8, int32, int64, uint8, complex64}")
    .SetShapeFn([](tf::shape_inference::InferenceContext* context) {
      tf::shape_inference::ShapeHandle shape;
      TF_RETURN_IF_ERROR(context->Merge(context->input(0), context->input(1), &shape));
      context->set_output(0, shape);
      return absl::OkStatus();
    });

template <class T>
struct Add : tf::OpKernel {
  explicit Add(tf::OpKernelConstruction* construction) : tf::OpKernel(construction) {}

  void Compute(tf::OpKernelContext* context) override {
    const tf::Tensor &x = context->input(0), &y = context->input(1);
    OP_REQUIRES(context, x.shape() == y.shape(), absl::InvalidArgumentError("shapes"));
    tf::Tensor* z = nullptr;
    OP_REQUIRES_OK(context, context->allocate_output(0, x.shape(), &z));
    const T *from = x.flat<T>().data(), *other = y.flat<T>().data();
    T* to = z->flat<T>().data();
    for (int64_t i = 0; i < z->NumElements(); i++) to[i] = from[i] + other[i];
  }
};

// As many kernels as the plugin's op has.
#define KERNEL(type) REGISTER_KERNEL_BUILDER(Name("CppAdd").Device(tf::DEVICE_CPU).TypeConstraint<type>("T"), Add<type>)
KERNEL(Eigen::half);
KERNEL(tf::bfloat16);
KERNEL(float);
KERNEL(double);
KERNEL(tf::int8);
KERNEL(tf::int32);
KERNEL(int64_t);
KERNEL(tf::uint8);
KERNEL(tf::complex64);
